import { isSessionReferenceError } from '../../error.ts';
import type { SessionRecord } from '../../session/query.ts';
import type { Connection } from './connection.ts';
import { readState } from './database-state.ts';
import { hasName, SpoiledSession } from './failures.ts';
import type { DatabaseState, ReadTransaction } from './schema.ts';
import { parseSessionRow, toRecord, toSpoiledRecord } from './session-row.ts';

/** One session, in the copy. */
interface Entry {
  readonly record: SessionRecord;
  readonly arrival: number;
}

/** What a copy is of. */
interface Observation {
  readonly state: DatabaseState;
  /** The connection: behind another one there may be another database, after someone cleared the storage. */
  readonly database: unknown;
  /** Counts the observations. */
  readonly order: number;
}

/** What changed in the database since a copy was made. */
interface Update extends Observation {
  readonly rows: readonly { readonly id: string; readonly value: unknown }[];
  /** Every id there is, where sessions were deleted or all were read. */
  readonly ids?: readonly string[];
}

/**
 * A copy of all session records in memory, so that a list costs one small read: that of the revision. What another tab
 * changed since is read, and nothing else.
 */
export class SessionList {
  readonly #connection: Connection;
  readonly #entries = new Map<string, Entry>();
  readonly #problems = new Map<string, { readonly record: SessionRecord; readonly problem: string }>();
  #known: Observation | undefined;
  #observations = 0;
  #records: readonly SessionRecord[] | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Every session, newest first. The same array as before while nothing changed.
   *
   * @param signal - cancels.
   */
  async list(signal: AbortSignal | undefined): Promise<readonly SessionRecord[]> {
    await this.update(signal);
    this.#records ??= [...this.#entries.values()].sort(byAge).map(({ record }) => this.#withProblem(record));
    return this.#records;
  }

  /**
   * One session, as of the last update.
   *
   * @param id - the session.
   */
  find(id: string): SessionRecord | undefined {
    const record = this.#entries.get(id)?.record;
    return record === undefined ? undefined : this.#withProblem(record);
  }

  /**
   * Remember that a session turned out to be damaged, until it changes.
   *
   * @param id - the session.
   * @param problem - what is wrong.
   */
  async spoil(id: string, problem: string): Promise<void> {
    // Must be up to date: what is remembered is forgotten when the record changes. A list that fails, tells so itself.
    await this.update(undefined).catch(() => undefined);
    const record = this.#entries.get(id)?.record;
    if (record === undefined) return;
    this.#problems.set(id, { record, problem });
    this.#records = undefined;
  }

  /**
   * Bring the copy up to date.
   *
   * @param signal - cancels.
   */
  async update(signal: AbortSignal | undefined): Promise<void> {
    const known = this.#known;
    let update: Update | undefined;
    try {
      update = await this.#connection.read(async (transaction) => {
        return readUpdate(transaction, known, await this.#observe(transaction));
      }, signal);
    } catch (error) {
      // One value that the browser cannot read fails them all: they are asked for one by one.
      if (isSessionReferenceError(error) || hasName(error, 'AbortError', 'InvalidStateError')) throw error;
      update = await this.#readOneByOne(signal, error);
    }
    if (update !== undefined) this.#apply(update);
  }

  async #readOneByOne(signal: AbortSignal | undefined, cause: unknown): Promise<Update> {
    const { observation, ids } = await this.#connection.read(async (transaction) => {
      const observed = await this.#observe(transaction);
      return { observation: observed, ids: await transaction.objectStore('sessions').getAllKeys() };
    }, signal);
    const rows: { id: string; value: unknown }[] = [];
    for (const id of ids) {
      const read = this.#connection.read((transaction) => transaction.objectStore('sessions').get(id), signal);
      rows.push({ id, value: await read.catch(() => UNREADABLE) });
    }
    if (rows.length > 0 && rows.every(({ value }) => value === UNREADABLE)) throw cause;
    return { ...observation, rows, ids };
  }

  async #observe(transaction: ReadTransaction): Promise<Observation> {
    this.#observations += 1;
    const order = this.#observations;
    return { state: await readState(transaction), database: transaction.db, order };
  }

  #apply({ rows, ids, ...observation }: Update): void {
    // Must not go back: of two reads at once the older one may end last.
    if (this.#known !== undefined && !isNewer(observation, this.#known)) return;
    this.#known = observation;
    this.#records = undefined;
    for (const { id, value } of rows) {
      this.#entries.set(id, toEntry(id, value));
      this.#problems.delete(id);
    }
    if (ids === undefined) return;
    const present = new Set(ids);
    for (const id of this.#entries.keys()) {
      if (present.has(id)) continue;
      this.#entries.delete(id);
      this.#problems.delete(id);
    }
  }

  #withProblem(record: SessionRecord): SessionRecord {
    const spoiled = this.#problems.get(record.header.id);
    return spoiled?.record === record ? { ...record, problem: spoiled.problem } : record;
  }
}

/** Stands for a row that the browser cannot read. */
const UNREADABLE = Symbol('unreadable');

function isNewer(one: Observation, other: Observation): boolean {
  return one.database === other.database ? one.state.revision > other.state.revision : one.order > other.order;
}

/** @returns `undefined` when nothing changed. */
async function readUpdate(
  transaction: ReadTransaction,
  known: Observation | undefined,
  observation: Observation,
): Promise<Update | undefined> {
  const sessions = transaction.objectStore('sessions');
  const { state, database } = observation;
  if (known === undefined || known.database !== database) {
    const [ids, values] = await Promise.all([sessions.getAllKeys(), sessions.getAll()]);
    return { ...observation, rows: ids.map((id, index) => ({ id, value: values[index] })), ids };
  }
  if (state.revision === known.state.revision) return undefined;
  const changed = IDBKeyRange.lowerBound(known.state.revision, true);
  const index = sessions.index('revision');
  const [keys, values] = await Promise.all([index.getAllKeys(changed), index.getAll(changed)]);
  const rows = keys.map((id, position) => ({ id, value: values[position] }));
  if (state.removals === known.state.removals) return { ...observation, rows };
  return { ...observation, rows, ids: await sessions.getAllKeys() };
}

function toEntry(id: string, value: unknown): Entry {
  try {
    const row = parseSessionRow(value);
    return { record: toRecord(row), arrival: row.arrival };
  } catch (error) {
    if (!(error instanceof SpoiledSession)) throw error;
    return { record: toSpoiledRecord(id, value, error.problem), arrival: 0 };
  }
}

function byAge(one: Entry, other: Entry): number {
  return other.record.header.createdAt - one.record.header.createdAt || other.arrival - one.arrival;
}
