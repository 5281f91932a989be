import { displayLabel } from '../../src/index.ts';
import { type Draft, type DraftReference, type DraftSegment, normalizeDraft, segmentLength } from './draft.ts';
import { createElement } from './element.ts';

/** Which side of a chip a position inside it stands for. */
export type ChipSide = 'before' | 'after';

/** The content of an editing host as a draft: keeps the two the same, and translates positions between them. */
export class EditorContent {
  readonly #host: HTMLElement;
  /** Which reference a chip stands for: nothing of a session is kept in attributes. */
  readonly #chips = new WeakMap<Node, DraftReference>();

  /** @param host - the element with `contenteditable`; its children belong to this class. */
  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** The reference behind a chip, or behind anything inside it. */
  referenceOf(node: Node): DraftReference | undefined {
    const child = this.#childWith(node);
    return child === undefined ? undefined : this.#chips.get(child);
  }

  /** Every chip of a session. */
  chipsOf(sessionId: string): readonly HTMLElement[] {
    return [...this.#host.children].filter(
      (child): child is HTMLElement => this.#chips.get(child)?.sessionId === sessionId,
    );
  }

  /** What stands in the host now, also after the browser changed it by itself. */
  read(): Draft {
    return normalizeDraft([...this.#host.childNodes].flatMap((node) => this.#readNode(node)));
  }

  /** Show a draft, changing as little as possible: whole nodes that are kept keep their spelling marks and scroll. */
  write(draft: Draft): void {
    let node = this.#host.firstChild;
    for (const segment of draft) {
      if (node !== null && this.#shows(node, segment)) {
        node = node.nextSibling;
      } else if (node instanceof Text && segment.kind === 'text') {
        updateText(node, segment.text);
        node = node.nextSibling;
      } else {
        this.#host.insertBefore(this.#create(segment), node);
      }
    }
    while (node !== null) {
      const next: ChildNode | null = node.nextSibling;
      node.remove();
      node = next;
    }
    const last = draft.at(-1);
    // Must stand behind a last line break and a last chip: the caret has no place there otherwise.
    const needsFiller = last !== undefined && (last.kind === 'reference' || last.text.endsWith('\n'));
    if (needsFiller) this.#host.append(createElement('br'));
    this.#host.toggleAttribute('data-empty', draft.length === 0);
  }

  /** The draft offset of a DOM position in or around the host. */
  toOffset(node: Node, offset: number, side: ChipSide): number {
    if (node === this.#host) return this.#lengthBefore(this.#host.childNodes[offset] ?? null);
    const child = this.#childWith(node);
    if (child === undefined)
      return node.compareDocumentPosition(this.#host) & Node.DOCUMENT_POSITION_FOLLOWING ? 0 : this.#lengthBefore(null);
    const start = this.#lengthBefore(child);
    if (this.#chips.has(child)) return side === 'before' ? start : start + 1;
    if (child instanceof Text) return start + Math.min(offset, child.length);
    // Some other element that the browser put in: count what stands in it up to the position.
    const range = document.createRange();
    range.setStart(child, 0);
    range.setEnd(node, offset);
    return start + range.toString().length;
  }

  /** The DOM position of a draft offset. */
  toPosition(offset: number): { readonly node: Node; readonly offset: number } {
    let left = offset;
    for (const child of this.#host.childNodes) {
      const length = lengthOf(this.#readNode(child));
      if (child instanceof Text && left <= length) return { node: child, offset: left };
      if (left === 0) return { node: this.#host, offset: indexOf(child) };
      left -= length;
    }
    const last = this.#host.lastChild;
    const end = last instanceof HTMLBRElement ? indexOf(last) : this.#host.childNodes.length;
    return { node: this.#host, offset: end };
  }

  #readNode(node: Node): readonly DraftSegment[] {
    const reference = this.#chips.get(node);
    if (reference !== undefined) return [reference];
    if (node instanceof HTMLBRElement) return node === this.#host.lastChild ? [] : [{ kind: 'text', text: '\n' }];
    const text = node.textContent ?? '';
    return text === '' ? [] : [{ kind: 'text', text }];
  }

  #shows(node: Node, segment: DraftSegment): boolean {
    if (segment.kind === 'text') return node instanceof Text && node.data === segment.text;
    const reference = this.#chips.get(node);
    return reference?.sessionId === segment.sessionId && reference.label === segment.label;
  }

  #create(segment: DraftSegment): Node {
    if (segment.kind === 'text') return document.createTextNode(segment.text);
    const title = displayLabel(segment.label);
    const chip = createElement(
      'span',
      { class: 'mention-chip', attributes: { contenteditable: 'false', draggable: 'false', title } },
      createElement('span', { attributes: { dir: 'auto' } }, title),
    );
    this.#chips.set(chip, segment);
    return chip;
  }

  #childWith(node: Node): ChildNode | undefined {
    let current: Node | null = node;
    while (current !== null && current.parentNode !== this.#host) current = current.parentNode;
    return (current as ChildNode | null) ?? undefined;
  }

  #lengthBefore(end: Node | null): number {
    let length = 0;
    for (const child of this.#host.childNodes) {
      if (child === end) break;
      length += lengthOf(this.#readNode(child));
    }
    return length;
  }
}

function lengthOf(segments: readonly DraftSegment[]): number {
  return segments.reduce((sum, segment) => sum + segmentLength(segment), 0);
}

function indexOf(node: ChildNode): number {
  return [...(node.parentNode?.childNodes ?? [])].indexOf(node);
}

/** Replace only what differs: the rest of a long text keeps its layout. */
function updateText(node: Text, text: string): void {
  const old = node.data;
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < shorter - start && old.charCodeAt(old.length - 1 - end) === text.charCodeAt(text.length - 1 - end))
    end += 1;
  node.replaceData(start, old.length - start - end, text.slice(start, text.length - end));
}
