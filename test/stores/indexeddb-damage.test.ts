import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { SessionReferences } from '../../src/index.ts';
import { IndexedDbSessionStore } from '../../src/stores/indexeddb.ts';
import { changePlainRow } from './plain-database.ts';
import { checkpointEvent, expectHolds, logOf, titleEvent, userEvent } from './store-suite.ts';

const STORE_FAILED = { code: 'SESSION_REFERENCE_STORE_FAILED' };
const SECRET = 'what nobody else may read';
const EVENTS = [titleEvent(0, 'Plan'), userEvent(1, SECRET), userEvent(2, 'two'), checkpointEvent(3, SECRET, 1, 1)];

const CALLS = {
  readSurface: (store: IndexedDbSessionStore) => store.readSurface('s'),
  readLog: (store: IndexedDbSessionStore) => store.readLog('s'),
  readConversation: (store: IndexedDbSessionStore) => store.readConversation('s', 1_000),
  append: (store: IndexedDbSessionStore) => store.append('s', [userEvent(4, 'more')]),
};

type Read = keyof typeof CALLS;

interface Damage {
  readonly name: string;
  readonly store: string;
  readonly key: string | readonly [id: string, place: number];
  /** `undefined` deletes it. */
  readonly change: (value: never) => unknown;
  /** What cannot be done any more. */
  readonly fails: readonly Read[];
}

type Row = { readonly [field: string]: unknown };
type Lines = { readonly lines: readonly string[] };

const ALL: readonly Read[] = ['readSurface', 'readLog', 'readConversation', 'append'];
const row = { store: 'sessions', key: 's' } as const;
const events = { store: 'events', key: ['s', 0] } as const;
const surface = { store: 'surface', key: ['s', 1] } as const;
const checkpoint = { store: 'checkpoints', key: ['s', 1] } as const;

const DAMAGES: readonly Damage[] = [
  { ...row, name: 'a row of a newer layout', change: (old: Row) => ({ ...old, layout: 2 }), fails: ALL },
  { ...row, name: 'a row without its fields', change: () => ({ id: 's' }), fails: ALL },
  {
    ...row,
    name: 'a row with the header of another session',
    change: (old: Row) => ({ ...old, header: { version: 0, id: 'other', createdAt: 1 } }),
    fails: ALL,
  },
  { ...row, name: 'a row that counts in words', change: (old: Row) => ({ ...old, nextSeq: 'four' }), fails: ALL },
  {
    ...row,
    name: 'a row that counts too many events',
    change: (old: Row) => ({ ...old, nextSeq: 9 }),
    fails: ['readLog'],
  },
  {
    ...row,
    name: 'a row that counts too few messages',
    change: (old: Row) => ({ ...old, messages: 0 }),
    fails: ['readConversation'],
  },
  { ...events, name: 'no events', change: () => undefined, fails: ['readSurface', 'readLog', 'append'] },
  {
    ...events,
    name: 'an event that is no JSON',
    change: (old: Lines) => ({ ...old, lines: old.lines.map((line) => line.slice(1)) }),
    fails: ['readSurface', 'readLog'],
  },
  {
    ...events,
    name: 'events in another order',
    change: (old: Lines) => ({ ...old, lines: [...old.lines].reverse() }),
    fails: ['readSurface', 'readLog'],
  },
  {
    ...events,
    name: 'a page of events that is none',
    change: () => 'page',
    fails: ['readSurface', 'readLog', 'append'],
  },
  { ...surface, name: 'no surface', change: () => undefined, fails: ['readConversation', 'append'] },
  {
    ...surface,
    name: 'a surface without its texts',
    change: (old: Row) => ({ ...old, texts: [] }),
    fails: ['readSurface', 'readConversation', 'append'],
  },
  { ...checkpoint, name: 'no checkpoint', change: () => undefined, fails: ['readConversation'] },
  { ...checkpoint, name: 'a checkpoint without text', change: () => ({ anchor: 1 }), fails: ['readConversation'] },
];

let databases = 0;

it.each(DAMAGES)('$name spoils that session only', async ({ store: storeName, key, change, fails }) => {
  databases += 1;
  const name = `damage ${databases}`;
  const writer = new IndexedDbSessionStore({ name });
  for (const id of ['s', 'r', 't']) await writer.put(logOf(id, EVENTS));
  writer.close();
  await changePlainRow(name, storeName, key as IDBValidKey, change);

  const store = new IndexedDbSessionStore({ name });
  for (const read of fails) {
    const call = CALLS[read](store);
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error, read).toMatchObject(STORE_FAILED);
    expect((error as Error).message).not.toContain(SECRET);
  }
  const records = await store.listSessions();
  const found = records.filter(({ problem }) => problem !== undefined);
  expect(found.map(({ header }) => header.id)).toEqual(['s']);
  expect(found[0]?.problem).not.toContain(SECRET);
  const [title] = await store.readTitleSnapshots(['s']);
  expect(title).toMatchObject({ status: 'rejected', reason: STORE_FAILED });

  // The others are as they were, and it can be offered, deleted and put again.
  for (const id of ['r', 't']) await expectHolds(store, logOf(id, EVENTS), [0, 1_000]);
  const candidates = await new SessionReferences(store).listCandidates({ id: 'me' });
  expect(candidates.map(({ sessionId }) => sessionId).sort()).toEqual(['r', 's', 't']);
  expect(await store.delete('s')).toBe(true);
  expect((await store.listSessions()).map(({ header }) => header.id).sort()).toEqual(['r', 't']);
  await store.put(logOf('s', EVENTS));
  await expectHolds(store, logOf('s', EVENTS), [0, 1_000]);
});

it('lists a damaged session that is put again without a problem', async () => {
  const name = 'damage put again';
  const store = new IndexedDbSessionStore({ name });
  await store.put(logOf('s', EVENTS));
  await changePlainRow(name, 'events', ['s', 0], () => 'page');
  await expect(store.readLog('s')).rejects.toMatchObject(STORE_FAILED);
  expect((await store.listSessions())[0]?.problem).toBeTypeOf('string');
  await store.put(logOf('s', EVENTS));
  await expectHolds(store, logOf('s', EVENTS), [0, 1_000]);
});
