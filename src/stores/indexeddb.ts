import { throwIfCancelled } from '../cancellation.ts';
import { describeType, isSessionReferenceError, quoteInput, SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import { pauseForOthers } from '../runtime.ts';
import { parseSessionHeader } from '../session/header.ts';
import type {
  SessionConversationSnapshot,
  SessionRecord,
  SessionSurfaceSnapshot,
  SessionTitleObservationResult,
} from '../session/query.ts';
import type { SessionEvent, SessionLog } from '../session/session.ts';
import type { SessionStore } from '../session/store.ts';
import { runInSlices } from '../slices.ts';
import { Utf8Counter } from '../snapshot/utf8-length.ts';
import type { ChangeListener, SessionChange } from './change-listeners.ts';
import { ChangeChannel } from './indexeddb/change-channel.ts';
import { Connection } from './indexeddb/connection.ts';
import { hasName, SpoiledSession } from './indexeddb/failures.ts';
import { readConversation, readLog, readSurface } from './indexeddb/read-session.ts';
import { type ReadTransaction, SCHEMA } from './indexeddb/schema.ts';
import { SessionList } from './indexeddb/session-list.ts';
import {
  estimateSpace,
  measureEvents,
  quotaExceeded,
  requestPersistence,
  type StorageSpace,
} from './indexeddb/storage-space.ts';
import { appendEvents, deleteSession, type FoldedLog, foldLog, writeSessions } from './indexeddb/write-session.ts';
import { invalidIds, invalidLog, storeFailed, unknownSession } from './store-errors.ts';

export type { ChangeListener, SessionChange, StorageSpace };

/** How to keep sessions. */
export interface IndexedDbSessionStoreOptions {
  /** The name of the database. Default: `session-reference`. */
  readonly name?: string;
  /**
   * How long opening the database may take, in ms, before it is a `STORE_FAILED`: a tab with an older version can hold
   * it. An upgrade that has begun is waited for. Default: 4000.
   */
  readonly openTimeout?: number;
  /**
   * When a write counts as done. `relaxed`, the default: when the operating system has it, which survives a crash of
   * the browser. `strict`: when the disk has it, which survives a power cut and takes longer.
   */
  readonly durability?: 'relaxed' | 'strict';
}

const DEFAULT_NAME = 'session-reference';
const DEFAULT_OPEN_TIMEOUT = 4_000;

/**
 * Sessions that stay in the browser, in IndexedDB. Works in pages and in workers; several may use one database at once.
 *
 * Nothing is touched before the first call. Every method is one transaction: all of it took effect, or nothing, also
 * when the browser is killed in the middle. Events are kept as JSON, as in the files of sessions: what JSON cannot hold
 * is not kept. Long reads and writes yield, and end within a page of 128 kB when their signal aborts.
 *
 * All failures are `SessionReferenceError`s: `STORE_FAILED` when the storage fails, is full, is blocked by a tab with
 * an older version, or is not there, when there is no such session, and when a stored session is damaged;
 * `INVALID_LOG` when a log or an append is not valid; `CANCELLED`.
 */
export class IndexedDbSessionStore implements SessionStore {
  readonly #connection: Connection;
  readonly #list: SessionList;
  readonly #changes: ChangeChannel;
  readonly #counter = new Utf8Counter();

  /**
   * @param options - see {@link IndexedDbSessionStoreOptions}.
   * @throws SessionReferenceError `INVALID_CONFIG`, naming the option and what it allows.
   */
  constructor(options?: IndexedDbSessionStoreOptions | null) {
    const { name = DEFAULT_NAME, openTimeout = DEFAULT_OPEN_TIMEOUT, durability = 'relaxed' } = options ?? {};
    if (typeof name !== 'string') throw invalidOption('name', 'a string');
    if (typeof openTimeout !== 'number' || !(openTimeout > 0)) throw invalidOption('openTimeout', 'more than 0 ms');
    if (durability !== 'relaxed' && durability !== 'strict') {
      throw invalidOption('durability', "'relaxed' or 'strict'");
    }
    this.#connection = new Connection({ name, openTimeout, durability, schema: SCHEMA });
    this.#list = new SessionList(this.#connection);
    this.#changes = new ChangeChannel(name);
  }

  /**
   * Keep a whole session, in place of one with the same id.
   *
   * @param log - is not changed, and can be changed afterwards.
   * @param signal - cancels; then nothing was changed.
   */
  async put(log: SessionLog, signal?: AbortSignal): Promise<void> {
    await this.putAll([log], signal);
  }

  /**
   * Keep whole sessions in one transaction, all of them or none: many small ones take a fraction of the time of as many
   * calls of {@link IndexedDbSessionStore.put}.
   *
   * @param logs - are not changed, and can be changed afterwards. Of two with the same id the later one is kept.
   * @param signal - cancels; then nothing was changed.
   */
  async putAll(logs: readonly SessionLog[], signal?: AbortSignal): Promise<void> {
    throwIfCancelled(signal);
    if (!Array.isArray(logs)) throw invalidLog(`The logs must be an array, not ${describeType(logs)}.`);
    const checked = keepLast(logs.map(parseLog));
    if (checked.length === 0) return;
    const folded: FoldedLog[] = [];
    for (const log of checked) folded.push(await runInSlices(foldLog(log), pauseForOthers, signal));
    const listEvents = (): readonly SessionEvent[] => checked.flatMap(({ events }) => events);
    await this.#change(listEvents, signal, () =>
      this.#connection.write((transaction) => writeSessions(transaction, folded, this.#counter), signal),
    );
    this.#changes.tell({ kind: 'changed', ids: checked.map(({ header }) => header.id) });
  }

  /**
   * Add events at the end of a session. Costs the same however long the session is.
   *
   * @param id - the session.
   * @param events - the first `seq` must follow the last one stored.
   * @param signal - cancels; then nothing was changed.
   */
  async append(id: string, events: readonly SessionEvent[], signal?: AbortSignal): Promise<void> {
    throwIfCancelled(signal);
    checkId(id);
    if (!Array.isArray(events)) throw invalidLog(`The events must be an array, not ${describeType(events)}.`);
    const added = copy(events);
    await this.#guard(id, () =>
      this.#change(
        () => added,
        signal,
        () => this.#connection.write((transaction) => appendEvents(transaction, id, added, this.#counter), signal),
      ),
    );
    this.#changes.tell({ kind: 'changed', ids: [id] });
  }

  /**
   * Forget a session, also one that cannot be read.
   *
   * @param id - the session.
   * @param signal - cancels; then nothing was changed.
   * @returns whether there was one.
   */
  async delete(id: string, signal?: AbortSignal): Promise<boolean> {
    if (typeof id !== 'string') return false;
    const existed = await this.#change(
      () => [],
      signal,
      () => this.#connection.write((transaction) => deleteSession(transaction, id), signal),
    );
    if (existed) this.#changes.tell({ kind: 'deleted', ids: [id] });
    return existed;
  }

  /**
   * Every session there is, newest first, with title, number of messages and time of the last change. Reads no logs,
   * and only what changed since the last call: the same array again when nothing did.
   *
   * @param signal - cancels.
   */
  async listSessions(signal?: AbortSignal): Promise<readonly SessionRecord[]> {
    return await this.#coded(() => this.#list.list(signal));
  }

  /**
   * One title per id, from the same copy as the list.
   *
   * @param ids - of sessions.
   * @param signal - cancels.
   */
  async readTitleSnapshots(
    ids: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly SessionTitleObservationResult[]> {
    if (!Array.isArray(ids)) throw invalidIds(ids);
    await this.#coded(() => this.#list.update(signal));
    return ids.map((sessionId) => {
      const record = this.#list.find(sessionId);
      if (record === undefined) return { sessionId, status: 'rejected', reason: unknownSession(sessionId) };
      const { header, title, problem } = record;
      if (problem !== undefined) return { sessionId, status: 'rejected', reason: spoiled(sessionId, problem) };
      const observed = typeof title === 'string' ? { title: { title } } : {};
      return { sessionId, status: 'fulfilled', value: { session: header, ...observed } };
    });
  }

  /**
   * The surface of a session. Reads the part of its log that is on the surface.
   *
   * @param id - the session.
   * @param signal - cancels.
   */
  async readSurface(id: string, signal?: AbortSignal): Promise<SessionSurfaceSnapshot> {
    return await this.#readOne(id, signal, (transaction) => readSurface(transaction, id));
  }

  /**
   * The end of a conversation, and its checkpoints. Costs the same however long the session is.
   *
   * @param id - the session.
   * @param bytes - how much text is wanted, in UTF-8 bytes.
   * @param signal - cancels.
   */
  async readConversation(id: string, bytes: number, signal?: AbortSignal): Promise<SessionConversationSnapshot> {
    return await this.#readOne(id, signal, (transaction) => readConversation(transaction, id, bytes));
  }

  /**
   * A whole session, as it can be put into another store.
   *
   * @param id - the session.
   * @param signal - cancels.
   */
  async readLog(id: string, signal?: AbortSignal): Promise<SessionLog> {
    return await this.#readOne(id, signal, (transaction) => readLog(transaction, id));
  }

  /**
   * Be told about changes: those of this store, and those of others with the same name in other tabs and workers.
   *
   * @param listener - called after the change was written.
   * @returns what ends it.
   */
  subscribe(listener: ChangeListener): () => void {
    return this.#changes.subscribe(listener);
  }

  /**
   * Ask the browser not to clear the storage of this origin when space gets short. It may ask the person, so this is
   * never called by the library itself. Only pages can ask, workers cannot.
   *
   * @returns whether the browser agreed.
   */
  requestPersistence(): Promise<boolean> {
    return requestPersistence();
  }

  /** How much space this origin uses and may use, or `undefined` where the browser does not tell. */
  estimate(): Promise<StorageSpace | undefined> {
    return estimateSpace();
  }

  /** Close the database and stop telling about changes. Later calls reject with `STORE_FAILED`. */
  close(): void {
    this.#changes.close();
    this.#connection.close();
  }

  async #readOne<Result>(
    id: string,
    signal: AbortSignal | undefined,
    read: (transaction: ReadTransaction) => Promise<Result>,
  ): Promise<Result> {
    checkId(id);
    return await this.#guard(id, () => this.#coded(() => this.#connection.read(read, signal)));
  }

  /** A session that turns out to be damaged spoils itself only: it is marked in the list. */
  async #guard<Result>(id: string, run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof SpoiledSession)) throw error;
      await this.#list.spoil(id, error.problem);
      throw spoiled(id, error.problem);
    }
  }

  async #change<Result>(
    listEvents: () => readonly SessionEvent[],
    signal: AbortSignal | undefined,
    run: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#coded(run);
    } catch (error) {
      const { cause } = error as { readonly cause?: unknown };
      if (!hasName(cause, 'QuotaExceededError')) throw error;
      const needed = await runInSlices(measureEvents(listEvents()), pauseForOthers, signal);
      throw quotaExceeded(needed, await estimateSpace(), cause);
    }
  }

  async #coded<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (isSessionReferenceError(error) || error instanceof SpoiledSession) throw error;
      throw storeFailed('The session store failed.', error);
    }
  }
}

