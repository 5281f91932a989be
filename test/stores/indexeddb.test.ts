import 'fake-indexeddb/auto';
import { forceCloseDatabase } from 'fake-indexeddb';
import { afterEach, expect, it, vi } from 'vitest';
import { IndexedDbSessionStore } from '../../src/stores/indexeddb.ts';
import { endOf } from './plain-database.ts';
import { expectHolds, logOf, titleEvent, userEvent } from './store-suite.ts';

let databases = 0;

afterEach(() => void vi.restoreAllMocks());

function createName(): string {
  databases += 1;
  return `indexeddb ${databases}`;
}

it('B98: opens one connection, however many callers race', async () => {
  const name = createName();
  await new IndexedDbSessionStore({ name }).put(logOf('a'));
  const open = vi.spyOn(indexedDB, 'open');
  const store = new IndexedDbSessionStore({ name });
  const lists = await Promise.all(Array.from({ length: 10 }, () => store.listSessions()));
  expect(lists.map((list) => list.length)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(open).toHaveBeenCalledTimes(1);
});

it('lists what is there after the database was deleted and written again', async () => {
  const name = createName();
  const store = new IndexedDbSessionStore({ name });
  await store.put(logOf('old'));
  await store.put(logOf('other'));
  expect(await store.listSessions()).toHaveLength(2);
  await endOf(indexedDB.deleteDatabase(name));
  expect(await store.listSessions()).toEqual([]);
  const writer = new IndexedDbSessionStore({ name });
  // As many writes as before: the revision alone does not tell the two databases apart.
  await writer.put(logOf('new'));
  await writer.append('new', [titleEvent(0, 'New')]);
  expect((await store.listSessions()).map(({ title }) => title)).toEqual(['New']);
});

it('keeps the record of every session that did not change, also when another store writes', async () => {
  const name = createName();
  const store = new IndexedDbSessionStore({ name });
  for (const id of ['a', 'b', 'c']) await store.put(logOf(id));
  const before = await store.listSessions();
  await new IndexedDbSessionStore({ name }).append('b', [titleEvent(0, 'New')]);
  const after = await store.listSessions();
  expect(after.map((record, index) => record === before[index])).toEqual([true, false, true]);
  expect(await store.listSessions()).toBe(after);
});

/**
 * Lets the browser close the connection under the next transaction, and not tell how that one ended: as Chromium does
 * now and then when the storage is cleared.
 */
function loseNextTransaction(when: 'at its start' | 'after its end'): void {
  const proto = IDBTransaction.prototype;
  const listen = proto.addEventListener;
  let lost: IDBTransaction | undefined;
  vi.spyOn(proto, 'addEventListener').mockImplementation(function (this: IDBTransaction, ...args: unknown[]): void {
    const close = (): void => forceCloseDatabase(this.db as never);
    if (lost === undefined && when === 'at its start') {
      queueMicrotask(() => {
        this.abort();
        close();
      });
    }
    if (lost === undefined && when === 'after its end') Reflect.apply(listen, this, ['complete', close]);
    lost ??= this;
    if (this !== lost) Reflect.apply(listen, this, args);
  });
}

it.each(['at its start', 'after its end'] as const)('B101: repeats a read that was lost %s', async (when) => {
  const store = new IndexedDbSessionStore({ name: createName() });
  const log = logOf('s', [userEvent(0, 'kept')]);
  await store.put(log);
  loseNextTransaction(when);
  expect(await store.readLog('s')).toEqual(log);
});

it('repeats a write that was lost before it took effect', async () => {
  const store = new IndexedDbSessionStore({ name: createName() });
  await store.put(logOf('s'));
  loseNextTransaction('at its start');
  await store.append('s', [userEvent(0, 'kept')]);
  await expectHolds(store, logOf('s', [userEvent(0, 'kept')]), [0]);
});

it('does not repeat a write that was lost after it may have taken effect, and says so', async () => {
  const store = new IndexedDbSessionStore({ name: createName() });
  await store.put(logOf('s'));
  loseNextTransaction('after its end');
  const appending = store.append('s', [userEvent(0, 'kept')]);
  await expect(appending).rejects.toMatchObject({
    code: 'SESSION_REFERENCE_STORE_FAILED',
    message: expect.stringMatching(/whether the last change was kept/),
  });
  await expectHolds(store, logOf('s', [userEvent(0, 'kept')]), [0]);
});

it('takes null for options, and refuses a list of ids that is none', async () => {
  const store = new IndexedDbSessionStore(null);
  await expect(store.readTitleSnapshots('s' as never)).rejects.toMatchObject({
    code: 'SESSION_REFERENCE_INVALID_REFERENCE',
    message: 'The session ids must be an array, not a string.',
  });
});

it('keeps the fields of an event, whatever it makes of itself as JSON', async () => {
  class Row {
    readonly type = 'user/message';
    readonly seq = 0;
    readonly data = { content: 'hi', source: { kind: 'user' } };
    toJSON(): object {
      return { row: 1 };
    }
  }
  const store = new IndexedDbSessionStore({ name: createName() });
  await store.put({ header: { version: 0, id: 'a', createdAt: 1 }, events: [new Row()] });
  const { type, seq, data } = new Row();
  expect((await store.readLog('a')).events).toEqual([{ type, seq, data }]);
});
