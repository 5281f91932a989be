import { displayLabel } from '../src/index.ts';
import { toErrorWords } from './error-words.ts';
import { createIcon } from './icon.ts';
import { createKeepBar, createWorkingBar, describeKept } from './keep-bar.ts';
import { createElement } from './mention-picker/element.ts';
import type { DraftReference } from './mention-picker/index.ts';
import { formatFolder } from './mention-picker/session-facts.ts';
import type { PreviewState, ReferencePreview } from './reference-previews.ts';
import { estimateTokens } from './snapshot-content.ts';

/** What can be done with a reference in the draft. */
export interface ReferenceBarHandlers {
  readonly onOpen: (reference: DraftReference) => void;
  readonly onRemove: (reference: DraftReference) => void;
}

/** Show what each reference in the draft would send, below what is written. */
export function showReferenceBar(
  bar: HTMLElement,
  previews: readonly ReferencePreview[],
  handlers: ReferenceBarHandlers,
): void {
  // Must keep the focus where it was: cards are made anew whenever a snapshot is ready.
  const focused = [...bar.querySelectorAll('button')].indexOf(document.activeElement as HTMLButtonElement);
  const titles = previews.map(({ reference }) => displayLabel(reference.label));
  bar.replaceChildren(
    ...previews.map((preview, index) => {
      const title = titles[index] ?? '';
      const hasNamesake = titles.indexOf(title) !== titles.lastIndexOf(title);
      return createCard(preview, title, hasNamesake, handlers);
    }),
  );
  bar.hidden = previews.length === 0;
  if (focused >= 0) bar.querySelectorAll('button')[focused]?.focus();
}

function createCard(
  { reference, state }: ReferencePreview,
  title: string,
  hasNamesake: boolean,
  handlers: ReferenceBarHandlers,
): HTMLElement {
  const cwd = hasNamesake && state.kind === 'ready' ? state.content.cwd : undefined;
  const words = cwd === undefined ? describeState(state) : `${formatFolder(cwd)} · ${describeState(state)}`;
  const open = createElement(
    'button',
    {
      class: 'reference-open',
      attributes: { type: 'button' },
      onClick: () => handlers.onOpen(reference),
    },
    createElement('span', { class: 'row-title', attributes: { dir: 'auto' } }, title),
    createElement('span', { class: 'row-detail' }, words),
    createElement('span', { class: 'visually-hidden' }, 'Show what is sent'),
    state.kind === 'working' ? createWorkingBar() : state.kind === 'ready' ? createKeepBar(state.content) : undefined,
  );
  const remove = createElement(
    'button',
    {
      class: 'icon-button small',
      attributes: { type: 'button', 'aria-label': `Remove the reference to ${title}` },
      onClick: () => handlers.onRemove(reference),
    },
    createIcon('close'),
  );
  const failed = state.kind === 'failed' ? ' is-failed' : '';
  return createElement('div', { class: `reference-card${failed}` }, open, remove);
}

function describeState(state: PreviewState): string {
  switch (state.kind) {
    case 'working':
      return 'Taking a snapshot…';
    case 'ready':
      return `${describeKept(state.content)} · about ${estimateTokens(state.content.bytes).toLocaleString('en')} tokens`;
    case 'failed':
      return toErrorWords(state.error).summary;
    case 'cancelled':
      return 'No preview. The snapshot is taken when you send';
  }
}
