import type { SessionEvent, SessionHeader, SessionLog } from '../../session/session.ts';
import { readSurfaceStep, readTitle, SurfaceFold, toSurfaceEvent } from '../../session/surface.ts';
import type { SlicedWork } from '../../slices.ts';
import { projectEvent } from '../../snapshot/projection.ts';
import type { Utf8Counter } from '../../snapshot/utf8-length.ts';
import { unknownSession } from '../store-errors.ts';
import { advanceState, readState } from './database-state.ts';
import { type EventLine, packLines, toLine, unpackLines } from './event-line.ts';
import { type PageFormat, PageWriter } from './page-writer.ts';
import { type EventPage, LAYOUT, type OpenPage, PLACE_STORES, type WriteTransaction, wholeSession } from './schema.ts';
import { parseSessionRow } from './session-row.ts';
import { EMPTY_SURFACE, SurfaceEditor } from './surface-editor.ts';
import { toNode } from './surface-node.ts';

const EVENT_FORMAT: PageFormat<EventLine, EventPage> = {
  store: 'events',
  sizeOf: ({ line }) => line.length,
  pack: packLines,
  unpack: unpackLines,
};

/** A log that folds, and what is known of it before it is written. */
export interface FoldedLog {
  readonly header: SessionHeader;
  readonly events: readonly SessionEvent[];
  readonly fold: SurfaceFold;
  /** The anchor of each event that replaced others. */
  readonly anchors: ReadonlyMap<number, number>;
}

/** Sessions whose requests are under way at once: waiting for each would take several times as long. */
const SESSIONS_AT_ONCE = 64;

/** Events between two looks at the clock. */
const SLICE_EVENTS = 256;

/**
 * Check a log, as sliced work.
 *
 * @param header - narrowed already.
 * @param events - of the log.
 * @throws SessionReferenceError `INVALID_LOG`, naming the seq.
 */
export function* foldLog({ header, events }: SessionLog): SlicedWork<FoldedLog> {
  const fold = new SurfaceFold();
  const anchors = new Map<number, number>();
  for (let start = 0; start < events.length; start += SLICE_EVENTS) {
    yield;
    const slice = events.slice(start, start + SLICE_EVENTS);
    fold.apply(slice);
    for (const event of slice) {
      const step = readSurfaceStep(event, event.seq);
      if (step === undefined || step === 'append') continue;
      // Must be a number: the fold found it on the surface.
      const replaced = step.start as number;
      anchors.set(event.seq, anchors.get(replaced) ?? replaced);
    }
  }
  return { header, events, fold, anchors };
}

/**
 * Write whole sessions, in place of those with the same ids.
 *
 * @param transaction - all of it is done in this one.
 * @param logs - checked already; no two with the same id.
 * @param counter - counts the bytes of texts.
 */
export async function writeSessions(
  transaction: WriteTransaction,
  logs: readonly FoldedLog[],
  counter: Utf8Counter,
): Promise<void> {
  const state = await readState(transaction);
  let { revision } = state;
  for (let start = 0; start < logs.length; start += SESSIONS_AT_ONCE) {
    const some = logs.slice(start, start + SESSIONS_AT_ONCE);
    // Must look first: to erase what is not there takes longer than to write a small session.
    const found = await Promise.all(some.map(({ header }) => transaction.objectStore('sessions').count(header.id)));
    const writes: Promise<void>[] = [];
    for (const [index, log] of some.entries()) {
      revision += 1;
      // The requests of a transaction run in the order in which they are made: what is erased was there before.
      if (found[index] !== 0) writes.push(eraseSession(transaction, log.header.id));
      writes.push(writeSession(transaction, log, revision, counter));
    }
    await Promise.all(writes);
  }
  await advanceState(transaction, state, { writes: logs.length });
}

