import { createFoot, createHeading, createOption } from './candidate-option.ts';
import { type CandidateRow, type MentionCandidate, toCandidateRows } from './candidate-rows.ts';
import { createElement } from './element.ts';
import { LatestRequest } from './latest-request.ts';
import { VirtualRows } from './virtual-rows.ts';

/** Heights in pixels; the style sheet must agree. */
const CANDIDATE_HEIGHT = 54;
const HEADING_HEIGHT = 30;

/** Candidates asked for at first. More come when the list is scrolled to its end. */
const FIRST_LIMIT = 100;
const LIMIT_GROWTH = 4;

/** Time in ms after which a list that still waits for its answer looks like it. */
const STALE_DELAY = 150;

/** What the list needs. */
export interface CandidateListOptions {
  /** The element that is shown and hidden. */
  readonly popup: HTMLElement;
  /** An id for the listbox; options get ids that start with it. */
  readonly id: string;
  readonly findCandidates: (query: string, limit: number, signal: AbortSignal) => Promise<readonly MentionCandidate[]>;
  /** The folder of the session that is written in. */
  readonly cwd: () => string | undefined;
  readonly onPick: (candidate: MentionCandidate) => void;
  /** Opened, closed, or another option is active. */
  readonly onChange: () => void;
  /** Something to say to those who do not see the list. */
  readonly onStatus: (text: string) => void;
}

