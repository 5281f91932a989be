import { afterEach, describe, expect, it, vi } from 'vitest';
import { throwIfCancelled, untilCancelled } from '../../src/cancellation.ts';
import { readSessionConversation, readSessions } from '../../src/formats/index.ts';
import type { SessionEvent } from '../../src/index.ts';
import { type SessionLog, type SessionQuery, SessionReferences } from '../../src/index.ts';
import { AbortAt } from '../abort-at.ts';

const CANCELLED = 'SESSION_REFERENCE_CANCELLED';
const INVALID_REFERENCE = 'SESSION_REFERENCE_INVALID_REFERENCE';

function createLog(id: string, messages: number): SessionLog {
  const events = Array.from({ length: messages }, (_, seq): SessionEvent => {
    const content = [{ type: 'text', text: `message ${seq} ${'<word> '.repeat(20)}` }];
    return seq % 2 === 0
      ? { type: 'user/message', seq, data: { content, source: { kind: 'user' } } }
      : { type: 'assistant/message', seq, data: { message: { content } } };
  });
  return { header: { version: 0, id, createdAt: 1 }, events };
}

const LOGS = [createLog('a', 5_000), createLog('b', 3), createLog('c', 2_500)];

/** A host whose every answer takes its time; it remembers the signals that it was handed. */
function createQuery(run: AbortAt, signals: unknown[]): SessionQuery {
  return {
    listSessions: async (signal) => {
      signals.push(signal);
      await run.wait();
      return LOGS.map(({ header }) => ({ header }));
    },
    readTitleSnapshots: async (ids, signal) => {
      signals.push(signal);
      await run.wait();
      return ids.map((sessionId) => ({ sessionId, status: 'rejected', reason: new Error('it has none') }));
    },
    readSurface: async (id, signal) => {
      signals.push(signal);
      await run.wait();
      const { header, events } = LOGS.find((log) => log.header.id === id) as SessionLog;
      return { session: header, capturedThroughSeq: events.length - 1, events };
    },
  };
}

function toJsonLines({ header, events }: SessionLog): Blob {
  const rows = [{ type: 'session', ...header }, ...events];
  return new Blob([rows.map((row) => `${JSON.stringify(row)}\n`).join('')]);
}

async function collect(logs: AsyncIterable<SessionLog>): Promise<SessionLog[]> {
  const collected: SessionLog[] = [];
  for await (const log of logs) collected.push(log);
  return collected;
}

/** Everything that takes a signal and waits. */
const OPERATIONS: readonly [string, (run: AbortAt, signals: unknown[]) => Promise<unknown>][] = [
  [
    'prepare',
    (run, signals) => {
      const options = { createId: () => 'same', pause: run.wait };
      const service = new SessionReferences(createQuery(run, signals), { maxReferenceBytes: 3_000 }, options);
      const references = LOGS.map(({ header }) => ({ sessionId: header.id }));
      return service.prepare({ id: 'target' }, [{ type: 'text', text: 'hi' }], references, run.signal);
    },
  ],
  [
    'listCandidates',
    (run, signals) => new SessionReferences(createQuery(run, signals)).listCandidates({ id: 'a' }, '', 5, run.signal),
  ],
  [
    'a search of listCandidates',
    (run, signals) => new SessionReferences(createQuery(run, signals)).listCandidates({ id: 'a' }, 'c', 5, run.signal),
  ],
  [
    'readSessions',
    (run) => collect(readSessions(toJsonLines(createLog('a', 3_000)), { signal: run.signal, pause: run.wait })),
  ],
  [
    'readSessionConversation',
    (run) =>
      readSessionConversation(toJsonLines(createLog('a', 9_000)), 2_000, { signal: run.signal, pause: run.wait }),
  ],
];

describe.each(OPERATIONS)('an abort of %s', (_, operate) => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('ends it with the code, whenever it comes', async () => {
    // Must look late at every look, so that every pause that could be made is made.
    let now = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 1_000;
      return now;
    });
    const whole = new AbortAt(Number.POSITIVE_INFINITY);
    const answer = await operate(whole, []);
    expect(whole.moments).toBeGreaterThan(1);
    expect(whole.listeners).toBe(0);

    for (let at = 1; at <= whole.moments; at += 1) {
      const run = new AbortAt(at);
      const signals: unknown[] = [];
      const error = await operate(run, signals).catch((reason: unknown) => reason);
      expect([at, error]).toMatchObject([at, { code: CANCELLED, cause: run.reason }]);
      expect(signals.every((signal) => signal === run.signal)).toBe(true);
      await vi.waitFor(() => expect(run.listeners).toBe(0));
      // Must have stopped: what goes on after an abort holds a thread for nobody.
      expect(run.moments - at).toBeLessThanOrEqual(2 * LOGS.length);
    }
    expect(await operate(new AbortAt(Number.POSITIVE_INFINITY), [])).toEqual(answer);
  });
});

describe('an abort', () => {
  it('before the call leaves the host alone', async () => {
    for (const [, operate] of OPERATIONS) {
      const run = new AbortAt(1);
      await run.wait();
      const signals: unknown[] = [];
      await expect(operate(run, signals)).rejects.toMatchObject({ code: CANCELLED, cause: run.reason });
      expect(signals).toEqual([]);
    }
  });

  it('ends at once what hangs', async () => {
    const controller = new AbortController();
    const waiting = untilCancelled(new Promise(() => undefined), controller.signal);
    controller.abort('enough');
    await expect(waiting).rejects.toMatchObject({ code: CANCELLED, cause: 'enough' });
  });

  it('comes first when the operation fails of it', async () => {
    const controller = new AbortController();
    const failing = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(new Error('because of the abort')));
    });
    const waiting = untilCancelled(failing, controller.signal);
    controller.abort('enough');
    await expect(waiting).rejects.toMatchObject({ code: CANCELLED, cause: 'enough' });
  });

  it('after the end changes nothing', async () => {
    const run = new AbortAt(Number.POSITIVE_INFINITY);
    await expect(untilCancelled(Promise.resolve('done'), run.signal)).resolves.toBe('done');
    await expect(untilCancelled(Promise.reject(new Error('failed')), run.signal)).rejects.toThrow('failed');
    await vi.waitFor(() => expect(run.listeners).toBe(0));
  });
});

describe('a signal that is none', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [{}, 'an object'],
    [{ aborted: true }, 'an object'],
    ['signal', 'a string'],
    [() => undefined, 'a function'],
  ])('like %j is refused with a code', async (signal, found) => {
    const message = `The signal must be an AbortSignal, not ${found}.`;
    const service = new SessionReferences(createQuery(new AbortAt(0), []));
    for (const call of [
      () => service.prepare({ id: 'x' }, [], [], signal as AbortSignal),
      () => service.prepare({ id: 'x' }, [], [{ sessionId: 'a' }], signal as AbortSignal),
      () => service.listCandidates({ id: 'x' }, '', 5, signal as AbortSignal),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: INVALID_REFERENCE, message });
    }
    expect(() => throwIfCancelled(signal as AbortSignal)).toThrow(message);
  });
});
