import { openDB, unwrap } from 'idb';
import { isSessionReferenceError } from '../../error.ts';
import { storeFailed } from '../store-errors.ts';
import { connectionLost, hasName } from './failures.ts';
import type { Schema, StoreDatabase, StoreSchema } from './schema.ts';

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

/**
 * Open the database, or reject within the time limit.
 *
 * @param options - see {@link ConnectionOptions}.
 * @param onLost - told when the connection cannot be used any more.
 * @throws SessionReferenceError `STORE_FAILED`.
 */
export function openDatabase(options: ConnectionOptions, onLost: () => void): Promise<StoreDatabase> {
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
        upgrade: (database, oldVersion, _newVersion, transaction) => {
          // An upgrade takes as long as it takes; nothing stands in its way any more.
          clearTimeout(timer);
          // Must be heard: an upgrade that the browser cuts short may never end.
          unwrap(database).addEventListener('close', () => reject(toOpenFailure(connectionLost())));
          // Must be handled: when it fails, so does the opening.
          transaction.done.catch(() => undefined);
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
