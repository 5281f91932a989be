import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { MemorySessionStore } from '../../src/index.ts';
import { IndexedDbSessionStore } from '../../src/stores/indexeddb.ts';
import { runStoreSuite, STORE_CASES } from './store-suite.ts';

const RUNS = Number(process.env.LAW_RUNS ?? 150);
let databases = 0;

it.each([
  ['MemorySessionStore', () => new MemorySessionStore()],
  ['IndexedDbSessionStore', () => new IndexedDbSessionStore({ name: `store ${databases++}` })],
])('%s keeps what a store promises', async (name, create) => {
  const report = await runStoreSuite(name, create, RUNS);
  expect(report.failures).toEqual([]);
  expect(report.executed).toBe(STORE_CASES);
});
