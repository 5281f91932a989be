import { type Draft, type DraftReference, draftLength, replaceInDraft, sliceDraft, toDraft } from './draft.ts';
import { nextBoundary, previousBoundary } from './draft-boundary.ts';
import { readDraftData, writeDraftData } from './drag-data.ts';
import { EditHistory, type EditKind } from './edit-history.ts';
import { EditorContent } from './editor-content.ts';
import { type DraftRange, EditorSelection } from './editor-selection.ts';
import { admitReferences, type ReferenceRules, type RefusalReason } from './reference-limit.ts';

/** How an editor tells what happens in it. */
export interface MentionEditorOptions {
  /** Becomes an editing host. */
  readonly host: HTMLElement;
  readonly rules: () => ReferenceRules;
  /** The draft or the caret changed. `typed`: by the person's own typing, not by a pick, undo or script. */
  readonly onChange: (typed: boolean) => void;
  /** Asked before the editor handles a key; `true` means it is taken. Never asked while an input method composes. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly onRefuse: (reason: RefusalReason) => void;
  /** A chip was clicked. */
  readonly onOpen: (reference: DraftReference) => void;
}

/**
 * An editing host for text and atomic chips.
 *
 * Every edit is made on a draft and then shown, so a chip cannot be torn, and undo knows about chips. Only an input
 * method edits the host itself while it composes; what it made is read back.
 */
export class MentionEditor {
  readonly #options: MentionEditorOptions;
  readonly #host: HTMLElement;
  readonly #content: EditorContent;
  readonly #selection: EditorSelection;
  readonly #history = new EditHistory();
  #draft: Draft = [];
  #caret = 0;
  #beforeComposition: { readonly draft: Draft; readonly caret: number } | undefined;

  constructor(options: MentionEditorOptions) {
    this.#options = options;
    this.#host = options.host;
    this.#content = new EditorContent(options.host);
    this.#selection = new EditorSelection(options.host, this.#content);
    this.#host.contentEditable = 'true';
    this.#listen();
  }

  /** What is written. */
  get draft(): Draft {
    return this.#draft;
  }

  /** The offset of the caret, or of the end of the selection. */
  get caret(): number {
    return this.#caret;
  }

  /** Whether an input method is composing: nothing may be picked or sent then. */
  get isComposing(): boolean {
    return this.#beforeComposition !== undefined;
  }

  focus(): void {
    this.#host.focus();
    this.#selection.collapse(this.#caret);
  }

  /** Put in another draft, with the caret at its end; undo does not go back behind it. */
  reset(draft: Draft): void {
    this.#history.clear();
    this.#show(draft, draftLength(draft));
    this.#options.onChange(false);
  }