function parseLog(log: unknown): SessionLog {
  if (!isRecord(log)) throw invalidLog(`A session log must be an object, not ${describeType(log)}.`);
  const header = parseSessionHeader(log.header);
  if (!Array.isArray(log.events)) {
    throw invalidLog(`A session log's events must be an array, not ${describeType(log.events)}.`);
  }
  return { header: parseSessionHeader(toPlain(header)), events: copy(log.events) };
}

/** Of logs with the same id the last one, where it stands. */
function keepLast(logs: readonly SessionLog[]): readonly SessionLog[] {
  const last = new Map(logs.map((log) => [log.header.id, log]));
  return logs.filter((log) => last.get(log.header.id) === log);
}

/** What is checked must be what is written, whatever the caller does to the array in between. */
function copy(events: readonly unknown[]): readonly SessionEvent[] {
  return events.slice() as unknown as readonly SessionEvent[];
}

/** The header as JSON holds it, like the events. */
function toPlain(header: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(header));
  } catch (cause) {
    throw invalidLog('The session header cannot be written as JSON.', cause);
  }
}

function checkId(id: unknown): void {
  if (typeof id !== 'string') throw unknownSession(id);
}

function spoiled(id: string, problem: string): SessionReferenceError {
  return storeFailed(`The session ${quoteInput(id)} cannot be read. ${problem}`);
}

function invalidOption(name: string, allowed: string): SessionReferenceError {
  const message = `The store's ${name} must be ${allowed}.`;
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_CONFIG', message);
}
