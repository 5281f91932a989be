import { foldSurface, isSessionReferenceError, type SessionEvent } from '../../src/index.ts';
import { Connection } from '../../src/stores/indexeddb/connection.ts';
import { SCHEMA } from '../../src/stores/indexeddb/schema.ts';
import { IndexedDbSessionStore } from '../../src/stores/indexeddb.ts';
import type { Report } from '../../test/cases/case-report.ts';
import {
  checkpointEvent,
  expectHolds,
  logOf,
  runStoreSuite,
  titleEvent,
  userEvent,
} from '../../test/stores/store-suite.ts';

/** How a call ended, as plain data. */
export interface Ending {
  readonly code: string | undefined;
  readonly message: string;
  readonly milliseconds: number;
}

/** What one of several writers did. */
export interface AppendResult {
  readonly appended: number;
  readonly refused: number;
}

let databases = 0;

/** Everything that tests do with the store, in a page or in a worker. */
export const storeApi = {
  IndexedDbSessionStore,
  Connection,
  SCHEMA,
  logOf,
  userEvent,

  /** The suite of all stores. */
  runSuite(runs: number): Promise<Report> {
    const create = (): IndexedDbSessionStore => new IndexedDbSessionStore({ name: `suite ${databases++}` });
    return runStoreSuite('IndexedDbSessionStore', create, runs);
  },

  /** How a call ends. */
  async ending(call: () => Promise<unknown>): Promise<Ending> {
    const start = performance.now();
    const milliseconds = (): number => performance.now() - start;
    try {
      await call();
      return { code: undefined, message: 'succeeded', milliseconds: milliseconds() };
    } catch (error) {
      const code = isSessionReferenceError(error) ? error.code : `not coded: ${String(error)}`;
      return { code, message: (error as Error).message, milliseconds: milliseconds() };
    }
  },

  /** Append messages one by one where nobody else does. */
  async appendAlone(name: string, id: string, count: number): Promise<AppendResult> {
    const store = new IndexedDbSessionStore({ name });
    for (let seq = 0; seq < count; seq += 1) await store.append(id, [userEvent(seq, `${id} ${seq}`)]);
    store.close();
    return { appended: count, refused: 0 };
  },

  /** Append messages one by one where others do: whoever is refused looks where the log ends now. */
  async appendAmongOthers(name: string, id: string, writer: string, count: number): Promise<AppendResult> {
    const store = new IndexedDbSessionStore({ name });
    let refused = 0;
    let seq = 0;
    for (let appended = 0; appended < count; ) {
      try {
        await store.append(id, [userEvent(seq, `${writer} ${appended}`)]);
        appended += 1;
        seq += 1;
      } catch (error) {
        if (!isSessionReferenceError(error) || error.code !== 'SESSION_REFERENCE_INVALID_LOG') throw error;
        refused += 1;
        seq = ((await store.readConversation(id, 0)).capturedThroughSeq ?? -1) + 1;
      }
    }
    store.close();
    return { appended: count, refused };
  },

  /** The texts of a session, each event's own. */
  async readTexts(name: string, id: string): Promise<string[]> {
    const store = new IndexedDbSessionStore({ name });
    const { events } = await store.readLog(id);
    const { events: surface } = await store.readSurface(id);
    if (surface.length !== foldSurface(events).length) throw new Error('The surface does not fold.');
    store.close();
    return events.map(({ data }) => (data as { content: [{ text: string }] }).content[0].text);
  },

  /** Append the first so many batches of {@link crashBatch}, and tell of each that is acknowledged. */
  async appendUntilKilled(
    name: string,
    id: string,
    batches: number,
    acknowledge: (batch: number) => unknown,
  ): Promise<void> {
    const store = new IndexedDbSessionStore({ name });
    await store.put(logOf(id));
    for (let batch = 0; batch < batches; batch += 1) {
      await store.append(id, crashBatch(batch));
      acknowledge(batch);
    }
    store.close();
  },

  /** How many batches of {@link crashBatch} a session has; throws unless they are whole and the store agrees. */
  async countBatches(name: string, id: string): Promise<number> {
    const store = new IndexedDbSessionStore({ name });
    const records = await store.listSessions();
    if (!records.some(({ header }) => header.id === id)) return -1;
    const { events } = await store.readLog(id);
    const expected: SessionEvent[] = [];
    let batches = 0;
    for (; expected.length < events.length; batches += 1) expected.push(...crashBatch(batches));
    await expectHolds(store, logOf(id, expected), [0, 1_000, 1_000_000]);
    store.close();
    return batches;
  },
};

/** The type of {@link storeApi}, for the specs. */
export type StoreApi = typeof storeApi;

const EVENTS_PER_BATCH = 3;

/** The same events every time, so that what is left after a crash can be compared: messages, a title, compactions. */
function crashBatch(batch: number): SessionEvent[] {
  const seq = batch * EVENTS_PER_BATCH;
  const text = `batch ${batch} ${'the build is green '.repeat(batch % 60)}`;
  const last =
    batch % 10 === 9
      ? checkpointEvent(seq + 2, `the first ${batch}`, batch === 9 ? 0 : seq - 10 * EVENTS_PER_BATCH + 2, seq)
      : userEvent(seq + 2, text);
  return [userEvent(seq, text), batch % 7 === 0 ? titleEvent(seq + 1, text) : userEvent(seq + 1, text), last];
}
