import { notOnSurface, type SurfaceStep, startsAfterEnd } from '../../session/surface.ts';
import type { ConversationUnit } from '../../snapshot/projection.ts';
import type { Utf8Counter } from '../../snapshot/utf8-length.ts';
import { readPages } from './page-reader.ts';
import { type PageFormat, PageWriter } from './page-writer.ts';
import { type OpenPage, placesBetween, type SessionRow, type SurfacePage, type WriteTransaction } from './schema.ts';
import {
  countCheckpoints,
  countTexts,
  nodeSize,
  packNodes,
  parsePage,
  type StoredNode,
  toNode,
  unpackNodes,
} from './surface-node.ts';

/** What a row says about the surface of its session. */
export type SurfaceTotals = Pick<SessionRow, 'messages' | 'checkpoints' | 'bytes' | 'openSurfacePages'>;

/** What a row says about an empty surface. */
export const EMPTY_SURFACE: SurfaceTotals = { messages: 0, checkpoints: 0, bytes: 0, openSurfacePages: [] };

/** A page, and a node that was looked for in it. */
interface Found {
  readonly page: SurfacePage;
  readonly nodes: readonly StoredNode[];
  readonly index: number;
}

/**
 * Changes the stored surface of one session: reads and writes the pages that a change touches, and no others, and keeps
 * the totals.
 */
export class SurfaceEditor {
  readonly #transaction: WriteTransaction;
  readonly #id: string;
  readonly #writer: PageWriter<StoredNode, SurfacePage>;
  #messages: number;
  #checkpoints: number;
  #bytes: number;

  /**
   * @param transaction - everything is done in it.
   * @param id - the session.
   * @param totals - of the surface as it is stored.
   * @param counter - counts the bytes of texts.
   */
  constructor(transaction: WriteTransaction, id: string, totals: SurfaceTotals, counter: Utf8Counter) {
    this.#transaction = transaction;
    this.#id = id;
    this.#messages = totals.messages;
    this.#checkpoints = totals.checkpoints;
    this.#bytes = totals.bytes;
    this.#writer = new PageWriter(transaction, id, this.#format(counter), totals.openSurfacePages);
  }

  /** Write what is pending, and tell the totals. */
  async finish(): Promise<SurfaceTotals> {
    await this.#writer.finish();
    return {
      messages: this.#messages,
      checkpoints: this.#checkpoints,
      bytes: this.#bytes,
      openSurfacePages: this.#writer.open as readonly OpenPage[],
    };
  }

  /**
   * Do to the surface what an event does.
   *
   * @param seq - of the event.
   * @param step - what it does.
   * @param unit - what of it can be seen.
   * @returns something to wait for, where there is.
   * @throws SessionReferenceError `INVALID_LOG`, naming the seq, when it replaces what is not there.
   */
  apply(seq: number, step: SurfaceStep, unit: ConversationUnit | undefined): Promise<void> | undefined {
    if (step !== 'append') return this.#replace(seq, step.start, step.end, unit);
    return this.place(toNode(seq, seq, unit));
  }

  /**
   * Add a node behind all others.
   *
   * @param node - its anchor comes after theirs.
   * @returns something to wait for, where there is.
   */
  place(node: StoredNode): Promise<void> | undefined {
    this.#keepAside(node);
    return this.#writer.add(node);
  }

  async #replace(seq: number, start: unknown, end: unknown, unit: ConversationUnit | undefined): Promise<void> {
    await this.#writer.flush();
    const first = await this.#find(start, seq);
    const last = await this.#find(end, seq);
    const from = anchorAt(first);
    const to = anchorAt(last);
    if (from > to) throw startsAfterEnd(start as number, end as number, seq);
    const node = toNode(seq, from, unit);
    const removed = new Removal(first, last);
    if (first.page.first !== last.page.first) await this.#readBetween(first.page, last.page, removed);

    await this.#transaction.objectStore('checkpoints').delete(placesBetween(this.#id, from, to));
    const replacements = this.#transaction.objectStore('replacements');
    for (const gone of removed.replacements) await replacements.delete([this.#id, gone]);
    for (const page of removed.pages) this.#count(page, -1);
    this.#keepAside(node);
    const items = [...first.nodes.slice(0, first.index), node, ...last.nodes.slice(last.index + 1)];
    await this.#writer.replacePages(first.page.first, last.page.first, items);
  }

  async #readBetween(first: SurfacePage, last: SurfacePage, removed: Removal): Promise<void> {
    for await (const values of readPages(this.#transaction, 'surface', this.#id, first.first, last.first)) {
      for (const value of values) removed.add(parsePage(value));
    }
  }

  /** The node with a seq, and where it stands. */
  async #find(seq: unknown, replacingSeq: number): Promise<Found> {
    if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0) throw notOnSurface(seq, replacingSeq);
    const anchor = (await this.#transaction.objectStore('replacements').get([this.#id, seq])) ?? seq;
    const range = placesBetween(this.#id, 0, anchor);
    const cursor = await this.#transaction.objectStore('surface').openCursor(range, 'prev');
    if (cursor === null) throw notOnSurface(seq, replacingSeq);
    const page = parsePage(cursor.value);
    const nodes = unpackNodes(page);
    const index = nodes.findIndex((node) => node.anchor === anchor && node.seq === seq);
    if (index < 0) throw notOnSurface(seq, replacingSeq);
    return { page, nodes, index };
  }

  /** Write what of a node is kept outside of its page. */
  #keepAside({ anchor, seq, role, text }: StoredNode): void {
    const writes: Promise<unknown>[] = [];
    if (role === 'c') {
      const row = { anchor, text: text ?? '' };
      writes.push(this.#transaction.objectStore('checkpoints').put(row, [this.#id, anchor]));
    }
    if (anchor !== seq) writes.push(this.#transaction.objectStore('replacements').put(anchor, [this.#id, seq]));
    // Must be handled: when one fails, so does the transaction.
    for (const write of writes) write.catch(() => undefined);
  }

  #count({ roles, bytes }: SurfacePage, sign: 1 | -1): void {
    const checkpoints = countCheckpoints(roles);
    this.#checkpoints += sign * checkpoints;
    this.#messages += sign * (countTexts(roles) + checkpoints);
    this.#bytes += sign * bytes;
  }

  #format(counter: Utf8Counter): PageFormat<StoredNode, SurfacePage> {
    return {
      store: 'surface',
      sizeOf: nodeSize,
      pack: (nodes) => packNodes(nodes, counter),
      unpack: unpackNodes,
      onWrite: (page) => this.#count(page, 1),
      onErase: (page) => this.#count(parsePage(page), -1),
    };
  }
}

/** What a replacement takes from the surface. */
class Removal {
  /** The pages it touches. */
  readonly pages: SurfacePage[] = [];
  /** The seqs of removed nodes that had replaced others. */
  readonly replacements: number[] = [];
  readonly #from: number;
  readonly #to: number;

  constructor(first: Found, last: Found) {
    this.#from = anchorAt(first);
    this.#to = anchorAt(last);
    this.add(first.page);
    if (last.page.first !== first.page.first) this.add(last.page);
  }

  add(page: SurfacePage): void {
    this.pages.push({ ...page, texts: [] });
    for (let index = 0; index < page.anchors.length; index += 1) {
      const [anchor = 0, seq = 0] = [page.anchors[index], page.seqs[index]];
      if (anchor !== seq && anchor >= this.#from && anchor <= this.#to) this.replacements.push(seq);
    }
  }
}

function anchorAt({ nodes, index }: Found): number {
  // Must be there: the index was found in these nodes.
  return nodes[index]?.anchor ?? 0;
}
