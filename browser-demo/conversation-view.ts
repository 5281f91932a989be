import type { ChatState } from './chat.ts';
import type { ConversationEntry } from './conversation-log.ts';
import { toErrorWords } from './error-words.ts';
import { createIcon } from './icon.ts';
import { createElement } from './mention-picker/element.ts';
import { createAction, createAuthor, createMessage, type MessageHandlers } from './message-element.ts';
import { requireElement } from './page-element.ts';

/** Messages that are shown at once, and added at a time. */
const SHOWN_MESSAGES = 200;

/** Pixels from the end within which the view follows an answer. */
const FOLLOW_DISTANCE = 80;

/** What can be done with a conversation and its messages. */
export interface ConversationViewHandlers extends MessageHandlers {
  readonly onShowEarlier: () => void;
}

/** What the view shows. */
export interface ConversationViewState {
  /** The id of the conversation. */
  readonly id: string;
  readonly entries: readonly ConversationEntry[];
  readonly omittedMessages: number;
  /** Whether the entries are all there is. */
  readonly isLoaded: boolean;
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
  #id: string | undefined;
  #limit = SHOWN_MESSAGES;

  constructor(handlers: ConversationViewHandlers) {
    this.#handlers = handlers;
    // It scrolls, so the keyboard must reach it.
    this.#scroller.tabIndex = 0;
  }

  /** Show a conversation, or the same one after it changed. */
  show(state: ConversationViewState): void {
    const { id, entries, chat, welcome } = state;
    if (id !== this.#id) this.#limit = SHOWN_MESSAGES;
    this.#id = id;
    const follows = this.#isAtEnd();
    if (entries.length === 0 && welcome !== undefined && chat.kind === 'idle') {
      this.#made.clear();
      placeChildren(this.#scroller, [welcome]);
      return;
    }
    const last = entries.at(-1);
    const isReplacing = chat.kind === 'answering' && chat.isRetry && last?.role === 'assistant';
    const shown = entries.slice(Math.max(0, entries.length - this.#limit), isReplacing ? -1 : undefined);
    this.#made = new Map(shown.map((entry) => [entry, this.#made.get(entry) ?? createMessage(entry, this.#handlers)]));
    this.#showRetry(chat.kind === 'idle' ? last : undefined);
    this.#answer = undefined;
    placeChildren(this.#column, [...this.#renderHead(state), ...this.#made.values(), ...this.#renderChat(chat)]);
    placeChildren(this.#scroller, [this.#column]);
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
      const fresh = createMessage(entry, this.#handlers);
      this.#made.set(entry, fresh);
      element.replaceWith(fresh);
    }
  }

  #isAtEnd(): boolean {
    const { scrollTop, clientHeight, scrollHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE;
  }

  #showRetry(retryable: ConversationEntry | undefined): void {
    for (const [entry, element] of this.#made) {
      const retry = element.querySelector<HTMLElement>('.retry');
      if (retry !== null) retry.hidden = entry !== retryable;
    }
  }

  #renderHead(state: ConversationViewState): readonly HTMLElement[] {
    const { entries, omittedMessages, isLoaded, chat } = state;
    const hidden = entries.length - this.#limit;
    if (hidden > 0) {
      const words = `${hidden.toLocaleString('en')} earlier messages are not shown. `;
      return [this.#renderEarlier(words, () => this.show(state))];
    }
    if (omittedMessages > 0) {
      const words = `${omittedMessages.toLocaleString('en')} earlier messages are neither shown here nor sent to a model. `;
      return [this.#renderEarlier(words, this.#handlers.onShowEarlier)];
    }
    const isEmpty = isLoaded && entries.length === 0 && chat.kind === 'idle';
    return isEmpty ? [createNote('There are no messages to show.')] : [];
  }

  #renderChat(chat: ChatState): readonly HTMLElement[] {
    switch (chat.kind) {
      case 'idle':
        return [];
      case 'failed':
        return [this.#renderFailure(chat.error)];
      case 'preparing':
        return [createNote('Taking snapshots', 'caret-dot')];
      case 'answering':
        return [this.#renderAnswer(chat.text, chat.name)];
    }
  }

  #renderAnswer(text: string, name: string): HTMLElement {
    this.#answer = createElement('div', { class: 'message-text caret-dot' }, text);
    const author = createAuthor({ role: 'assistant', text: '', checkpoint: false, model: name });
    const body = createElement('div', { class: 'message-body' }, this.#answer);
    const attributes = { 'aria-busy': 'true' };
    return createElement('article', { class: 'message from-assistant', attributes }, author, body);
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

  #renderEarlier(words: string, showMore: () => void): HTMLElement {
    const button = createAction('earlier', 'Show earlier messages', () => {
      this.#limit += SHOWN_MESSAGES;
      showMore();
      // The button is made anew; the keyboard goes on where it scrolls.
      this.#scroller.focus({ preventScroll: true });
    });
    return createElement('div', { class: 'earlier' }, words, button);
  }
}

function createNote(text: string, className = ''): HTMLElement {
  return createElement('p', { class: `message-note ${className}` }, text);
}

/** Give an element these children. Those that stay are not touched: they would lose the focus. */
function placeChildren(parent: HTMLElement, wanted: readonly HTMLElement[]): void {
  const kept = new Set<Node>(wanted);
  for (const child of [...parent.childNodes]) if (!kept.has(child)) child.remove();
  let next = parent.firstChild;
  for (const child of wanted) {
    if (child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
}
