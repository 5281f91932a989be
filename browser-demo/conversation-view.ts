import { displayLabel, type SessionReferenceContext } from '../src/index.ts';
import type { ChatState } from './chat.ts';
import type { ConversationEntry } from './conversation-log.ts';
import { toErrorWords } from './error-words.ts';
import { createIcon, type IconName } from './icon.ts';
import { createElement } from './mention-picker/element.ts';
import type { DraftReference } from './mention-picker/index.ts';
import { requireElement } from './page-element.ts';
import type { SourceStates } from './source-states.ts';

/** Characters of a message that are shown at once. */
const MAX_SHOWN_TEXT = 20_000;

/** Pixels from the end within which the view follows an answer. */
const FOLLOW_DISTANCE = 80;

/** What can be done with messages. */
export interface ConversationViewHandlers {
  readonly states: SourceStates;
  readonly onInspect: (entry: ConversationEntry) => void;
  readonly onOpenSnapshot: (context: SessionReferenceContext, sessionId: string) => void;
  readonly onEdit: (entry: ConversationEntry) => void;
  readonly onRetry: () => void;
  readonly onShowEarlier: () => void;
}

/** What the view shows. */
export interface ConversationViewState {
  readonly entries: readonly ConversationEntry[];
  readonly omittedMessages: number;
  readonly chat: ChatState;
  /** Shown when there are no messages. */
  readonly welcome: HTMLElement | undefined;
}

/** The messages of the open conversation. Elements of entries that did not change are kept. */
export class ConversationView {
  readonly #scroller = requireElement('messages', HTMLElement);
  readonly #handlers: ConversationViewHandlers;
  #made = new Map<ConversationEntry, HTMLElement>();
  #column = createElement('div', { class: 'message-column' });
  #answer: HTMLElement | undefined;

  constructor(handlers: ConversationViewHandlers) {
    this.#handlers = handlers;
    // It scrolls, so the keyboard must reach it.
    this.#scroller.tabIndex = 0;
  }

