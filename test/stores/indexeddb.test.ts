import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { IndexedDbSessionStore } from '../../src/stores/indexeddb.ts';
import { logOf, titleEvent } from './store-suite.ts';

let databases = 0;

function createName(): string {
  databases += 1;
  return `indexeddb ${databases}`;
}

/** Waits for a request of plain IndexedDB. */
function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = (): void => resolve(request.result);
    request.onerror = (): void => reject(request.error);
  });
}

it('lists what is there after the database was deleted and written again', async () => {
  const name = createName();
  const store = new IndexedDbSessionStore({ name });
  await store.put(logOf('old'));
  await store.put(logOf('other'));
  expect(await store.listSessions()).toHaveLength(2);
  await done(indexedDB.deleteDatabase(name));
  expect(await store.listSessions()).toEqual([]);
  const writer = new IndexedDbSessionStore({ name });
  // As many writes as before: the revision alone does not tell the two databases apart.
  await writer.put(logOf('new'));
  await writer.append('new', [titleEvent(0, 'New')]);
  expect((await store.listSessions()).map(({ title }) => title)).toEqual(['New']);
});
