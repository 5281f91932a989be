import { type OpenPage, placesBetween, type WriteTransaction } from './schema.ts';

/**
 * How long a page may become, in code units. Above 64 kB Chromium keeps a value in a file of its own, which is read and
 * written several times faster; see the design note.
 */
export const FULL_PAGE = 128_000;

/** How long a page may be to be written again with every append: below this, that costs next to nothing. */
export const SMALL_PAGE = 16_000;

/** Pages that are on their way to the disk at once. */
const WRITES_IN_FLIGHT = 8;

/** What a page holds, and how it is stored. */
export interface PageFormat<Item, Page extends { readonly first: number }> {
  readonly store: 'events' | 'surface';
  readonly sizeOf: (item: Item) => number;
  readonly pack: (items: readonly Item[]) => Page;
  /** Throws a `SpoiledSession` when the value is no page. */
  readonly unpack: (value: unknown) => Item[];
  /** Told of each page that is written, and of each that it takes the place of. */
  readonly onWrite?: (page: Page) => void;
  readonly onErase?: (page: unknown) => void;
}

/**
 * Adds items behind the last page of a session.
 *
 * Small pages at the end stay open. An append writes the last of them again while it is small, or else one more; once
 * they would fill a page together, they become one. So an append costs the same however long the session is, and what
 * is read later are few large pages.
 */
export class PageWriter<Item, Page extends { readonly first: number }> {
  readonly #transaction: WriteTransaction;
  readonly #id: string;
  readonly #format: PageFormat<Item, Page>;
  readonly #writes: Promise<unknown>[] = [];
  #open: OpenPage[];
  #pending: Item[] = [];
  #pendingSize = 0;

  /**
   * @param transaction - everything is done in it.
   * @param id - the session.
   * @param format - what the pages hold.
   * @param open - the pages that can still grow, in order; the last pages of the session.
   */
  constructor(
    transaction: WriteTransaction,
    id: string,
    format: PageFormat<Item, Page>,
    open: readonly OpenPage[] = [],
  ) {
    this.#transaction = transaction;
    this.#id = id;
    this.#format = format;
    this.#open = [...open];
  }

  /** The pages that can still grow, once everything was flushed. */
  get open(): readonly OpenPage[] {
    return this.#open;
  }

  /**
   * Add one item. It is written with the others of its page.
   *
   * @param item - comes after all that was added before.
   * @returns something to wait for, where a page was written.
   */
  add(item: Item): Promise<void> | undefined {
    const size = this.#format.sizeOf(item);
    const isFull = this.#pending.length > 0 && this.#pendingSize + size > FULL_PAGE;
    const flushed = isFull ? this.flush() : undefined;
    // Must follow at once: flushing takes what is pending before it waits for anything.
    this.#pending.push(item);
    this.#pendingSize += size;
    return flushed;
  }

  /** Write what is pending. */
  async flush(): Promise<void> {
    const items = this.#pending;
    const size = this.#pendingSize;
    if (items.length === 0) return;
    this.#pending = [];
    this.#pendingSize = 0;
    const last = this.#open.at(-1);
    if (last !== undefined && last.size + size <= SMALL_PAGE) await this.#grow(last, items, size);
    else await this.#addPage(items, size);
  }

  /** Wait until all that was flushed is written. */
  async finish(): Promise<void> {
    await this.flush();
    await Promise.all(this.#writes.splice(0));
  }

  /**
   * Put pages in the place of others, wherever those are. Nothing may be pending.
   *
   * @param from - the key of the first page that goes.
   * @param to - the key of the last page that goes.
   * @param items - what comes in their place.
   */
  async replacePages(from: number, to: number, items: readonly Item[]): Promise<void> {
    await this.#erase(from, to);
    const written: OpenPage[] = [];
    for (const part of this.#splitIntoPages(items)) {
      written.push({ first: await this.#write(part), size: this.#sizeOf(part) });
    }
    const firstOpen = this.#open[0]?.first ?? Number.POSITIVE_INFINITY;
    if (to < firstOpen) return;
    const before = this.#open.filter(({ first }) => first < from);
    this.#open = [...before, ...written, ...this.#open.filter(({ first }) => first > to)];
    if (this.#sizeOfOpen() > FULL_PAGE) this.#open = [];
  }

  async #grow(last: OpenPage, items: readonly Item[], size: number): Promise<void> {
    const store = this.#transaction.objectStore(this.#format.store);
    const page: unknown = await store.get([this.#id, last.first]);
    const known = this.#format.unpack(page);
    this.#format.onErase?.(page);
    const first = await this.#write([...known, ...items]);
    this.#open[this.#open.length - 1] = { first, size: last.size + size };
  }

  async #addPage(items: readonly Item[], size: number): Promise<void> {
    if (this.#sizeOfOpen() + size > FULL_PAGE) await this.#joinOpen();
    const first = await this.#write(items);
    if (size < FULL_PAGE / 2) this.#open.push({ first, size });
    else this.#open = [];
  }

  /** Make one page of the open ones, which will not grow any more. */
  async #joinOpen(): Promise<void> {
    const open = this.#open;
    this.#open = [];
    const [first, last] = [open[0], open.at(-1)];
    if (first === undefined || last === undefined || first === last) return;
    const store = this.#transaction.objectStore(this.#format.store);
    const pages: unknown[] = await store.getAll(placesBetween(this.#id, first.first, last.first));
    const items: Item[] = [];
    for (const page of pages) {
      for (const item of this.#format.unpack(page)) items.push(item);
      this.#format.onErase?.(page);
    }
    await this.#erase(first.first, last.first);
    await this.#write(items);
  }

  async #erase(from: number, to: number): Promise<void> {
    await this.#transaction.objectStore(this.#format.store).delete(placesBetween(this.#id, from, to));
  }

  async #write(items: readonly Item[]): Promise<number> {
    const page = this.#format.pack(items);
    this.#format.onWrite?.(page);
    const store = this.#transaction.objectStore(this.#format.store);
    const write = store.put(page as never, [this.#id, page.first]);
    // Must be handled now: it may fail long before anybody waits for it.
    write.catch(() => undefined);
    this.#writes.push(write);
    if (this.#writes.length >= WRITES_IN_FLIGHT) await this.#writes.shift();
    return page.first;
  }

  #splitIntoPages(items: readonly Item[]): Item[][] {
    const parts: Item[][] = [];
    let part: Item[] = [];
    let size = 0;
    for (const item of items) {
      const itemSize = this.#format.sizeOf(item);
      if (part.length > 0 && size + itemSize > FULL_PAGE) {
        parts.push(part);
        part = [];
        size = 0;
      }
      part.push(item);
      size += itemSize;
    }
    if (part.length > 0) parts.push(part);
    return parts;
  }

  #sizeOf(items: readonly Item[]): number {
    return items.reduce((size, item) => size + this.#format.sizeOf(item), 0);
  }

  #sizeOfOpen(): number {
    return this.#open.reduce((total, { size }) => total + size, 0);
  }
}
