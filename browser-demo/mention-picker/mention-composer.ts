import { DEFAULT_MAX_REFERENCES } from '../../src/index.ts';
import { CandidateList } from './candidate-list.ts';
import type { MentionCandidate } from './candidate-rows.ts';
import { type Draft, type DraftReference, listReferences, replaceInDraft, toDraft } from './draft.ts';
import { MentionEditor } from './mention-editor.ts';
import { findMentionQuery } from './mention-query.ts';
import type { RefusalReason } from './reference-limit.ts';

/** Options that one press of Page Up or Page Down passes. */
const PAGE = 6;

/** What a host gives to a composer. */
export interface MentionComposerOptions {
  /** An empty element: becomes the place to write. */
  readonly host: HTMLElement;
  /** An empty, hidden element next to it: becomes the list of candidates. */
  readonly popup: HTMLElement;
  /** Sessions for a query; `listCandidates` of the service, with what else is known about each. */
  readonly findCandidates: (query: string, limit: number, signal: AbortSignal) => Promise<readonly MentionCandidate[]>;
  /** The session that is written in. */
  readonly agent: () => { readonly id: string; readonly cwd?: string };
  /** Distinct sessions that a message may reference. Default 3. */
  readonly maxReferences?: number;
  /** The draft changed. */
  readonly onChange: (draft: Draft) => void;
  /** Enter was pressed outside the list. */
  readonly onSubmit: () => void;
  /** A reference was not taken in. Say so in words. */
  readonly onRefuse: (reason: RefusalReason) => void;
  /** A chip was clicked. */
  readonly onOpen: (reference: DraftReference) => void;
  /** Something changed that a person who does not see the list must be told: for a live region. */
  readonly onStatus: (text: string) => void;
}

/**
 * A message composer with mentions: an editing host that is an ARIA combobox (APG pattern, list autocomplete with
 * automatic selection), its list of candidates, and chips.
 */
export class MentionComposer {
  readonly #options: MentionComposerOptions;
  readonly #editor: MentionEditor;
  readonly #list: CandidateList;
  readonly #maxReferences: number;
  /** The `@` for which the list was closed by hand. */
  #dismissed: number | undefined;

