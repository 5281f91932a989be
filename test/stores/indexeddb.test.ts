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

it('keeps many sessions at once, in the order in which they came, and tells once', async () => {
  const store = new IndexedDbSessionStore({ name: createName() });
  await store.put(logOf('replaced', [userEvent(0, 'old'), userEvent(1, 'older')]));
  const changes: unknown[] = [];
  store.subscribe((change) => changes.push(change));
  const ids = Array.from({ length: 150 }, (_, index) => `s${index}`);
  const logs = [...ids, 'replaced', 's7'].map((id, index) => logOf(id, [userEvent(0, `text ${index}`)]));
  await store.putAll(logs);
  const kept = [...ids.filter((id) => id !== 's7'), 'replaced', 's7'];
  expect(changes).toEqual([{ kind: 'changed', ids: kept }]);
  expect((await store.listSessions()).map(({ header }) => header.id)).toEqual(kept.toReversed());
  for (const log of logs.filter((one) => one !== logs[7])) await expectHolds(store, log, [0, 100]);
  await store.putAll([]);
  expect(changes).toHaveLength(1);
});

it('keeps none of many sessions when one is no log, when the list is none, and when it is cancelled', async () => {
  const store = new IndexedDbSessionStore({ name: createName() });
  const code = 'SESSION_REFERENCE_INVALID_LOG';
  await expect(store.putAll([logOf('a'), logOf('b', [userEvent(3, 'gap')])])).rejects.toMatchObject({ code });
  await expect(store.putAll('x' as never)).rejects.toMatchObject({ code });
  await expect(store.putAll([logOf('a')], AbortSignal.abort())).rejects.toMatchObject({
    code: 'SESSION_REFERENCE_CANCELLED',
  });
  expect(await store.listSessions()).toEqual([]);
});
