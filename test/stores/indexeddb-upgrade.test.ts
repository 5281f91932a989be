import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import type { SessionLog } from '../../src/index.ts';
import { Connection } from '../../src/stores/indexeddb/connection.ts';
import { SCHEMA } from '../../src/stores/indexeddb/schema.ts';
import { IndexedDbSessionStore } from '../../src/stores/indexeddb.ts';
import { createPlainDatabase, type StoredRows } from './plain-database.ts';
import { checkpointEvent, expectHolds, logOf, titleEvent, userEvent } from './store-suite.ts';

/** What every database of the table holds. */
const LOG: SessionLog = logOf('s', [
  titleEvent(0, 'Plan'),
  userEvent(1, 'one'),
  userEvent(2, 'two'),
  checkpointEvent(3, 'summary', 1, 2),
  userEvent(4, 'three 🦊'),
  { type: 'tool/result', seq: 5, time: 1_005, data: {} },
]);

const LINES = LOG.events.map((event) => JSON.stringify(event));

/**
 * The databases of every released version, as that version wrote them. A new version adds a row, and changes none: the
 * rows are what lies on the disks of people.
 */
const RELEASED: readonly (readonly StoredRows[])[] = [
  [
    { store: 'state', rows: [['state', { revision: 2, removals: 0 }]] },
    {
      store: 'sessions',
      keyPath: 'id',
      indexes: ['revision'],
      rows: [
        [
          's',
          {
            id: 's',
            layout: 1,
            header: { version: 0, id: 's', createdAt: 1 },
            title: 'Plan',
            nextSeq: 6,
            changedAt: 1_005,
            messages: 2,
            checkpoints: 1,
            bytes: 10,
            openSurfacePages: [{ first: 1, size: 44 }],
            openEventPages: [{ first: 0, size: LINES.join('').length }],
            arrival: 1,
            revision: 2,
          },
        ],
      ],
    },
    { store: 'events', rows: [[['s', 0], { first: 0, lines: LINES }]] },
    {
      store: 'surface',
      rows: [
        [['s', 1], { first: 1, anchors: [1, 4, 5], seqs: [3, 4, 5], roles: 'cu-', texts: ['three 🦊'], bytes: 10 }],
      ],
    },
    { store: 'checkpoints', rows: [[['s', 1], { anchor: 1, text: 'summary' }]] },
    { store: 'replacements', rows: [[['s', 3], 1]] },
  ],
];

let databases = 0;

async function createReleased(version: number): Promise<string> {
  databases += 1;
  const name = `upgrade ${databases}`;
  await createPlainDatabase(name, version, RELEASED[version - 1] ?? []);
  return name;
}

it('has the database of every version in its table', () => {
  expect(RELEASED).toHaveLength(SCHEMA.migrations.length);
});

it.each(RELEASED.map((_, index) => index + 1))('reads and goes on with a database of version %d', async (version) => {
  const store = new IndexedDbSessionStore({ name: await createReleased(version) });
  await expectHolds(store, LOG, [0, 5, 100]);
  const added = [checkpointEvent(6, 'all of it', 3, 4), titleEvent(7, 'Done')];
  await store.append('s', added);
  await expectHolds(store, logOf('s', [...LOG.events, ...added]), [0, 100]);
  await store.put(logOf('other', [userEvent(0, 'new')]));
  await expectHolds(store, logOf('other', [userEvent(0, 'new')]), [0, 100]);
  expect(await store.delete('s')).toBe(true);
});

it('writes what the table says of the newest version', async () => {
  const name = await createReleased(SCHEMA.migrations.length);
  databases += 1;
  const store = new IndexedDbSessionStore({ name: `upgrade ${databases}` });
  await store.put(logOf('s', LOG.events.slice(0, 4)));
  await store.append('s', LOG.events.slice(4));
  expect(await dump(`upgrade ${databases}`)).toEqual(await dump(name));
});

/** Everything in a database, and how it is laid out. */
async function dump(name: string): Promise<unknown> {
  const connection = new Connection({ name, openTimeout: 4_000, durability: 'relaxed', schema: SCHEMA });
  return connection.read(async (transaction) => {
    const stores: unknown[] = [];
    for (const storeName of transaction.objectStoreNames) {
      const store = transaction.objectStore(storeName);
      const [keys, values] = [await store.getAllKeys(), await store.getAll()];
      stores.push({ storeName, keyPath: store.keyPath, indexes: [...store.indexNames], keys, values });
    }
    return stores;
  });
}

it('runs the steps that are missing, in order, and only once', async () => {
  const name = await createReleased(1);
  const ran: string[] = [];
  const first = SCHEMA.migrations.slice(0, 1);
  const migrations = [...first, (): void => void ran.push('second'), (): void => void ran.push('third')];
  for (let round = 0; round < 2; round += 1) {
    const connection = new Connection({ name, openTimeout: 4_000, durability: 'relaxed', schema: { migrations } });
    expect(await connection.read((transaction) => transaction.objectStore('sessions').count())).toBe(1);
    connection.close();
  }
  expect(ran).toEqual(['second', 'third']);
});

it('keeps the old version when a step fails', async () => {
  const name = await createReleased(1);
  const failing = (): void => {
    throw new Error('no');
  };
  const schema = { migrations: [...SCHEMA.migrations.slice(0, 1), failing] };
  const connection = new Connection({ name, openTimeout: 4_000, durability: 'relaxed', schema });
  const outcome = connection.read((transaction) => transaction.objectStore('sessions').count());
  await expect(outcome).rejects.toMatchObject({ code: 'SESSION_REFERENCE_STORE_FAILED' });
  await expectHolds(new IndexedDbSessionStore({ name }), LOG, [0]);
});
