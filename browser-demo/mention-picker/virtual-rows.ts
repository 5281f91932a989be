/** The rows that must exist: from `first` up to but not including `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** Rows kept beyond each edge of the view, so that scrolling never shows a gap. */
const OVERSCAN = 4;

/**
 * The rows that are in view, and a few around them.
 *
 * @param offsets - the top of each row in pixels, and after the last one the height of all: one more than rows.
 * @param top - the first pixel in view.
 * @param height - pixels in view.
 */
export function findVisibleRows(offsets: readonly number[], top: number, height: number): RowRange {
  const count = offsets.length - 1;
  const first = Math.max(0, lastAtOrBefore(offsets, top) - OVERSCAN);
  const end = Math.min(count, lastAtOrBefore(offsets, top + height) + 1 + OVERSCAN);
  return { first: Math.min(first, Math.max(0, count)), end: Math.max(end, 0) };
}

/** The tops of rows of different heights, and the height of all. */
export function sumRowHeights(count: number, heightOf: (index: number) => number): readonly number[] {
  const offsets = [0];
  let top = 0;
  for (let index = 0; index < count; index += 1) {
    top += heightOf(index);
    offsets.push(top);
  }
  return offsets;
}

function lastAtOrBefore(offsets: readonly number[], pixel: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? Number.POSITIVE_INFINITY) <= pixel) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What a virtual list shows. */
export interface VirtualRowsOptions {
  /** The element that scrolls. */
  readonly viewport: HTMLElement;
  /** The element inside it that gets the height of all rows, and those in view as children. */
  readonly space: HTMLElement;
  readonly heightOf: (index: number) => number;
  /** Makes one row. Called again for each row when {@link VirtualRows.show} is. */
  readonly render: (index: number) => HTMLElement;
  /** Called when the last row comes into view. */
  readonly onEnd?: () => void;
}

/** A list of any length of which only the rows in view exist. */
export class VirtualRows {
  readonly #options: VirtualRowsOptions;
  readonly #rows = new Map<number, HTMLElement>();
  #offsets: readonly number[] = [0];

  constructor(options: VirtualRowsOptions) {
    this.#options = options;
    options.space.classList.add('virtual-space');
    options.viewport.addEventListener('scroll', () => this.#update(), { passive: true });
    new ResizeObserver(() => this.#update()).observe(options.viewport);
  }

  /** Show this many rows, all made anew. */
  show(count: number): void {
    this.#offsets = sumRowHeights(count, this.#options.heightOf);
    this.#rows.clear();
    this.#options.space.replaceChildren();
    this.#options.space.style.height = `${this.#offsets.at(-1) ?? 0}px`;
    this.#update();
  }

  /** Make one row anew, if it exists. */
  refresh(index: number): void {
    const old = this.#rows.get(index);
    if (old === undefined) return;
    const row = this.#make(index);
    this.#rows.set(index, row);
    old.replaceWith(row);
  }

  /** The element of a row, if it is in view. */
  get(index: number): HTMLElement | undefined {
    return this.#rows.get(index);
  }

  /** Scroll just so far that a row is wholly in view. */
  reveal(index: number): void {
    const { viewport } = this.#options;
    const top = this.#offsets[index] ?? 0;
    const bottom = this.#offsets[index + 1] ?? top;
    if (top < viewport.scrollTop) viewport.scrollTop = top;
    else if (bottom > viewport.scrollTop + viewport.clientHeight) viewport.scrollTop = bottom - viewport.clientHeight;
    this.#update();
  }

  #update(): void {
    const { viewport, space, onEnd } = this.#options;
    const { first, end } = findVisibleRows(this.#offsets, viewport.scrollTop, viewport.clientHeight);
    for (const [index, row] of this.#rows) {
      if (index >= first && index < end) continue;
      row.remove();
      this.#rows.delete(index);
    }
    for (let index = first; index < end; index += 1) {
      if (this.#rows.has(index)) continue;
      const row = this.#make(index);
      this.#rows.set(index, row);
      space.insertBefore(row, this.#findNext(index, end));
    }
    if (end > 0 && end === this.#offsets.length - 1) onEnd?.();
  }

  /** Must keep the order of the document: assistive technology reads that one. */
  #findNext(index: number, end: number): HTMLElement | null {
    for (let next = index + 1; next < end; next += 1) {
      const row = this.#rows.get(next);
      if (row !== undefined) return row;
    }
    return null;
  }

  #make(index: number): HTMLElement {
    const row = this.#options.render(index);
    row.classList.add('virtual-row');
    row.style.transform = `translateY(${this.#offsets[index] ?? 0}px)`;
    return row;
  }
}