  /** Replace a part, as a step that can be undone. Chips that are not allowed become text, and are reported. */
  replace(start: number, end: number, insertion: Draft, kind: EditKind = 'other'): void {
    const rest = replaceInDraft(this.#draft, start, end, []);
    const { insertion: admitted, refused } = admitReferences(rest, insertion, this.#options.rules());
    this.#history.record({ draft: this.#draft, caret: this.#caret }, kind, performance.now());
    this.#show(replaceInDraft(this.#draft, start, end, admitted), start + draftLength(admitted));
    if (refused !== undefined) this.#options.onRefuse(refused);
    this.#options.onChange(kind !== 'other');
  }

  /** Put something in where the caret is, in place of what is selected. */
  insert(insertion: Draft): void {
    const { start, end } = this.#readRange();
    this.replace(start, end, insertion);
  }

  /** Mark the chips of a session, for instance because it could not be read. */
  markChips(sessionId: string, isFailed: boolean): void {
    for (const chip of this.#content.chipsOf(sessionId)) chip.classList.toggle('is-failed', isFailed);
  }

  #listen(): void {
    const host = this.#host;
    host.addEventListener('beforeinput', (event) => this.#beforeInput(event));
    host.addEventListener('input', () => this.#readBack());
    host.addEventListener('compositionstart', () => {
      this.#beforeComposition = { draft: this.#draft, caret: this.#caret };
    });
    host.addEventListener('compositionend', () => this.#endComposition());
    host.addEventListener('keydown', (event) => this.#keyDown(event));
    host.addEventListener('paste', (event) => this.#paste(event));
    host.addEventListener('copy', (event) => this.#copy(event));
    host.addEventListener('cut', (event) => {
      if (this.#copy(event)) this.#deleteSelection();
    });
    host.addEventListener('drop', (event) => this.#drop(event));
    host.addEventListener('click', (event) => this.#click(event));
    document.addEventListener('selectionchange', () => this.#followSelection());
  }

  #beforeInput(event: InputEvent): void {
    // Must let an input method edit the host: its events cannot be cancelled everywhere.
    if (event.isComposing || event.inputType === 'insertCompositionText') return;
    event.preventDefault();
    const { inputType } = event;
    const { start, end } = this.#readTarget(event);
    if (inputType === 'insertLineBreak' || inputType === 'insertParagraph') {
      this.replace(start, end, toDraft('\n'), 'type');
    } else if (inputType.startsWith('insert')) {
      const data =
        event.data === null && event.dataTransfer !== null
          ? readDraftData(event.dataTransfer)
          : toDraft(event.data ?? '');
      this.replace(start, end, data, inputType === 'insertText' ? 'type' : 'other');
    } else if (inputType.startsWith('delete')) {
      this.#delete(inputType, start, end);
    }
  }

  #delete(inputType: string, start: number, end: number): void {
    const selected = this.#readRange();
    if (selected.start !== selected.end) this.#deleteRange(start, end);
    // Must not leave these two to the browser: what it takes beside a chip differs.
    else if (inputType === 'deleteContentBackward')
      this.#deleteRange(previousBoundary(this.#draft, selected.end), selected.end);
    else if (inputType === 'deleteContentForward')
      this.#deleteRange(selected.end, nextBoundary(this.#draft, selected.end));
    else this.#deleteRange(start, end);
  }

  #deleteRange(start: number, end: number): void {
    if (start < end) this.replace(start, end, [], 'delete');
  }

  #deleteSelection(): void {
    const selected = this.#selection.read();
    if (selected !== undefined) this.#deleteRange(selected.start, selected.end);
  }

  /** The part an input event is about; what the browser says where it does, because only it knows words and lines. */
  #readTarget(event: InputEvent): DraftRange {
    const range = event.getTargetRanges()[0];
    return range === undefined ? this.#readRange() : this.#selection.toDraftRange(range);
  }

  /** What is selected, or where the caret was when the focus was last here. */
  #readRange(): DraftRange {
    return this.#selection.read() ?? { start: this.#caret, end: this.#caret };
  }

  #readBack(): void {
    this.#draft = this.#content.read();
    this.#host.toggleAttribute('data-empty', this.#draft.length === 0);
    this.#followSelection();
    this.#options.onChange(true);
  }

  #endComposition(): void {
    const before = this.#beforeComposition;
    this.#beforeComposition = undefined;
    this.#draft = this.#content.read();
    const caret = this.#selection.read()?.end ?? this.#caret;
    if (before !== undefined) this.#history.record(before, 'other', performance.now());
    this.#show(this.#draft, caret);
    this.#options.onChange(true);
  }

  #keyDown(event: KeyboardEvent): void {
    // 229: the key went to an input method, also in browsers that end the composition before they say so.
    if (event.isComposing || this.isComposing || event.keyCode === 229) return;
    if (this.#options.onKey(event)) {
      event.preventDefault();
      return;
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    this.#travel(key === 'y' || event.shiftKey ? 'redo' : 'undo');
  }

  #travel(direction: 'undo' | 'redo'): void {
    const state = this.#history[direction]({ draft: this.#draft, caret: this.#caret });
    if (state === undefined) return;
    this.#show(state.draft, state.caret);
    this.#options.onChange(false);
  }

  #paste(event: ClipboardEvent): void {
    if (event.clipboardData === null || event.clipboardData.files.length > 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.insert(readDraftData(event.clipboardData));
  }

  #copy(event: ClipboardEvent): boolean {
    const selected = this.#selection.read();
    if (event.clipboardData === null || selected === undefined || selected.start === selected.end) return false;
    event.preventDefault();
    writeDraftData(event.clipboardData, sliceDraft(this.#draft, selected.start, selected.end));
    return true;
  }

  #drop(event: DragEvent): void {
    if (event.dataTransfer === null || event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    const offset = this.#selection.offsetAt(event.clientX, event.clientY) ?? draftLength(this.#draft);
    const insertion = readDraftData(event.dataTransfer);
    const isChip = insertion.length === 1 && insertion[0]?.kind === 'reference';
    this.replace(offset, offset, isChip ? [...insertion, ...toDraft(' ')] : insertion);
    this.focus();
  }

  #click(event: MouseEvent): void {
    const reference = event.target instanceof Node ? this.#content.referenceOf(event.target) : undefined;
    if (reference !== undefined) this.#options.onOpen(reference);
  }

  #followSelection(): void {
    const selected = this.#selection.read();
    if (selected === undefined || selected.end === this.#caret) return;
    this.#caret = selected.end;
    if (!this.isComposing) this.#options.onChange(false);
  }

  #show(draft: Draft, caret: number): void {
    this.#draft = draft;
    this.#caret = caret;
    this.#content.write(draft);
    if (document.activeElement === this.#host) this.#selection.collapse(caret);
    if (caret === draftLength(draft)) this.#host.scrollTop = this.#host.scrollHeight;
  }
}