/** The listbox of candidates: asks for them, shows those in view, knows which one is active. */
export class CandidateList {
  readonly #options: CandidateListOptions;
  readonly #listbox: HTMLElement;
  readonly #space: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #foot = createFoot();
  readonly #rows: VirtualRows;
  readonly #request = new LatestRequest();
  #shown: readonly CandidateRow[] = [];
  /** Candidates among the rows. */
  #count = 0;
  #active = -1;
  #query: string | undefined;
  #limit = FIRST_LIMIT;
  #isComplete = false;
  #pickWhenFound = false;
  #staleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CandidateListOptions) {
    this.#options = options;
    this.#space = createElement('div', { attributes: { role: 'presentation' } });
    this.#listbox = createElement(
      'div',
      {
        class: 'candidate-list',
        id: options.id,
        attributes: { role: 'listbox', 'aria-label': 'Conversations to reference' },
      },
      this.#space,
    );
    this.#empty = createElement('p', { class: 'candidate-empty' });
    this.#empty.hidden = true;
    options.popup.append(this.#listbox, this.#empty, this.#foot);
    // Must keep the focus in the editor: the list is driven from there.
    options.popup.addEventListener('mousedown', (event) => event.preventDefault());
    this.#rows = new VirtualRows({
      viewport: this.#listbox,
      space: this.#space,
      heightOf: (index) => (this.#shown[index]?.kind === 'heading' ? HEADING_HEIGHT : CANDIDATE_HEIGHT),
      render: (index) => this.#renderRow(index),
      onEnd: () => this.#loadMore(),
    });
  }

  /** Whether the list can be seen. */
  get isOpen(): boolean {
    return !this.#options.popup.hidden;
  }

  /** Whether there is a query, also while its first answer is awaited and nothing can be seen yet. */
  get isActive(): boolean {
    return this.#query !== undefined;
  }

  /** Whether a query was answered, and with nothing. */
  get isEmpty(): boolean {
    return !this.#request.isPending && this.#shown.length === 0;
  }

  /** The id of the active option, for `aria-activedescendant`. */
  get activeId(): string | undefined {
    return this.#active < 0 ? undefined : this.#optionId(this.#active);
  }

  /** Show the candidates for a query. What is shown stays until the answer is there. */
  show(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#limit = FIRST_LIMIT;
    this.#pickWhenFound = false;
    this.#load(false);
  }

  /** Ask for the same again: there may be other sessions now. The active option stays. */
  refresh(): void {
    if (this.#query !== undefined && !this.#request.isPending) this.#load(true);
  }

  hide(): void {
    this.#request.cancel();
    clearTimeout(this.#staleTimer);
    this.#query = undefined;
    this.#shown = [];
    this.#active = -1;
    this.#pickWhenFound = false;
    if (!this.isOpen) return;
    this.#options.popup.hidden = true;
    this.#options.onChange();
  }

  /** Make the option some steps away active. Single steps go around at the ends, longer ones stop there. */
  move(steps: number): void {
    const candidates = this.#shown.flatMap(({ kind }, index) => (kind === 'candidate' ? [index] : []));
    if (candidates.length === 0) return;
    const last = candidates.length - 1;
    const next = candidates.indexOf(this.#active) + steps;
    const wraps = Math.abs(steps) === 1;
    const position = next < 0 ? (wraps ? last : 0) : next > last ? (wraps ? 0 : last) : next;
    this.#activate(candidates[position] ?? -1);
  }

  /** Pick the active option. While the answer to the newest query is awaited, its first one is picked when it comes. */
  pick(): void {
    if (this.#request.isPending) {
      this.#pickWhenFound = true;
      return;
    }
    const row = this.#shown[this.#active];
    if (row?.kind === 'candidate') this.#options.onPick(row.candidate);
  }

  #load(keepsPlace: boolean): void {
    const query = this.#query ?? '';
    const limit = this.#limit;
    clearTimeout(this.#staleTimer);
    this.#staleTimer = setTimeout(() => this.#listbox.classList.add('is-stale'), STALE_DELAY);
    this.#request.start((signal) => this.#options.findCandidates(query, limit, signal), {
      onResult: (candidates) => this.#showCandidates(candidates, keepsPlace),
      onError: () => this.#showNothing('The conversations could not be listed.'),
    });
  }

  #loadMore(): void {
    if (this.#isComplete || this.#request.isPending || this.#query === undefined) return;
    this.#limit *= LIMIT_GROWTH;
    this.#load(true);
  }

  #showCandidates(candidates: readonly MentionCandidate[], keepsPlace: boolean): void {
    const before = this.#shown[this.#active];
    this.#isComplete = candidates.length < this.#limit;
    this.#shown = toCandidateRows(candidates, this.#options.cwd(), Date.now());
    this.#count = candidates.length;
    if (candidates.length === 0) {
      this.#showNothing('No conversation matches.');
      return;
    }
    this.#settle();
    this.#empty.hidden = true;
    this.#listbox.hidden = false;
    this.#foot.hidden = false;
    const kept = keepsPlace && before?.kind === 'candidate' ? this.#findRow(before.candidate.sessionId) : -1;
    this.#active = kept >= 0 ? kept : this.#shown.findIndex(({ kind }) => kind === 'candidate');
    if (!keepsPlace) this.#listbox.scrollTop = 0;
    this.#rows.show(this.#shown.length);
    if (!keepsPlace) this.#options.onStatus(describeCount(candidates.length, this.#isComplete));
    this.#options.onChange();
    if (this.#pickWhenFound) this.pick();
  }

  #showNothing(text: string): void {
    this.#settle();
    this.#shown = [];
    this.#active = -1;
    this.#isComplete = true;
    this.#rows.show(0);
    this.#listbox.hidden = true;
    this.#foot.hidden = true;
    this.#empty.hidden = false;
    this.#empty.textContent = text;
    this.#options.onStatus(text);
    this.#options.onChange();
  }

  #settle(): void {
    clearTimeout(this.#staleTimer);
    this.#listbox.classList.remove('is-stale');
    this.#options.popup.hidden = false;
  }

  #findRow(sessionId: string): number {
    return this.#shown.findIndex((row) => row.kind === 'candidate' && row.candidate.sessionId === sessionId);
  }

  #activate(index: number): void {
    const before = this.#active;
    this.#active = index;
    this.#rows.reveal(index);
    this.#rows.refresh(before);
    this.#rows.refresh(index);
    this.#options.onChange();
  }

  #renderRow(index: number): HTMLElement {
    const row = this.#shown[index];
    if (row?.kind !== 'candidate') return createHeading(row?.text ?? '');
    const option = createOption(row, {
      id: this.#optionId(index),
      isActive: index === this.#active,
      count: this.#isComplete ? this.#count : undefined,
      query: this.#query ?? '',
    });
    option.onclick = () => this.#options.onPick(row.candidate);
    return option;
  }

  #optionId(index: number): string {
    return `${this.#options.id}-${index}`;
  }
}

function describeCount(count: number, isComplete: boolean): string {
  if (!isComplete) return `More than ${count - 1} conversations, type to narrow down.`;
  return count === 1 ? '1 conversation.' : `${count} conversations.`;
}
