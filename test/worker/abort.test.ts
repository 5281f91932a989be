import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionQuery } from '../../src/index.ts';
import { connectSessionReferences, type SessionReferencesClient } from '../../worker/client.ts';
import { exposeSessionReferences } from '../../worker/expose.ts';
import type { WorkerLike } from '../../worker/start-worker.ts';
import { AbortAt } from '../abort-at.ts';

const ports: MessagePort[] = [];

afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

const EVENTS = [
  { type: 'user/message', seq: 0, data: { content: [{ type: 'text', text: 'hi' }], source: { kind: 'user' } } },
];
const HEADERS = ['a', 'b', 'c'].map((id) => ({ version: 0, id, createdAt: 1 }));

/** A host in a worker, whose every answer takes its time; it remembers the signals that it was handed. */
function createQuery(run: AbortAt, signals: (AbortSignal | undefined)[]): SessionQuery {
  const wait = async (signal: AbortSignal | undefined): Promise<void> => {
    signals.push(signal);
    await run.wait();
    // Must let the notice of an abort come in between, as it does where an answer comes from a disk.
    await new Promise((resolve) => setTimeout(resolve));
    await run.wait();
  };
  return {
    listSessions: async (signal) => {
      await wait(signal);
      return HEADERS.map((header) => ({ header }));
    },
    readTitleSnapshots: async (ids, signal) => {
      await wait(signal);
      return ids.map((sessionId) => ({ sessionId, status: 'rejected', reason: new Error('it has none') }));
    },
    readSurface: async (id, signal) => {
      await wait(signal);
      const [session = { version: 0, id, createdAt: 1 }] = HEADERS.filter((header) => header.id === id);
      return { session, capturedThroughSeq: 0, events: EVENTS };
    },
  };
}

function connect(query: SessionQuery): SessionReferencesClient {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  exposeSessionReferences(query, port2);
  return connectSessionReferences({ worker: port1 as unknown as WorkerLike });
}

const OPERATIONS: readonly [string, (client: SessionReferencesClient, signal: AbortSignal) => Promise<unknown>][] = [
  [
    'prepare',
    async (client, signal) => {
      const references = HEADERS.map(({ id }) => ({ sessionId: id }));
      const { additionalContext, content } = await client.prepare({ id: 'x' }, [], references, signal);
      // The id is another one every time.
      return { content, additionalContext: { ...additionalContext, id: '' } };
    },
  ],
  ['listCandidates', (client, signal) => client.listCandidates({ id: 'a' }, '', 5, signal)],
  ['a search of listCandidates', (client, signal) => client.listCandidates({ id: 'a' }, 'c', 5, signal)],
];

describe.each(OPERATIONS)('an abort of %s in a worker', (_, operate) => {
  it('ends it with the code, whenever it comes, and reaches the host', async () => {
    const whole = new AbortAt(Number.POSITIVE_INFINITY);
    const answer = await operate(connect(createQuery(whole, [])), whole.signal);
    expect(whole.moments).toBeGreaterThan(3);

    for (let at = 1; at <= whole.moments; at += 1) {
      const run = new AbortAt(at);
      const signals: (AbortSignal | undefined)[] = [];
      const client = connect(createQuery(run, signals));
      const error = await operate(client, run.signal).catch((reason: unknown) => reason);
      expect([at, error]).toMatchObject([
        at,
        { code: 'SESSION_REFERENCE_CANCELLED', cause: { message: run.reason.message } },
      ]);
      await vi.waitFor(() => expect(run.listeners).toBe(0));
      // Must wait for the notice; what was answered before it came is over.
      if (at < whole.moments / 2) await vi.waitFor(() => expect(signals.at(-1)?.aborted).toBe(true));
      expect(signals.every((signal) => signal instanceof AbortSignal)).toBe(true);
      expect(await operate(client, new AbortController().signal)).toEqual(answer);
      client.close();
    }
  });
});
