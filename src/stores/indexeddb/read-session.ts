import { isRecord } from '../../record.ts';
import type { SessionConversationSnapshot, SessionSurfaceSnapshot } from '../../session/query.ts';
import type { SessionEvent, SessionLog, SurfaceEvent } from '../../session/session.ts';
import { toSurfaceEvent } from '../../session/surface.ts';
import type { ConversationUnit } from '../../snapshot/projection.ts';
import { unknownSession } from '../store-errors.ts';
import { parseEventPage, parseLine } from './event-line.ts';
import { SpoiledSession } from './failures.ts';
import { readPages } from './page-reader.ts';
import {
  placesAfter,
  placesBefore,
  placesBetween,
  type ReadTransaction,
  type SessionRow,
  type SurfacePage,
} from './schema.ts';
import { parseSessionRow } from './session-row.ts';
import { parsePage, type StoredNode, unpackNodes } from './surface-node.ts';

/**
 * The end of a conversation: its newest pages until there is enough, and its checkpoints. All the rest is known from
 * the totals.
 *
 * @param transaction - one observation.
 * @param id - the session.
 * @param bytes - how much text is wanted, in UTF-8 bytes.
 * @throws SpoiledSession when what is stored is damaged.
 */
export async function readConversation(
  transaction: ReadTransaction,
  id: string,
  bytes: number,
): Promise<SessionConversationSnapshot> {
  const row = await readRow(transaction, id);
  const { pages, isWhole } = await readNewestPages(transaction, row, bytes);
  const first = pages[0]?.first ?? Number.POSITIVE_INFINITY;
  const texts = await readCheckpoints(transaction, id);
  const units: ConversationUnit[] = [];
  for (const [anchor, text] of texts) if (anchor < first) units.push({ role: 'user', text, checkpoint: true });
  let messages = row.messages - row.checkpoints;
  let unreadBytes = row.bytes;
  for (const page of pages) {
    unreadBytes -= page.bytes;
    messages -= page.texts.length;
    for (const node of unpackNodes(page)) if (node.role !== '-') units.push(toUnit(node, texts));
  }
  const read = units.filter(({ checkpoint }) => checkpoint).length;
  const isMissing = isWhole ? messages !== 0 || unreadBytes !== 0 : messages < 0 || unreadBytes < 0;
  if (read !== row.checkpoints || isMissing) {
    throw new SpoiledSession('A part of its conversation is missing.');
  }
  const unread = { messages, bytes: unreadBytes };
  return { session: row.header, capturedThroughSeq: lastSeq(row), units, unread };
}

/**
 * The whole surface: the pages of the log in which something of it is, and no others.
 *
 * @param transaction - one observation.
 * @param id - the session.
 * @throws SpoiledSession when what is stored is damaged.
 */
export async function readSurface(transaction: ReadTransaction, id: string): Promise<SessionSurfaceSnapshot> {
  const row = await readRow(transaction, id);
  const seqs: number[] = [];
  for await (const pages of readPages(transaction, 'surface', id)) {
    for (const page of pages) for (const seq of parsePage(page).seqs) seqs.push(seq);
  }
  const found = await readEventsAt(transaction, id, Float64Array.from(seqs).sort());
  const events = seqs.map((seq) => {
    const event = found.get(seq);
    if (event === undefined) throw new SpoiledSession('A part of its log is missing.');
    return event;
  });
  return { session: row.header, capturedThroughSeq: lastSeq(row), events };
}

/**
 * The whole log.
 *
 * @param transaction - one observation.
 * @param id - the session.
 * @throws SpoiledSession when what is stored is damaged.
 */
export async function readLog(transaction: ReadTransaction, id: string): Promise<SessionLog> {
  const row = await readRow(transaction, id);
  const events: SessionEvent[] = [];
  for await (const pages of readPages(transaction, 'events', id)) {
    for (const page of pages)
      for (const line of parseEventPage(page).lines) events.push(parseLine(line, events.length));
  }
  if (events.length !== row.nextSeq) throw new SpoiledSession('A part of its log is missing.');
  return { header: row.header, events };
}

async function readRow(transaction: ReadTransaction, id: string): Promise<SessionRow> {
  const value: unknown = await transaction.objectStore('sessions').get(id);
  if (value === undefined) throw unknownSession(id);
  return parseSessionRow(value);
}