  constructor(options: MentionComposerOptions) {
    this.#options = options;
    this.#maxReferences = options.maxReferences ?? DEFAULT_MAX_REFERENCES;
    const listId = `${options.host.id || 'mention'}-candidates`;
    this.#editor = new MentionEditor({
      host: options.host,
      rules: () => ({ selfId: options.agent().id, maxReferences: this.#maxReferences }),
      onChange: (typed) => this.#follow(typed),
      onKey: (event) => this.#handleKey(event),
      onRefuse: options.onRefuse,
      onOpen: options.onOpen,
    });
    this.#list = new CandidateList({
      popup: options.popup,
      id: listId,
      findCandidates: options.findCandidates,
      cwd: () => options.agent().cwd,
      onPick: (candidate) => this.#pick(candidate),
      onChange: () => this.#updateAria(),
      onStatus: options.onStatus,
    });
    setAttributes(options.host, {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': listId,
      'aria-expanded': 'false',
    });
    options.host.addEventListener('blur', () => this.#list.hide());
  }

  /** What is written. */
  get draft(): Draft {
    return this.#editor.draft;
  }

  /** Whether an input method is composing: the message is not finished. */
  get isComposing(): boolean {
    return this.#editor.isComposing;
  }

  focus(): void {
    this.#editor.focus();
  }

  /** Put another draft in; undo does not go back behind it. */
  reset(draft: Draft): void {
    this.#list.hide();
    this.#editor.reset(draft);
  }

  /** There may be other sessions now: bring an open list up to date. */
  refreshCandidates(): void {
    this.#list.refresh();
  }

  /** Put a chip in where the caret is. */
  insertReference(reference: Omit<DraftReference, 'kind'>): void {
    this.#editor.insert([{ kind: 'reference', ...reference }, ...toDraft(' ')]);
    this.#editor.focus();
  }

  /** Take every chip of a session out. */
  removeReference(sessionId: string): void {
    for (let index = this.#findChip(sessionId); index >= 0; index = this.#findChip(sessionId)) {
      this.#editor.replace(index, index + 1, []);
    }
  }

  /** Type an `@` where the caret is, which opens the list. */
  startMention(): void {
    this.#editor.focus();
    const { draft, caret } = this.#editor;
    const candidate = replaceInDraft(draft, caret, caret, toDraft('@'));
    const isFree = findMentionQuery(candidate, caret + 1) !== undefined;
    this.#editor.replace(caret, caret, toDraft(isFree ? '@' : ' @'), 'type');
  }

  /** Mark the chips of a session that could not be read. */
  markFailed(sessionId: string, isFailed: boolean): void {
    this.#editor.markChips(sessionId, isFailed);
  }

  #findChip(sessionId: string): number {
    let offset = 0;
    for (const segment of this.#editor.draft) {
      if (segment.kind === 'reference' && segment.sessionId === sessionId) return offset;
      offset += segment.kind === 'text' ? segment.text.length : 1;
    }
    return -1;
  }

  #follow(typed: boolean): void {
    const { draft, caret } = this.#editor;
    this.#options.onChange(draft);
    const mention = findMentionQuery(draft, caret);
    if (mention === undefined || mention.start !== this.#dismissed) this.#dismissed = undefined;
    // A title with spaces can be typed out, but words that match nothing are just words.
    const matchesNothing = this.#list.isActive && this.#list.isEmpty;
    if (mention !== undefined && matchesNothing && /\s/.test(mention.query)) this.#dismissed = mention.start;
    if (mention === undefined || this.#dismissed !== undefined) this.#list.hide();
    else if (typed || this.#list.isActive) this.#list.show(mention.query);
  }

  #handleKey(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    return this.#list.isActive ? this.#handleListKey(event) : this.#handleEditorKey(event);
  }

  #handleListKey(event: KeyboardEvent): boolean {
    switch (event.key) {
      case 'ArrowDown':
        this.#list.move(1);
        return true;
      case 'ArrowUp':
        this.#list.move(-1);
        return true;
      case 'PageDown':
        this.#list.move(PAGE);
        return true;
      case 'PageUp':
        this.#list.move(-PAGE);
        return true;
      case 'Escape':
        this.#dismissed = findMentionQuery(this.#editor.draft, this.#editor.caret)?.start;
        this.#list.hide();
        return true;
      case 'Enter':
      case 'Tab':
        if (event.shiftKey) return false;
        // Must not take Tab where there is nothing to pick: it is the way out of the field.
        if (this.#list.isEmpty) return event.key === 'Tab' ? false : this.#handleEditorKey(event);
        this.#list.pick();
        return true;
      default:
        return false;
    }
  }

  #handleEditorKey(event: KeyboardEvent): boolean {
    if (event.key !== 'Enter' || event.shiftKey) return false;
    this.#options.onSubmit();
    return true;
  }

  #pick(candidate: MentionCandidate): void {
    const { draft, caret } = this.#editor;
    const mention = findMentionQuery(draft, caret);
    const start = mention?.start ?? caret;
    this.#list.hide();
    const known = listReferences(draft).some(({ sessionId }) => sessionId === candidate.sessionId);
    if (!known && listReferences(draft).length >= this.#maxReferences) {
      // Must keep what was typed, and must not offer the list again for it.
      this.#dismissed = start;
      this.#options.onRefuse('too-many');
      return;
    }
    const chip: DraftReference = { kind: 'reference', sessionId: candidate.sessionId, label: candidate.label };
    this.#editor.replace(start, caret, [chip, ...toDraft(' ')]);
    this.#editor.focus();
  }

  #updateAria(): void {
    const { host } = this.#options;
    host.setAttribute('aria-expanded', String(this.#list.isOpen));
    const active = this.#list.isOpen ? this.#list.activeId : undefined;
    if (active === undefined) host.removeAttribute('aria-activedescendant');
    else host.setAttribute('aria-activedescendant', active);
  }
}

function setAttributes(element: HTMLElement, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
