import { describe, expect, it, vi } from 'vitest';
import {
  MemorySessionStore,
  type SessionHeader,
  type SessionQuery,
  SessionReferenceError,
  type SessionStore,
} from '../../src/index.ts';
import { connectSessionReferences, type SessionReferencesClient } from '../../worker/client.ts';
import { exposeSessionReferences } from '../../worker/expose.ts';
import type { WorkerLike } from '../../worker/start-worker.ts';
import { connect, log, openChannel, openDefaultWorker, track } from './connections.ts';

const CONTENT = [{ type: 'text', text: 'see there' }];
const READ_FAILED = 'SESSION_REFERENCE_READ_FAILED';
const STORE_FAILED = 'SESSION_REFERENCE_STORE_FAILED';

/** A query on the page, asked by the worker of the package. */
async function connectToPage(query: SessionQuery): Promise<SessionReferencesClient> {
  return track(connectSessionReferences({ worker: await openDefaultWorker(), query }));
}

/** Where a host's own query can be: in its own worker, and on the page. */
const PLACES: readonly [string, (query: SessionQuery) => SessionReferencesClient | Promise<SessionReferencesClient>][] =
  [
    ['in the worker', connect],
    ['on the page', connectToPage],
  ];

/** A query of which every answer is what `run` makes. */
function createQuery(run: (method: string) => unknown): SessionQuery {
  const answer = async (method: string): Promise<never> => run(method) as never;
  return {
    listSessions: () => answer('listSessions'),
    readTitleSnapshots: () => answer('readTitleSnapshots'),
    readSurface: () => answer('readSurface'),
  };
}

const READS: readonly [string, (client: SessionReferencesClient, signal?: AbortSignal) => Promise<unknown>][] = [
  ['listSessions', (client, signal) => client.listSessions(signal)],
  ['readTitleSnapshots', (client, signal) => client.readTitleSnapshots(['a'], signal)],
  ['readSurface', (client, signal) => client.readSurface('a', signal)],
  ['readMessages', (client, signal) => client.readMessages('a', signal === undefined ? {} : { signal })],
];

describe.each(PLACES)('a query of the host %s', (_, open) => {
  it.each(READS)('that throws in %s ends in a code, with the cause', async (_name, read) => {
    const query = createQuery(() => {
      throw new RangeError('disk on fire');
    });
    await expect(read(await open(query))).rejects.toMatchObject({
      name: 'SessionReferenceError',
      code: READ_FAILED,
      cause: { name: 'RangeError', message: 'disk on fire' },
    });
  });

  it.each(READS)('that throws a coded error in %s keeps its code', async (_name, read) => {
    const query = createQuery(() => {
      throw new SessionReferenceError('SESSION_REFERENCE_STORE_FAILED', 'There is no session "a".');
    });
    await expect(read(await open(query))).rejects.toMatchObject({
      code: STORE_FAILED,
      message: 'There is no session "a".',
    });
  });

  it.each(READS)('that answers nothing to %s ends in a code', async (name, read) => {
    const answered = read(await open(createQuery(() => undefined)));
    if (name === 'readTitleSnapshots') await expect(answered).resolves.toBeUndefined();
    else await expect(answered).rejects.toMatchObject({ code: READ_FAILED });
  });

  it.each(READS)('that throws because of an abort of %s ends as cancelled', async (_name, read) => {
    const controller = new AbortController();
    const query = createQuery(() => {
      controller.abort();
      throw new DOMException('stop', 'AbortError');
    });
    await expect(read(await open(query), controller.signal)).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_CANCELLED',
    });
  });

  it('keeps the code and the cause of a title that cannot be read', async () => {
    const cause = new RangeError('torn page');
    const reason = new SessionReferenceError('SESSION_REFERENCE_STORE_FAILED', 'It cannot be read.', { cause });
    const query = createQuery(() => [{ sessionId: 'a', status: 'rejected', reason }]);
    const [result] = await (await open(query)).readTitleSnapshots(['a']);
    expect(result?.status).toBe('rejected');
    const found = (result as { readonly reason?: unknown }).reason;
    expect(found).toBeInstanceOf(SessionReferenceError);
    expect(found).toMatchObject({ code: STORE_FAILED, message: 'It cannot be read.', cause: { message: 'torn page' } });
  });

  it('may answer with reactive proxies and instances', async () => {
    class Header {
      readonly version = 0;
      readonly id = 'a';
      readonly createdAt = 1;
    }
    const { events } = log('a', ['from a proxy']);
    const session = new Header() as Header & SessionHeader;
    const watch = <Value extends object>(value: Value): Value => new Proxy(value, {});
    const query: SessionQuery = {
      listSessions: async () => watch([watch({ header: watch({ ...session }) })]),
      readTitleSnapshots: async () =>
        watch([watch({ sessionId: 'a', status: 'fulfilled', value: watch({ session }) })]),
      readSurface: async () => watch({ session, capturedThroughSeq: 0, events: watch(events.map(watch)) }),
    };
    const client = await open(query);
    expect(await client.listSessions()).toEqual([{ header: { ...session } }]);
    expect(await client.readSurface('a')).toEqual({ session: { ...session }, capturedThroughSeq: 0, events });
    expect(await client.listCandidates({ id: 'b' })).toMatchObject([{ sessionId: 'a' }]);
    const { additionalContext } = await client.prepare({ id: 'b' }, CONTENT, [{ sessionId: 'a' }]);
    expect(additionalContext?.content[0].text).toContain('from a proxy');
  });

  it('that answers what cannot be sent ends in a code, with the path as its cause', async () => {
    const header = { version: 0, id: 'a', createdAt: 1, rename: () => undefined };
    const client = await open(createQuery(() => [{ header }]));
    const error = await client.listSessions().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: READ_FAILED, cause: { code: 'SESSION_REFERENCE_INVALID_REFERENCE' } });
    expect((error as { readonly cause: Error }).cause.message).toContain('[0].header.rename');
  });
});