/** Pages from the end of a surface, in order. */
interface NewestPages {
  readonly pages: readonly SurfacePage[];
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

async function readNewestPages(transaction: ReadTransaction, row: SessionRow, bytes: number): Promise<NewestPages> {
  const store = transaction.objectStore('surface');
  const firstOpen = row.openSurfacePages[0]?.first;
  const open: unknown[] = firstOpen === undefined ? [] : await store.getAll(placesAfter(row.id, firstOpen - 1));
  const newestFirst = open.map(parsePage).reverse();
  let left = bytes;
  for (const page of newestFirst) left -= page.bytes;
  if (left < 0) return { pages: newestFirst.reverse(), isWhole: false };
  const range = firstOpen === undefined ? placesAfter(row.id, -1) : placesBefore(row.id, firstOpen);
  let cursor = await store.openCursor(range, 'prev');
  for (; cursor !== null; cursor = await cursor.continue()) {
    const page = parsePage(cursor.value);
    newestFirst.push(page);
    left -= page.bytes;
    if (left < 0) break;
  }
  return { pages: newestFirst.reverse(), isWhole: cursor === null };
}

async function readCheckpoints(transaction: ReadTransaction, id: string): Promise<ReadonlyMap<number, string>> {
  const rows: unknown[] = await transaction.objectStore('checkpoints').getAll(placesAfter(id, -1));
  const texts = new Map<number, string>();
  for (const row of rows) {
    if (!isRecord(row) || typeof row.anchor !== 'number' || typeof row.text !== 'string') {
      throw new SpoiledSession('A checkpoint of its conversation is damaged.');
    }
    texts.set(row.anchor, row.text);
  }
  return texts;
}

function toUnit({ anchor, role, text }: StoredNode, checkpoints: ReadonlyMap<number, string>): ConversationUnit {
  if (role !== 'c') return { role: role === 'a' ? 'assistant' : 'user', text: text ?? '', checkpoint: false };
  const summary = checkpoints.get(anchor);
  if (summary === undefined) throw new SpoiledSession('A checkpoint of its conversation is missing.');
  return { role: 'user', text: summary, checkpoint: true };
}

/** @param seqs - ascending. */
async function readEventsAt(
  transaction: ReadTransaction,
  id: string,
  seqs: Float64Array,
): Promise<ReadonlyMap<number, SurfaceEvent>> {
  const events = new Map<number, SurfaceEvent>();
  const store = transaction.objectStore('events');
  const firsts = (await store.getAllKeys(placesAfter(id, -1))).map(([, first]) => first);
  let next = 0;
  for (const run of findRuns(firsts, seqs)) {
    const pages: unknown[] = await store.getAll(placesBetween(id, run.first, run.last));
    for (const page of pages) {
      const { first, lines } = parseEventPage(page);
      for (; next < seqs.length && (seqs[next] ?? 0) < first + lines.length; next += 1) {
        const seq = seqs[next] ?? 0;
        const line = lines[seq - first];
        if (line !== undefined) events.set(seq, toSurfaceEvent(parseLine(line, seq)));
      }
    }
  }
  return events;
}

/** Neighbouring pages that are read together: a megabyte or so. */
const PAGES_PER_RUN = 8;

/**
 * The pages in which there is something, as few runs of neighbours.
 *
 * @param firsts - where the pages begin, ascending.
 * @param seqs - what is looked for, ascending.
 */
function* findRuns(
  firsts: readonly number[],
  seqs: Float64Array,
): Generator<{ readonly first: number; readonly last: number }> {
  let run: { first: number; last: number; pages: number } | undefined;
  let next = 0;
  for (let index = 0; index < firsts.length; index += 1) {
    const first = firsts[index] ?? 0;
    const end = firsts[index + 1] ?? Number.POSITIVE_INFINITY;
    const isWanted = next < seqs.length && (seqs[next] ?? 0) < end;
    while (next < seqs.length && (seqs[next] ?? 0) < end) next += 1;
    if (run !== undefined && (!isWanted || run.pages === PAGES_PER_RUN)) {
      yield run;
      run = undefined;
    }
    if (!isWanted) continue;
    run = { first: run?.first ?? first, last: first, pages: (run?.pages ?? 0) + 1 };
  }
  if (run !== undefined) yield run;
}

function lastSeq({ nextSeq }: SessionRow): number | null {
  return nextSeq === 0 ? null : nextSeq - 1;
}
