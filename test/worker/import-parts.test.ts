import { describe, expect, it } from 'vitest';
import type { SessionEvent, SessionLog } from '../../src/session/session.ts';
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

/** Read logs into a store, over a port between the two as between two workers; `sent` are the sizes of what crossed it. */
async function importLogs(
  logs: readonly SessionLog[],
  store = new MemorySessionStore(),
): Promise<{ report: ImportReport; store: MemorySessionStore; sent: number[] }> {
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
