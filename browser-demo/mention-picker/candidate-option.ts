import type { CandidateRow } from './candidate-rows.ts';
import { createElement } from './element.ts';

/** How one option stands in the list. */
export interface OptionState {
  readonly id: string;
  readonly isActive: boolean;
  /** How many options there are; `undefined` while there may be more than are known. */
  readonly count: number | undefined;
  readonly query: string;
}

/** The element of a candidate. */
export function createOption(row: Extract<CandidateRow, { kind: 'candidate' }>, state: OptionState): HTMLElement {
  const { title, tellApart, details, position } = row;
  const attributes = {
    role: 'option',
    'aria-selected': String(state.isActive),
    'aria-setsize': String(state.count ?? -1),
    'aria-posinset': String(position),
  };
  const difference = tellApart === undefined ? undefined : createElement('span', { class: 'tell-apart' }, tellApart);
  const rest = [difference === undefined ? [] : [''], details].flat().join(' · ');
  return createElement(
    'div',
    { class: 'candidate', id: state.id, attributes },
    createElement('span', { class: 'row-title', attributes: { dir: 'auto' } }, ...markMatch(title, state.query)),
    createElement('span', { class: 'row-detail' }, difference, rest),
  );
}

/** The element of a heading: only seen, because a listbox may hold nothing but options. */
export function createHeading(text: string): HTMLElement {
  return createElement('div', { class: 'candidate-heading', attributes: { 'aria-hidden': 'true' } }, text);
}

/** Which keys do what, below the list. */
export function createFoot(): HTMLElement {
  const keys: readonly (readonly [string, string])[] = [
    ['↑↓', 'choose'],
    ['Enter', 'reference'],
    ['Esc', 'close'],
  ];
  const parts = keys.map(([key, action]) => createElement('span', {}, createElement('kbd', {}, key), ` ${action}`));
  return createElement('div', { class: 'candidate-foot', attributes: { 'aria-hidden': 'true' } }, ...parts);
}

/** The title with the first match of the query marked, where lower case has the same length. */
function markMatch(title: string, query: string): readonly (Node | string)[] {
  const lower = title.toLowerCase();
  const start = query === '' || lower.length !== title.length ? -1 : lower.indexOf(query.toLowerCase());
  if (start < 0) return [title];
  const end = start + query.length;
  return [title.slice(0, start), createElement('mark', {}, title.slice(start, end)), title.slice(end)];
}
