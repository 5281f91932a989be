import { throwIfCancelled, untilCancelled } from '../../cancellation.ts';
import { isSessionReferenceError } from '../../error.ts';
import { storeFailed } from '../store-errors.ts';
import { hasName, SpoiledSession } from './failures.ts';
import { type ConnectionOptions, openDatabase } from './open-database.ts';
import { type ReadTransaction, STORE_NAMES, type StoreDatabase, type WriteTransaction } from './schema.ts';
import { settle } from './transaction.ts';

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
