import { openDB, unwrap } from 'idb';
import { throwIfCancelled, untilCancelled } from '../../cancellation.ts';
import { isSessionReferenceError } from '../../error.ts';
import { hasName, SpoiledSession, storeFailed } from './failures.ts';
import {
  type ReadTransaction,
  type Schema,
  STORE_NAMES,
  type StoreDatabase,
  type StoreSchema,
  type WriteTransaction,
} from './schema.ts';

/** How to connect. */
export interface ConnectionOptions {
  /** The name of the database. */
  readonly name: string;
  readonly schema: Schema;
  /** How long opening may take, in ms. */
  readonly openTimeout: number;
  /** When a write counts as done: once the operating system has it, or once the disk has. */
  readonly durability: 'relaxed' | 'strict';
}

/** Names under which browsers report that the connection is gone and the transaction with it. */
const LOST_NAMES = ['AbortError', 'InvalidStateError', 'UnknownError'];

/**
 * The one connection of a store: opened with the first call, shared by all, given up as soon as another tab wants to
 * upgrade or delete the database, and opened again with the next call.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  #opening: Promise<StoreDatabase> | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /**
   * Read, in one transaction.
   *
   * @param work - awaits nothing but requests of the transaction.
   * @param signal - aborts the transaction.
   */
  read<Result>(work: (transaction: ReadTransaction) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#repeatOnce((database) => {
      const transaction = database.transaction(STORE_NAMES, 'readonly');
      return settle(transaction, work(transaction), signal);
    }, signal);
  }

  /**
   * Change something, in one transaction: whatever `work` throws, nothing took effect.
   *
   * @param work - awaits nothing but requests of the transaction. May be run a second time.
   * @param signal - aborts the transaction.
   */
  write<Result>(work: (transaction: WriteTransaction) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const { durability } = this.#options;
    return this.#repeatOnce((database) => {
      const transaction = database.transaction(STORE_NAMES, 'readwrite', { durability });
      return settle(transaction, work(transaction), signal);
    }, signal);
  }

  /** Give the connection up for good. */
  close(): void {
    this.#isClosed = true;
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.then(
      (database) => database.close(),
      () => undefined,
    );
  }

  /** Run something, and once more on a new connection when the old one turns out to be lost. */
  async #repeatOnce<Result>(
    run: (database: StoreDatabase) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    throwIfCancelled(signal);
    for (let attempt = 1; ; attempt += 1) {
      const opening = this.#open();
      const database = await untilCancelled(opening, signal);
      try {
        return await run(database);
      } catch (error) {
        throwIfCancelled(signal);
        if (isSessionReferenceError(error) || error instanceof SpoiledSession) throw error;
        if (!hasName(error, ...LOST_NAMES)) throw error;
        this.#drop(opening, database);
        if (attempt === 2) throw error;
      }
    }
  }

  #open(): Promise<StoreDatabase> {
    if (this.#isClosed) return Promise.reject(storeFailed('The session store was closed.'));
    if (this.#opening !== undefined) return this.#opening;
    const opening = openDatabase(this.#options, () => this.#forget(opening));
    this.#opening = opening;
    // Must not be kept: the next call tries again.
    opening.catch(() => this.#forget(opening));
    return opening;
  }

  #drop(opening: Promise<StoreDatabase>, database: StoreDatabase): void {
    this.#forget(opening);
    database.close();
  }

  #forget(opening: Promise<StoreDatabase>): void {
    if (this.#opening === opening) this.#opening = undefined;
  }
}

/** Wait for the work and for its transaction, and make sure that a failure of one is a failure of both. */
async function settle<Result>(
  wrapped: ReadTransaction | WriteTransaction,
  working: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const transaction = unwrap(wrapped as WriteTransaction);
  const finished = waitForEnd(transaction);
  // Must be handled: why it failed is asked of the transaction itself, once it is over.
  wrapped.done.catch(() => undefined);
  let isAborted = false;
  const abort = (): void => {
    isAborted = abortTransaction(transaction) || isAborted;
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const result = await working;
    if (!(await finished)) throw transaction.error ?? new DOMException('The transaction was aborted.', 'AbortError');
    return result;
  } catch (error) {
    abort();
    await finished;
    // Requests fail with an AbortError of their own; why the transaction was aborted is known to the transaction.
    throw isAborted ? error : (transaction.error ?? error);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** @returns whether the transaction took effect, once it is over. */
function waitForEnd(transaction: IDBTransaction): Promise<boolean> {
  return new Promise((resolve) => {
    transaction.addEventListener('complete', () => resolve(true));
    transaction.addEventListener('abort', () => resolve(false));
  });
}

/** @returns whether this is what ended the transaction. */
function abortTransaction(transaction: IDBTransaction): boolean {
  try {
    transaction.abort();
    return true;
  } catch {
    // It is over already.
    return false;
  }
}

/** Open the database, or reject within the time limit. */
function openDatabase(options: ConnectionOptions, onLost: () => void): Promise<StoreDatabase> {
  const { name, schema, openTimeout } = options;
  const version = schema.migrations.length;
  return new Promise((resolve, reject) => {
    let isBlocked = false;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(openTimedOut(isBlocked, openTimeout));
    }, openTimeout);
    openWithin(() =>
      openDB<StoreSchema>(name, version, {
        upgrade: (database, oldVersion) => {
          // An upgrade takes as long as it takes; nothing stands in its way any more.
          clearTimeout(timer);
          for (const migrate of schema.migrations.slice(oldVersion)) migrate(database);
        },
        blocked: () => {
          isBlocked = true;
        },
        blocking: (_current, _wanted, event) => {
          // Must happen at once: the other tab waits.
          (event.target as IDBDatabase).close();
          onLost();
        },
        terminated: onLost,
      }),
    ).then(
      (database) => {
        clearTimeout(timer);
        if (isLate) database.close();
        else resolve(database);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(toOpenFailure(error));
      },
    );
  });
}

/** Some browsers throw where others reject. */
async function openWithin(open: () => Promise<StoreDatabase>): Promise<StoreDatabase> {
  if ((globalThis as { readonly indexedDB?: unknown }).indexedDB === undefined) {
    throw storeFailed('This browser offers no IndexedDB here, so sessions cannot be kept.');
  }
  return await open();
}

function openTimedOut(isBlocked: boolean, milliseconds: number): Error {
  return storeFailed(
    isBlocked
      ? 'The session store is held by another tab with an older version of this page; close or reload that tab.'
      : `The session store could not be opened within ${milliseconds} ms; another tab may hold it.`,
  );
}

function toOpenFailure(error: unknown): unknown {
  if (isSessionReferenceError(error)) return error;
  if (hasName(error, 'VersionError')) {
    return storeFailed('The session store was written by a newer version of this page; reload it.', error);
  }
  return storeFailed('The session store could not be opened.', error);
}
