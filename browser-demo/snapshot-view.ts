import { displayLabel } from '../src/index.ts';
import { createKeepBar, describeKept } from './keep-bar.ts';
import { createElement } from './mention-picker/element.ts';
import { formatFolder } from './mention-picker/session-facts.ts';
import { estimateTokens, type QuotedMessage, type SnapshotContent } from './snapshot-content.ts';
import type { SourceState } from './source-states.ts';

/** Quoted messages shown at once; a snapshot of very many short ones is not worth a page of thousands. */
const MAX_QUOTED = 400;

/** Title, bar and figures of one snapshot. */
export function createSnapshotCard(content: SnapshotContent, state: SourceState): HTMLElement {
  const { record, cwd, bytes } = content;
  return createElement(
    'section',
    { class: 'panel snapshot-card' },
    createElement(
      'div',
      { class: 'card-head' },
      createElement('h3', {}, displayLabel(record.label)),
      createStateTag(state),
      cwd === undefined ? undefined : createElement('span', { class: 'tag' }, formatFolder(cwd)),
    ),
    createKeepBar(content),
    createFigures([
      ['Kept', describeKept(content)],
      ['Left out', describeOmitted(content)],
      ['Size', `${bytes.toLocaleString('en')} bytes`],
      ['About', `${estimateTokens(bytes).toLocaleString('en')} tokens`],
      ['Captured at', `message ${record.originalMessages.toLocaleString('en')}`],
    ]),
  );
}

/** The messages of a snapshot as the model reads them, with a mark wherever something was left out. */
export function createQuotedMessages(content: SnapshotContent): HTMLElement {
  const { record, messages } = content;
  const list = createElement('div', { class: 'quoted' });
  const before = record.compacted && record.omittedMessages > 0 ? 1 : 0;
  const first = Math.max(before, messages.length - MAX_QUOTED);
  list.append(...messages.slice(0, before).map((message) => createQuoted(message, true)));
  if (record.omittedMessages > 0) list.append(createCutMark(`${countMessages(record.omittedMessages)} left out here`));
  if (first > before) list.append(createCutMark(`${countMessages(first - before)} kept, but not shown on this page`));
  list.append(...messages.slice(first).map((message) => createQuoted(message, false)));
  return list;
}

/** What became of the source since, as a small label. */
export function createStateTag(state: SourceState): HTMLElement | undefined {
  if (state === 'changed') return createElement('span', { class: 'tag is-warning' }, 'changed since');
  return state === 'deleted' ? createElement('span', { class: 'tag is-danger' }, 'deleted') : undefined;
}

function createFigures(figures: readonly (readonly [name: string, value: string])[]): HTMLElement {
  const list = createElement('dl', { class: 'figures' });
  for (const [name, value] of figures) {
    list.append(createElement('div', {}, createElement('dt', {}, name), createElement('dd', {}, value)));
  }
  return list;
}

function describeOmitted({ record }: SnapshotContent): string {
  return record.omittedBytes === 0 ? 'Nothing' : `${record.omittedBytes.toLocaleString('en')} bytes`;
}

function countMessages(count: number): string {
  return count === 1 ? '1 message' : `${count.toLocaleString('en')} messages`;
}

function createQuoted({ role, pieces, cutBytes }: QuotedMessage, isSummary: boolean): HTMLElement {
  const text = createElement('div');
  for (const [index, piece] of pieces.entries()) {
    text.append(piece);
    const bytes = cutBytes[index];
    if (bytes !== undefined) text.append(createCutMark(`${bytes.toLocaleString('en')} bytes cut out here`));
  }
  const author = isSummary ? 'Summary of what came before' : role === 'user' ? 'User' : 'Assistant';
  return createElement('article', { class: 'quoted-message' }, createElement('h4', {}, author), text);
}

function createCutMark(text: string): HTMLElement {
  return createElement('span', { class: 'cut-mark' }, text);
}