  /** Show a conversation, or the same one after it changed. */
  show(state: ConversationViewState): void {
    const { entries, omittedMessages, chat, welcome } = state;
    const follows = this.#isAtEnd();
    if (entries.length === 0 && welcome !== undefined && chat.kind === 'idle') {
      this.#made.clear();
      if (this.#scroller.firstElementChild !== welcome) this.#scroller.replaceChildren(welcome);
      return;
    }
    const last = entries.at(-1);
    const isReplacing = chat.kind === 'answering' && chat.isRetry && last?.role === 'assistant';
    const shown = isReplacing ? entries.slice(0, -1) : entries;
    const made = new Map(shown.map((entry) => [entry, this.#made.get(entry) ?? this.#renderEntry(entry)]));
    for (const [entry, element] of made) {
      const retry = element.querySelector<HTMLElement>('.retry');
      if (retry !== null) retry.hidden = entry !== last || chat.kind !== 'idle';
    }
    this.#made = made;
    this.#answer = undefined;
    const extra = this.#renderChat(chat);
    const earlier = omittedMessages > 0 ? this.#renderEarlier(omittedMessages) : undefined;
    this.#column.replaceChildren(...[earlier, ...made.values(), extra].filter((element) => element !== undefined));
    if (this.#scroller.firstElementChild !== this.#column) this.#scroller.replaceChildren(this.#column);
    if (follows) this.scrollToEnd();
  }

  /** Show how far an answer has come, without touching anything else. */
  showAnswer(text: string): boolean {
    if (this.#answer === undefined) return false;
    const follows = this.#isAtEnd();
    this.#answer.textContent = text;
    if (follows) this.scrollToEnd();
    return true;
  }

  scrollToEnd(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** Make every message anew: what became of their sources is known now. */
  refresh(): void {
    for (const [entry, element] of this.#made) {
      if (entry.context === undefined) continue;
      const fresh = this.#renderEntry(entry);
      this.#made.set(entry, fresh);
      element.replaceWith(fresh);
    }
  }

  #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE;
  }

  #renderEntry(entry: ConversationEntry): HTMLElement {
    const { role, checkpoint, interrupted } = entry;
    const body = createElement('div', { class: 'message-body' }, this.#renderText(entry));
    const note = interrupted ? createElement('p', { class: 'message-note' }, 'Stopped before the end.') : undefined;
    const kind = checkpoint ? 'checkpoint' : `from-${role}`;
    return createElement(
      'article',
      { class: `message ${kind}` },
      createAuthor(entry),
      body,
      note,
      this.#renderActions(entry),
    );
  }

  #renderText(entry: ConversationEntry): HTMLElement {
    const text = createElement('div', { class: 'message-text' });
    if (entry.draft === undefined) {
      showText(text, entry.text);
      return text;
    }
    for (const segment of entry.draft) {
      text.append(segment.kind === 'text' ? segment.text : this.#renderChip(segment, entry.context));
    }
    return text;
  }

  #renderChip({ sessionId, label }: DraftReference, context: SessionReferenceContext | undefined): HTMLElement {
    const title = displayLabel(label);
    const record = context?.source.references.find((reference) => reference.sessionId === sessionId);
    const state = record === undefined ? 'same' : this.#handlers.states.stateOf(record);
    const words = state === 'changed' ? 'changed since' : state === 'deleted' ? 'deleted' : undefined;
    return createElement(
      'button',
      {
        class: 'mention-chip',
        attributes: { type: 'button', title: `Show what was sent of ${title}` },
        onClick: () => context !== undefined && this.#handlers.onOpenSnapshot(context, sessionId),
      },
      createElement('span', {}, title),
      words === undefined ? undefined : createElement('span', { class: 'chip-state' }, words),
    );
  }

  #renderActions(entry: ConversationEntry): HTMLElement | undefined {
    const { role, checkpoint, context } = entry;
    if (checkpoint) return undefined;
    const actions = createElement('div', { class: 'message-actions' });
    if (role === 'assistant') {
      const retry = createAction('retry', 'Retry', this.#handlers.onRetry);
      retry.classList.add('retry', 'on-hover');
      retry.hidden = true;
      actions.append(retry);
      return actions;
    }
    if (entry.seq !== undefined) {
      const edit = createAction('edit', 'Edit', () => this.#handlers.onEdit(entry));
      edit.classList.add('on-hover');
      actions.append(edit);
    }
    if (context !== undefined) {
      actions.append(createAction('eye', 'What the model sees', () => this.#handlers.onInspect(entry)));
    }
    return actions;
  }

  #renderChat(chat: ChatState): HTMLElement | undefined {
    if (chat.kind === 'failed') return this.#renderFailure(chat.error);
    if (chat.kind === 'preparing') {
      return createElement('p', { class: 'message-note caret-dot' }, 'Taking snapshots');
    }
    if (chat.kind === 'idle') return undefined;
    this.#answer = createElement('div', { class: 'message-text caret-dot' }, chat.text);
    const author = createAuthor({ role: 'assistant', text: '', checkpoint: false, model: chat.name });
    const body = createElement('div', { class: 'message-body' }, this.#answer);
    return createElement(
      'article',
      { class: 'message from-assistant', attributes: { 'aria-busy': 'true' } },
      author,
      body,
    );
  }

  #renderFailure(error: unknown): HTMLElement {
    const { summary, detail } = toErrorWords(error);
    const words = detail === undefined ? summary : `${summary} ${detail}`;
    return createElement(
      'div',
      { class: 'inline-error', attributes: { role: 'alert' } },
      createIcon('warning'),
      createElement('span', {}, words),
      createAction('retry', 'Try again', this.#handlers.onRetry),
    );
  }

  #renderEarlier(count: number): HTMLElement {
    const button = createAction('earlier', 'Show earlier messages', this.#handlers.onShowEarlier);
    return createElement(
      'div',
      { class: 'earlier' },
      `${count.toLocaleString('en')} earlier messages are neither shown here nor sent to a model. `,
      button,
    );
  }
}

function createAuthor({ role, checkpoint, model }: ConversationEntry): HTMLElement {
  if (checkpoint) return createElement('h2', { class: 'message-author' }, 'Summary of earlier messages');
  if (role === 'user') return createElement('h2', { class: 'visually-hidden' }, 'You');
  const name = model === undefined ? 'Assistant' : displayLabel(model);
  return createElement('h2', { class: 'message-author' }, createElement('span', { class: 'author-dot' }), name);
}

function createAction(icon: IconName, text: string, onClick: () => void): HTMLElement {
  const details = { class: 'button quiet small', attributes: { type: 'button' }, onClick };
  return createElement('button', details, createIcon(icon), text);
}

/** Show a text, of a very long one the start first. */
function showText(element: HTMLElement, text: string): void {
  if (text.length <= MAX_SHOWN_TEXT) {
    element.textContent = text;
    return;
  }
  const more = createElement('button', { class: 'button small', attributes: { type: 'button' } });
  more.textContent = `Show all ${text.length.toLocaleString('en')} characters`;
  more.onclick = () => {
    element.textContent = text;
  };
  element.append(`${text.slice(0, MAX_SHOWN_TEXT)}… `, more);
}
