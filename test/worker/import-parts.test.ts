import { describe, expect, it } from 'vitest';
import type { SessionEvent, SessionLog } from '../../src/session/session.ts';
import type { SessionStore } from '../../src/session/store.ts';
import { MemorySessionStore } from '../../src/stores/memory.ts';
import { createBackend } from '../../worker/backend.ts';
import type { CallContext, Method } from '../../worker/callee.ts';
import type { ImportReport } from '../../worker/client-types.ts';
import { createReader } from '../../worker/reader-backend.ts';

function createLog(id: string, count: number): SessionLog {
  const events = Array.from(
    { length: count },
    (_, seq): SessionEvent => ({
      type: 'user/message',
      seq,
      data: { content: [{ type: 'text', text: `message ${seq}` }], source: { kind: 'user' } },
    }),
  );
  return { header: { version: 0, id, createdAt: 1 }, events };
}

function context(): CallContext {
  return { signal: new AbortController().signal, onProgress: () => undefined };
}

/** The methods of a store, free of it. */
function bind(store: MemorySessionStore): SessionStore {
  return {
    listSessions: store.listSessions.bind(store),
    readTitleSnapshots: store.readTitleSnapshots.bind(store),
    readSurface: store.readSurface.bind(store),
    put: store.put.bind(store),
    append: store.append.bind(store),
    delete: store.delete.bind(store),
  };
}

/** Read logs into a store, over a port between the two as between two workers; `sent` are the sizes of what crossed it. */
async function importLogs(
  logs: Iterable<SessionLog>,
  store: SessionStore = new MemorySessionStore(),
): Promise<{ report: ImportReport; store: SessionStore; sent: number[] }> {
  const backend = createBackend(() => store)(() => undefined);
  const reader = createReader(async function* () {
    yield* logs;
  })(() => undefined);
  const call = (methods: ReadonlyMap<string, Method>, name: string, args: readonly unknown[]): unknown =>
    methods.get(name)?.(args, context());
  call(backend.methods, 'open', [{}]);
  const { port1, port2 } = new MessageChannel();
  const sent: number[] = [];
  const send = port1.postMessage.bind(port1);
  port1.postMessage = (message: unknown, transferred: unknown) => {
    sent.push(JSON.stringify(message)?.match(/user\/message/g)?.length ?? 0);
    send(message, transferred as Transferable[]);
  };
  const received = call(backend.methods, 'receive', [port2]);
  const report = (await call(reader.methods, 'read', [new Blob([]), {}, port1])) as ImportReport;
  await received;
  return { report, store, sent };
}

describe('what the reading worker sends to the one that keeps', () => {
  it.each([0, 1, 1_023, 1_024, 1_025, 5_000])('is a log of %i events, whole in the end', async (count) => {
    const log = createLog('one', count);
    const { report, store } = await importLogs([log]);
    expect(report.sessions).toEqual([{ id: 'one', label: 'one', messages: count }]);
    expect((await store.readSurface('one')).events.map(({ data }) => data)).toEqual(log.events.map(({ data }) => data));
  });

  it('is never so much at once that it holds a thread', async () => {
    const { sent } = await importLogs([createLog('one', 20_000)]);
    expect(sent.reduce((sum, size) => sum + size, 0)).toBe(20_000);
    expect(Math.max(...sent)).toBeLessThanOrEqual(1_024);
  });

  it.each([1, 400, 1_023, 1_024, 1_025])(
    'is many sessions of %i events together, each whole in the end',
    async (count) => {
      const logs = Array.from({ length: 9 }, (_, index) => createLog(`s${index}`, count + index));
      const { report, store, sent } = await importLogs(logs);
      expect(report.sessions.map(({ messages }) => messages)).toEqual(logs.map(({ events }) => events.length));
      for (const { header, events } of logs) {
        expect((await store.readSurface(header.id)).events.map(({ data }) => data)).toEqual(
          events.map(({ data }) => data),
        );
      }
      expect(Math.max(...sent)).toBeLessThanOrEqual(1_024);
      if (count === 1) expect(sent.filter((size) => size > 0)).toHaveLength(1);
    },
  );

  it('goes to a store that can keep many at once in few calls', async () => {
    const memory = new MemorySessionStore();
    const puts: number[] = [];
    const putAll = async (logs: readonly SessionLog[]): Promise<void> => {
      puts.push(logs.length);
      for (const log of logs) await memory.put(log);
    };
    const logs = Array.from({ length: 500 }, (_, index) => createLog(`s${index}`, 3));
    await importLogs(logs, { ...bind(memory), putAll } as SessionStore);
    expect(puts.reduce((sum, count) => sum + count, 0)).toBe(500);
    expect(puts.length).toBeLessThan(10);
  });

  it('is kept up to where the reading failed', async () => {
    const store = new MemorySessionStore();
    function* read(): Generator<SessionLog> {
      yield createLog('one', 2);
      yield createLog('two', 2);
      throw new Error('torn file');
    }
    await expect(importLogs(read(), store)).rejects.toThrow('torn file');
    expect((await store.listSessions()).map(({ header }) => header.id).toSorted()).toEqual(['one', 'two']);
  });

  it('is one session after the other', async () => {
    const logs = [createLog('one', 2_000), createLog('two', 3), createLog('three', 1_500)];
    const { report, store } = await importLogs(logs);
    expect(report.sessions.map(({ id, messages }) => [id, messages])).toEqual([
      ['one', 2_000],
      ['two', 3],
      ['three', 1_500],
    ]);
    for (const { header, events } of logs)
      expect((await store.readSurface(header.id)).events).toHaveLength(events.length);
  });
});
