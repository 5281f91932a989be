import { unwrap } from 'idb';
import { storeFailed } from '../store-errors.ts';
import { connectionLost } from './failures.ts';
import type { ReadTransaction, WriteTransaction } from './schema.ts';

/**
 * Wait for the work and for its transaction, and make sure that a failure of one is a failure of both.
 *
 * @param wrapped - the transaction.
 * @param working - what is done in it.
 * @param signal - aborts the transaction.
 * @throws a `DOMException` of the browser, or `STORE_FAILED` when it cannot be known whether a change was kept.
 */
export async function settle<Result>(
  wrapped: ReadTransaction | WriteTransaction,
  working: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const transaction = unwrap(wrapped as WriteTransaction);
  const ending = waitForEnd(transaction);
  // Must be handled: why it failed is asked of the transaction itself, once it is over.
  wrapped.done.catch(() => undefined);
  let isAborted = false;
  const abort = (): void => {
    isAborted = abortTransaction(transaction) || isAborted;
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const result = await Promise.race([working, rejectWhenLost(ending)]);
    const end = await ending;
    if (end === 'completed') return result;
    if (end === 'lost' && transaction.mode !== 'readonly') throw outcomeUnknown();
    throw transaction.error ?? connectionLost();
  } catch (error) {
    abort();
    await ending;
    // Requests fail with an AbortError of their own; why the transaction was aborted is known to the transaction.
    throw isAborted ? error : (transaction.error ?? error);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** How a transaction went: `lost` when the browser closed the connection and never told. */
type TransactionEnd = 'completed' | 'aborted' | 'lost';

/** How long after the end of a connection the end of its transactions is waited for, in ms. */
const LAST_EVENTS = 1_000;

function waitForEnd(transaction: IDBTransaction): Promise<TransactionEnd> {
  return new Promise((resolve) => {
    // Must not be relied on alone: when Chromium clears the storage, the events of a transaction can be missing.
    const close = (): void => void setTimeout(() => resolve('lost'), LAST_EVENTS);
    const end = (how: TransactionEnd): void => {
      transaction.db.removeEventListener('close', close);
      resolve(how);
    };
    transaction.db.addEventListener('close', close);
    transaction.addEventListener('complete', () => end('completed'));
    transaction.addEventListener('abort', () => end('aborted'));
  });
}

/** Requests of a lost connection may never end either. */
async function rejectWhenLost(ending: Promise<TransactionEnd>): Promise<never> {
  if ((await ending) === 'lost') throw connectionLost();
  return new Promise<never>(() => undefined);
}

function outcomeUnknown(): Error {
  return storeFailed('The browser closed the session store and did not tell whether the last change was kept.');
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
