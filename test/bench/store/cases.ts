import { type SessionEvent, type SessionLog, type SessionQuery, SessionReferences } from '../../../src/index.ts';
import { IndexedDbSessionStore } from '../../../src/stores/indexeddb.ts';
import type { BenchResult } from '../cases.ts';
import { createEvents } from '../conversations.ts';
import { findTitles } from '../floors.ts';
import { measure, measureInTurn, type Timing } from '../measure.ts';
import { deleteDatabase, readPagesAtOnce, writePagesAtOnce } from './floors.ts';

const DATABASE = 'bench';
const TEXT_BYTES = 200;
const LARGE = 1_000_000;
const SMALL = 1_000;

/** The cases of the IndexedDB store, one after the other; only where there is an IndexedDB. */
export async function* runStoreCases(): AsyncGenerator<BenchResult> {
  await deleteDatabase(DATABASE);
  const store = new IndexedDbSessionStore({ name: DATABASE });
  try {
    yield await measureImport(store, 10_000, 5);
    yield await measureReading(store, 10_000);
    yield await measureImport(store, LARGE, 1);
    await store.put(createLog(SMALL));
    yield await measureBoundedReads(store);
    yield await measureAppends(store);
  } finally {
    store.close();
    await deleteDatabase(DATABASE);
  }
  yield* measureList();
}

function nameOf(messages: number): string {
  return `${messages.toLocaleString('en')} messages`;
}

function createLog(messages: number): SessionLog {
  const events: readonly SessionEvent[] = createEvents(messages, TEXT_BYTES);
  return { header: { version: 0, id: nameOf(messages), createdAt: 1 }, events };
}

async function measureImport(store: IndexedDbSessionStore, messages: number, runs: number): Promise<BenchResult> {
  const log = createLog(messages);
  const timings = await measureTurns(runs, {
    floor: () => writePagesAtOnce(log.events),
    ours: () => store.put(log),
  });
  return {
    name: `IndexedDB, put ${nameOf(messages)} × ${TEXT_BYTES} B`,
    goal: 'told',
    ours: timings.ours,
    floor: { name: 'write each event as JSON once, in pages', timing: timings.floor },
  };
}

async function measureReading(store: IndexedDbSessionStore, messages: number): Promise<BenchResult> {
  const log = createLog(messages);
  await writePagesAtOnce(log.events);
  const timings = await measureInTurn(11, {
    floor: () => readPagesAtOnce(),
    ours: () => store.readSurface(log.header.id),
  });
  return {
    name: `IndexedDB, readSurface of ${nameOf(messages)}`,
    goal: 'told',
    ours: timings.ours,
    floor: { name: 'a bare getAll of the same JSON, not parsed', timing: timings.floor },
  };
}

async function measureBoundedReads(store: IndexedDbSessionStore): Promise<BenchResult> {
  const prepare = async (query: SessionQuery, messages: number): Promise<string> => {
    const service = new SessionReferences(query, {}, { createId: () => 'same' });
    return JSON.stringify(await service.prepare({ id: 'target' }, [], [{ sessionId: nameOf(messages) }]));
  };
  const timings = await measureInTurn(21, {
    small: () => prepare(store, SMALL),
    large: () => prepare(store, LARGE),
  });
  let unbounded = '';
  const full = await measure(1, async () => {
    unbounded = await prepare(withoutBounds(store), LARGE);
  });
  if (unbounded !== (await prepare(store, LARGE))) throw new Error('The bounded read gives other bytes.');
  const part = Math.round(full.median / timings.large.median);
  return {
    name: `IndexedDB, prepare from ${nameOf(LARGE)}`,
    goal: '≤ 3 × floor, < 1/100 of the full read',
    ours: timings.large,
    floor: { name: `the same from ${nameOf(SMALL)}`, timing: timings.small },
    note: `the full read takes ${Math.round(full.median)} ms, ${part} × as long, and gives the same bytes`,
  };
}

async function measureAppends(store: IndexedDbSessionStore): Promise<BenchResult> {
  const log = createLog(10);
  await store.put(log);
  const lengths = new Map([
    [nameOf(10), 10],
    [nameOf(LARGE), LARGE],
  ]);
  const append = async (id: string): Promise<void> => {
    const seq = lengths.get(id) ?? 0;
    const data = { content: [{ type: 'text', text: 'x'.repeat(TEXT_BYTES) }], source: { kind: 'user' } };
    await store.append(id, [{ type: 'user/message', seq, data }]);
    lengths.set(id, seq + 1);
  };
  const timings = await measureInTurn(501, {
    small: () => append(nameOf(10)),
    large: () => append(nameOf(LARGE)),
  });
  return {
    name: `IndexedDB, append to ${nameOf(LARGE)}`,
    goal: 'the same as to 10',
    ours: timings.large,
    floor: { name: `append to ${nameOf(10)}`, timing: timings.small },
  };
}

async function* measureList(): AsyncGenerator<BenchResult> {
  const sessions = 10_000;
  const titles = Array.from({ length: sessions }, (_, index) => `Fix the build of part ${index}`);
  const writer = new IndexedDbSessionStore({ name: DATABASE });
  for (const [index, title] of titles.entries()) {
    const events: SessionEvent[] = [{ type: 'session/title', seq: 0, data: { title } }];
    await writer.put({ header: { version: 0, id: `session-${index}`, createdAt: index }, events });
  }
  const first = await measure(5, async () => {
    const store = new IndexedDbSessionStore({ name: DATABASE });
    await store.listSessions();
    store.close();
  });
  yield { name: 'IndexedDB, first list of 10,000 sessions, with opening', goal: 'told', ours: first };
  const service = new SessionReferences(writer);
  const timings = await measureInTurn(51, {
    floor: () => findTitles(titles, 'part 9999'),
    ours: () => service.listCandidates({ id: 'target' }, 'part 9999'),
  });
  writer.close();
  await deleteDatabase(DATABASE);
  yield {
    name: 'IndexedDB, listCandidates, 10,000 sessions, one keystroke',
    goal: 'far below 10 ms',
    ours: timings.ours,
    floor: { name: 'case-folded includes over the titles', timing: timings.floor },
  };
}

/** What is too large to be repeated is measured once, without a run beforehand. */
async function measureTurns<Name extends string>(
  runs: number,
  contestants: Readonly<Record<Name, () => unknown>>,
): Promise<Record<Name, Timing>> {
  if (runs > 1) return measureInTurn(runs, contestants);
  const timings: [string, Timing][] = [];
  for (const [name, run] of Object.entries<() => unknown>(contestants)) timings.push([name, await measure(1, run)]);
  return Object.fromEntries(timings) as Record<Name, Timing>;
}

/** A query that has only what every host has, so that the whole surface is read. */
function withoutBounds(store: IndexedDbSessionStore): SessionQuery {
  return {
    listSessions: (signal) => store.listSessions(signal),
    readTitleSnapshots: (ids, signal) => store.readTitleSnapshots(ids, signal),
    readSurface: (id, signal) => store.readSurface(id, signal),
  };
}
