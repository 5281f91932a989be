/** What is stored under one key. */
export type StoredValue = readonly [key: IDBValidKey, value: unknown];

/** An object store, as plain data. */
export interface StoredRows {
  readonly store: string;
  readonly keyPath?: string;
  /** Names of indexes, each over the field of the same name. */
  readonly indexes?: readonly string[];
  readonly rows: readonly StoredValue[];
}

/**
 * Make a database without any code of the library.
 *
 * @param name - of the database.
 * @param version - of the database.
 * @param stores - everything that is in it.
 */
export async function createPlainDatabase(name: string, version: number, stores: readonly StoredRows[]): Promise<void> {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = (): void => {
    for (const { store, keyPath, indexes = [], rows } of stores) {
      const created = request.result.createObjectStore(store, keyPath === undefined ? {} : { keyPath });
      for (const index of indexes) created.createIndex(index, index);
      for (const [key, value] of rows) created.put(value, keyPath === undefined ? key : undefined);
    }
  };
  (await endOf(request)).close();
}

/**
 * Change what is stored, behind the back of the library.
 *
 * @param name - of the database.
 * @param store - an object store of it.
 * @param key - what to change.
 * @param change - makes the new value of the old one; `undefined` deletes it.
 */
export async function changePlainRow(
  name: string,
  store: string,
  key: IDBValidKey,
  change: (value: never) => unknown,
): Promise<void> {
  const database = await endOf(indexedDB.open(name));
  const rows = database.transaction(store, 'readwrite').objectStore(store);
  const value: unknown = await endOf(rows.get(key));
  if (value === undefined) throw new Error(`There is nothing in ${store} to change.`);
  const changed = change(value as never);
  if (changed === undefined) await endOf(rows.delete(key));
  else await endOf(rows.keyPath === null ? rows.put(changed, key) : rows.put(changed));
  database.close();
}

/**
 * Wait for a request.
 *
 * @param request - of IndexedDB.
 */
export function endOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = (): void => resolve(request.result);
    request.onerror = (): void => reject(request.error);
  });
}