describe('a store of the host', () => {
  const broken = (): Promise<never> => Promise.reject(new TypeError('no space'));

  it.each<[string, (client: SessionReferencesClient) => Promise<unknown>]>([
    ['put', (client) => client.put(log('a'))],
    ['append', (client) => client.append('a', [])],
    ['delete', (client) => client.delete('a')],
  ])('that throws in %s ends in a code, with the cause', async (_, change) => {
    const store = { ...createQuery(() => []), put: broken, append: broken, delete: broken };
    await expect(change(connect(store))).rejects.toMatchObject({
      code: STORE_FAILED,
      cause: { name: 'TypeError', message: 'no space' },
    });
  });

  it('is handed the signal of a write', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const hang = (signal: AbortSignal | undefined): Promise<never> => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const store = {
      ...createQuery(() => []),
      put: (_: unknown, signal?: AbortSignal) => hang(signal),
      append: (_: string, __: unknown, signal?: AbortSignal) => hang(signal),
      delete: (_: string, signal?: AbortSignal) => hang(signal),
    };
    const client = connect(store as SessionStore);
    const controller = new AbortController();
    const given = { signal: controller.signal };
    const writes = [client.put(log('a'), given), client.append('a', [], given), client.delete('a', given)];
    await vi.waitFor(() => expect(signals).toHaveLength(3));
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false, false]);
    controller.abort();
    for (const write of writes) await expect(write).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
    await vi.waitFor(() => expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true]));
  });

  it('stays open when a page closes its connection', async () => {
    const close = vi.fn();
    const store = Object.assign(new MemorySessionStore([log('a')]), { close });
    const first = openChannel();
    exposeSessionReferences(store, first.worker);
    const page = connectSessionReferences({ worker: first.page as unknown as WorkerLike });
    const other = connect(store);
    await Promise.all([page.ready, other.ready]);
    page.close();
    await expect(other.listSessions()).resolves.toHaveLength(1);
    expect(close).not.toHaveBeenCalled();
  });

  it('is asked for more of a conversation until there is enough, and not for ever', async () => {
    const asked: number[] = [];
    const client = connect({
      ...createQuery(() => []),
      readConversation: async (id, bytes) => {
        asked.push(bytes);
        // It says that there is more, whatever it is asked for.
        const units = [{ role: 'user', text: 'one', checkpoint: false }] as const;
        return { session: log(id).header, capturedThroughSeq: 9, units, unread: { messages: 9, bytes: 9 } };
      },
    });
    const { messages, omittedMessages } = await client.readMessages('a', { newest: 5 });
    expect(messages).toHaveLength(1);
    expect(omittedMessages).toBe(9);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.length).toBeLessThan(64);
    expect(asked).toEqual(asked.map((_, index) => 5_000 * 2 ** index));
  });
});

describe('a listener', () => {
  it('that throws silences nobody else, and is reported', async () => {
    const thrown: unknown[] = [];
    const onError = (error: unknown): void => void thrown.push(error);
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', onError);
    try {
      const client = connect(new MemorySessionStore());
      const heard: string[] = [];
      client.subscribe(() => {
        throw new Error('a bad listener');
      });
      client.subscribe(({ ids }) => heard.push(...ids));
      await client.put(log('a'));
      expect(heard).toEqual(['a']);
      await vi.waitFor(() => expect(thrown).toMatchObject([{ message: 'a bad listener' }]));
    } finally {
      process.removeListener('uncaughtException', onError);
      for (const listener of before) process.on('uncaughtException', listener);
    }
  });

  it('can be added twice, and ended one by one', async () => {
    const client = connect(new MemorySessionStore());
    const listener = vi.fn();
    const ends = [client.subscribe(listener), client.subscribe(listener)];
    await client.put(log('a'));
    expect(listener).toHaveBeenCalledTimes(2);
    ends[0]?.();
    await client.put(log('b'));
    expect(listener).toHaveBeenCalledTimes(3);
    ends[1]?.();
    await client.put(log('c'));
    expect(listener).toHaveBeenCalledTimes(3);
  });
});