async function writeSession(
  transaction: WriteTransaction,
  { header, events, fold, anchors }: FoldedLog,
  revision: number,
  counter: Utf8Counter,
): Promise<void> {
  const { id } = header;
  const openEventPages = await writeEvents(transaction, id, events);
  const editor = new SurfaceEditor(transaction, id, EMPTY_SURFACE, counter);
  for (const event of fold.walk()) {
    const placed = editor.place(toNode(event.seq, anchors.get(event.seq) ?? event.seq, projectEvent(event)));
    if (placed !== undefined) await placed;
  }
  const totals = await editor.finish();
  await transaction.objectStore('sessions').put({
    id,
    layout: LAYOUT,
    header,
    title: fold.title ?? null,
    nextSeq: events.length,
    changedAt: readTime(events) ?? header.createdAt,
    ...totals,
    openEventPages,
    arrival: revision,
    revision,
  });
}

/**
 * Add events to a session.
 *
 * @param transaction - all of it is done in this one.
 * @param id - the session.
 * @param events - the first `seq` must follow the last one stored.
 * @param counter - counts the bytes of texts.
 * @throws SessionReferenceError `STORE_FAILED` when there is no such session, `INVALID_LOG` when the events do not fit.
 * @throws SpoiledSession when the session cannot be read.
 */
export async function appendEvents(
  transaction: WriteTransaction,
  id: string,
  events: readonly SessionEvent[],
  counter: Utf8Counter,
): Promise<void> {
  const [state, value] = await Promise.all([readState(transaction), transaction.objectStore('sessions').get(id)]);
  if (value === undefined) throw unknownSession(id);
  const row = parseSessionRow(value);
  if (events.length === 0) return;
  const editor = new SurfaceEditor(transaction, id, row, counter);
  const writer = new PageWriter(transaction, id, EVENT_FORMAT, row.openEventPages);
  let { nextSeq, title } = row;
  for (const event of events) {
    const step = readSurfaceStep(event, nextSeq);
    if (step !== undefined) {
      const applied = editor.apply(nextSeq, step, projectEvent(toSurfaceEvent(event)));
      if (applied !== undefined) await applied;
    }
    const written = writer.add(toLine(event));
    if (written !== undefined) await written;
    title = readTitle(event) ?? title;
    nextSeq += 1;
  }
  const [totals] = await Promise.all([editor.finish(), writer.finish()]);
  const changedAt = readTime(events) ?? row.header.createdAt;
  const revision = state.revision + 1;
  const next = { ...row, ...totals, title, nextSeq, changedAt, openEventPages: writer.open, revision };
  await Promise.all([transaction.objectStore('sessions').put(next), advanceState(transaction, state)]);
}

/**
 * Forget a session.
 *
 * @param transaction - all of it is done in this one.
 * @param id - the session.
 * @returns whether there was one.
 */
export async function deleteSession(transaction: WriteTransaction, id: string): Promise<boolean> {
  const sessions = transaction.objectStore('sessions');
  // Must not read the row: it may be one that cannot be read.
  if ((await sessions.count(id)) === 0) return false;
  const state = await readState(transaction);
  await eraseSession(transaction, id);
  await sessions.delete(id);
  await advanceState(transaction, state, { removals: 1 });
  return true;
}

/** The time of the last event; a file may say anything. */
function readTime(events: readonly SessionEvent[]): number | undefined {
  const time: unknown = events.at(-1)?.time;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

async function eraseSession(transaction: WriteTransaction, id: string): Promise<void> {
  await Promise.all(PLACE_STORES.map((name) => transaction.objectStore(name).delete(wholeSession(id))));
}

async function writeEvents(
  transaction: WriteTransaction,
  id: string,
  events: readonly SessionEvent[],
): Promise<readonly OpenPage[]> {
  const writer = new PageWriter(transaction, id, EVENT_FORMAT);
  for (const event of events) {
    const written = writer.add(toLine(event));
    if (written !== undefined) await written;
  }
  await writer.finish();
  return writer.open;
}
