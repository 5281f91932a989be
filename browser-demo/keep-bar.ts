import { createElement } from './mention-picker/element.ts';
import { listRuns, type SnapshotContent } from './snapshot-content.ts';

/** A bar over the length of a session: what is kept, what is cut, and what is left out. Say the same in words beside it. */
export function createKeepBar(content: SnapshotContent): HTMLElement {
  const runs = listRuns(content);
  const bar = createElement('div', { class: 'keep-bar', attributes: { 'aria-hidden': 'true' } });
  for (const { kind, messages } of runs) {
    const part = createElement('i', { class: kind });
    part.style.flexGrow = String(messages);
    bar.append(part);
  }
  return bar;
}

/** A bar for a snapshot that is still being taken. */
export function createWorkingBar(): HTMLElement {
  return createElement(
    'div',
    { class: 'keep-bar is-working', attributes: { 'aria-hidden': 'true' } },
    createElement('i'),
  );
}

/** `40 of 120 messages`, or `All 12 messages`. */
export function describeKept({ record }: SnapshotContent): string {
  const { originalMessages, retainedMessages } = record;
  const all = originalMessages.toLocaleString('en');
  if (originalMessages === 0) return 'No messages to quote';
  if (retainedMessages < originalMessages) return `${retainedMessages.toLocaleString('en')} of ${all} messages`;
  return originalMessages === 1 ? 'The only message' : `All ${all} messages`;
}
