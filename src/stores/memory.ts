import { throwIfCancelled } from '../cancellation.ts';
import { describeType } from '../error.ts';
import { isRecord } from '../record.ts';
import { parseSessionHeader } from '../session/header.ts';
import type { SessionRecord, SessionSurfaceSnapshot, SessionTitleObservationResult } from '../session/query.ts';
import type { SessionEvent, SessionHeader, SessionLog } from '../session/session.ts';
import type { SessionStore } from '../session/store.ts';
import { SurfaceFold } from '../session/surface.ts';
import { projectEvent } from '../snapshot/projection.ts';
import { invalidIds, invalidLog, unknownSession } from './store-errors.ts';

interface StoredSession {
  readonly header: SessionHeader;
  readonly events: SessionEvent[];
  readonly fold: SurfaceFold;
  /** Position in the order of arrival: of two sessions of one moment the later one is the newer. */
  readonly arrival: number;
  /** Made when it is asked for, and the same object until the session changes: whoever indexes records keeps its work. */
  record: SessionRecord | undefined;
}

/**
 * Sessions in memory: gone with the page or the worker that holds them. For tests, for sessions that are read from
 * files each time, and where nothing may be stored.
 *
 * What is put in is kept as it is, not copied: it must not be changed afterwards.
 */
export class MemorySessionStore implements SessionStore {
  readonly #sessions = new Map<string, StoredSession>();
  #records: readonly SessionRecord[] | undefined;
  #arrivals = 0;

  /**
   * @param logs - sessions to start with.
   * @throws SessionReferenceError `INVALID_LOG` when one of them is no valid log.
   */
  constructor(logs: Iterable<SessionLog> = []) {
    if (!isIterable(logs)) throw invalidLog(`The logs must be an iterable, not ${describeType(logs)}.`);
    for (const log of logs) this.#keep(log);
  }

  /** @inheritdoc */
  async put(log: SessionLog): Promise<void> {
    this.#keep(log);
  }

  /** @inheritdoc */
  async append(id: string, events: readonly SessionEvent[]): Promise<void> {
    const session = this.#find(id);
    if (!Array.isArray(events)) throw invalidLog(`The events must be an array, not ${describeType(events)}.`);
    session.fold.apply(events);
    // Must not spread: an argument list has a limit that a long append exceeds.
    for (const event of events) session.events.push(event);
    session.record = undefined;
    this.#records = undefined;
  }

  /** @inheritdoc */
  async delete(id: string): Promise<boolean> {
    this.#records = undefined;
    return this.#sessions.delete(id);
  }

  /** @inheritdoc */
  async listSessions(signal?: AbortSignal): Promise<readonly SessionRecord[]> {
    throwIfCancelled(signal);
    // Must be frozen: it is given out again and again, the same list while nothing changes.
    this.#records ??= Object.freeze([...this.#sessions.values()].sort(byAge).map(readRecord));
    return this.#records;
  }

  /** @inheritdoc */
  async readTitleSnapshots(
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly SessionTitleObservationResult[]> {
    throwIfCancelled(signal);
    if (!Array.isArray(ids)) throw invalidIds(ids);
    return ids.map((sessionId) => {
      const session = this.#sessions.get(sessionId);
      if (session === undefined) return { sessionId, status: 'rejected', reason: unknownSession(sessionId) };
      const { header, fold } = session;
      const title = fold.title === undefined ? {} : { title: { title: fold.title } };
      return { sessionId, status: 'fulfilled', value: { session: header, ...title } };
    });
  }

  /** @inheritdoc */
  async readSurface(id: string, signal?: AbortSignal): Promise<SessionSurfaceSnapshot> {
    throwIfCancelled(signal);
    const { header, fold } = this.#find(id);
    return { session: header, capturedThroughSeq: fold.capturedThroughSeq, events: fold.surface() };
  }

  /**
   * A whole session, as it can be put into another store.
   *
   * @param id - the session.
   * @throws SessionReferenceError `STORE_FAILED` when there is no such session.
   */
  async readLog(id: string): Promise<SessionLog> {
    const { header, events } = this.#find(id);
    return { header, events: [...events] };
  }

  #keep(log: SessionLog): void {
    if (!isRecord(log)) throw invalidLog(`A session log must be an object, not ${describeType(log)}.`);
    const header = parseSessionHeader(log.header);
    if (!Array.isArray(log.events)) {
      throw invalidLog(`A session log's events must be an array, not ${describeType(log.events)}.`);
    }
    const fold = new SurfaceFold();
    fold.apply(log.events);
    this.#arrivals += 1;
    this.#sessions.set(header.id, {
      header,
      events: [...log.events],
      fold,
      arrival: this.#arrivals,
      record: undefined,
    });
    this.#records = undefined;
  }

  #find(id: string): StoredSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw unknownSession(id);
    return session;
  }
}

function byAge(one: StoredSession, other: StoredSession): number {
  return other.header.createdAt - one.header.createdAt || other.arrival - one.arrival;
}

function readRecord(session: StoredSession): SessionRecord {
  session.record ??= toRecord(session);
  return session.record;
}

function toRecord({ header, events, fold }: StoredSession): SessionRecord {
  const { title } = fold;
  let messages = 0;
  for (const event of fold.surface()) if (projectEvent(event) !== undefined) messages += 1;
  const changedAt = events.at(-1)?.time ?? header.createdAt;
  return { header, title: title ?? null, messages, changedAt };
}

function isIterable(value: unknown): boolean {
  return typeof (value as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] === 'function';
}
