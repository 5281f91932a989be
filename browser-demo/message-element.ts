import { displayLabel, type SessionReferenceContext } from '../src/index.ts';
import type { ConversationEntry } from './conversation-log.ts';
import { createIcon, type IconName } from './icon.ts';
import { createElement } from './mention-picker/element.ts';
import type { DraftReference } from './mention-picker/index.ts';
import type { SourceStates } from './source-states.ts';
import { splitCodeFences } from './text-blocks.ts';

/** Characters of a message that are shown at once. */
const MAX_SHOWN_TEXT = 20_000;

/** What can be done with messages. */
export interface MessageHandlers {
  readonly states: SourceStates;
  readonly onInspect: (entry: ConversationEntry) => void;
  readonly onOpenSnapshot: (context: SessionReferenceContext, sessionId: string) => void;
  readonly onEdit: (entry: ConversationEntry) => void;
  readonly onRetry: () => void;
}

/** One message of a conversation. */
export function createMessage(entry: ConversationEntry, handlers: MessageHandlers): HTMLElement {
  const { role, checkpoint, interrupted } = entry;
  const body = createElement('div', { class: 'message-body' }, createText(entry, handlers));
  const note = interrupted ? createElement('p', { class: 'message-note' }, 'Stopped before the end.') : undefined;
  const kind = checkpoint ? 'checkpoint' : `from-${role}`;
  return createElement(
    'article',
    { class: `message ${kind}` },
    createAuthor(entry),
    body,
    note,
    createActions(entry, handlers),
  );
}

function createText(entry: ConversationEntry, handlers: MessageHandlers): HTMLElement {
  const text = createElement('div', { class: 'message-text' });
  if (entry.draft === undefined) {
    showText(text, entry.text);
    return text;
  }
  for (const segment of entry.draft) {
    text.append(segment.kind === 'text' ? segment.text : createChip(segment, entry.context, handlers));
  }
  return text;
}

function createChip(
  { sessionId, label }: DraftReference,
  context: SessionReferenceContext | undefined,
  handlers: MessageHandlers,
): HTMLElement {
  const title = displayLabel(label);
  const record = context?.source.references.find((reference) => reference.sessionId === sessionId);
  const state = record === undefined ? 'same' : handlers.states.stateOf(record);
  const words = state === 'changed' ? 'changed since' : state === 'deleted' ? 'deleted' : undefined;
  return createElement(
    'button',
    {
      class: `mention-chip is-${state}`,
      attributes: { type: 'button', title: `Show what was sent of ${title}` },
      onClick: () => context !== undefined && handlers.onOpenSnapshot(context, sessionId),
    },
    createElement('span', { attributes: { dir: 'auto' } }, title),
    words === undefined ? undefined : createElement('span', { class: 'chip-state' }, words),
  );
}

function createActions(entry: ConversationEntry, handlers: MessageHandlers): HTMLElement | undefined {
  const { role, checkpoint, context } = entry;
  // What was only read as text cannot be replaced.
  if (checkpoint || (role === 'assistant' && entry.seq === undefined)) return undefined;
  const actions = createElement('div', { class: 'message-actions' });
  if (role === 'assistant') {
    const retry = createAction('retry', 'Retry', handlers.onRetry);
    retry.classList.add('retry', 'on-hover');
    retry.hidden = true;
    actions.append(retry);
    return actions;
  }
  if (entry.seq !== undefined) {
    const edit = createAction('edit', 'Edit', () => handlers.onEdit(entry));
    edit.classList.add('on-hover');
    actions.append(edit);
  }
  if (context !== undefined || entry.seq !== undefined) {
    actions.append(createAction('eye', 'What the model sees', () => handlers.onInspect(entry)));
  }
  return actions;
}

/** Who wrote a message: seen for answers, only heard for the person's own. */
export function createAuthor({ role, checkpoint, model }: ConversationEntry): HTMLElement {
  if (checkpoint) return createElement('h2', { class: 'message-author' }, 'Summary of earlier messages');
  if (role === 'user') return createElement('h2', { class: 'visually-hidden' }, 'You');
  const name = model === undefined ? 'Assistant' : displayLabel(model);
  return createElement('h2', { class: 'message-author' }, createElement('span', { class: 'author-dot' }), name);
}

/** A quiet button with an icon. */
export function createAction(icon: IconName, text: string, onClick: () => void): HTMLElement {
  const details = { class: 'button quiet small', attributes: { type: 'button' }, onClick };
  return createElement('button', details, createIcon(icon), text);
}

/** Show a text, of a very long one the start first. */
function showText(element: HTMLElement, text: string): void {
  if (text.length <= MAX_SHOWN_TEXT) {
    element.replaceChildren(...createBlocks(text));
    return;
  }
  const more = createElement('button', { class: 'button small', attributes: { type: 'button' } });
  more.textContent = `Show all ${text.length.toLocaleString('en')} characters`;
  more.onclick = () => element.replaceChildren(...createBlocks(text));
  element.append(...createBlocks(`${text.slice(0, MAX_SHOWN_TEXT)}…`), more);
}

function createBlocks(text: string): readonly (Node | string)[] {
  return splitCodeFences(text).map((block) =>
    block.kind === 'words' ? block.text : createElement('code', { class: 'code-block' }, block.text),
  );
}
