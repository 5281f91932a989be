import type { EditorContent } from './editor-content.ts';

/** A part of a draft, in its offsets. A caret has no length. */
export interface DraftRange {
  readonly start: number;
  readonly end: number;
}

/** The selection of the document, as far as it is in an editing host, in offsets of the draft. */
export class EditorSelection {
  readonly #host: HTMLElement;
  readonly #content: EditorContent;

  constructor(host: HTMLElement, content: EditorContent) {
    this.#host = host;
    this.#content = content;
  }

  /** What is selected, or `undefined` when that is somewhere else. */
  read(): DraftRange | undefined {
    const selection = document.getSelection();
    if (selection === null || selection.rangeCount === 0) return undefined;
    const range = selection.getRangeAt(0);
    const isInside = this.#host.contains(range.startContainer) && this.#host.contains(range.endContainer);
    return isInside ? this.toDraftRange(range) : undefined;
  }

  /** Put the caret somewhere. */
  collapse(offset: number): void {
    const position = this.#content.toPosition(offset);
    document.getSelection()?.collapse(position.node, position.offset);
  }

  /** Whole chips: a range that ends inside one holds it. */
  toDraftRange({ startContainer, startOffset, endContainer, endOffset }: AbstractRange): DraftRange {
    return {
      start: this.#content.toOffset(startContainer, startOffset, 'before'),
      end: this.#content.toOffset(endContainer, endOffset, 'after'),
    };
  }

  /** The offset under a point of the page, or `undefined` when that is not in the host. */
  offsetAt(x: number, y: number): number | undefined {
    const position = findPosition(x, y);
    if (position === undefined || !this.#host.contains(position.node)) return undefined;
    return this.#content.toOffset(position.node, position.offset, 'after');
  }
}

/** Browsers have one or the other. */
function findPosition(x: number, y: number): { readonly node: Node; readonly offset: number } | undefined {
  const position = 'caretPositionFromPoint' in document ? document.caretPositionFromPoint(x, y) : null;
  if (position !== null) return { node: position.offsetNode, offset: position.offset };
  const range = 'caretRangeFromPoint' in document ? document.caretRangeFromPoint(x, y) : null;
  return range === null ? undefined : { node: range.startContainer, offset: range.startOffset };
}
