import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { readSessions } from '../../src/formats/index.ts';
import {
  MemorySessionStore,
  type SessionLog,
  type SessionQuery,
  SessionReferenceError,
  type SessionStore,
} from '../../src/index.ts';
import { connectSessionReferences, type SessionReferencesClient } from '../../worker/client.ts';
import { exposeSessionReferences } from '../../worker/expose.ts';
import { PROTOCOL_VERSION } from '../../worker/protocol.ts';
import type { WorkerLike } from '../../worker/start-worker.ts';
import { connect, log, openChannel, openDefaultWorker, track, trackPorts } from './connections.ts';

/** A query of which every call hangs, and the signals it was given. */
function hangingQuery(): SessionQuery & { readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  const hang = (signal?: AbortSignal): Promise<never> => {
    if (signal !== undefined) signals.push(signal);
    return new Promise(() => undefined);
  };
  return {
    signals,
    listSessions: hang,
    readTitleSnapshots: (_, signal) => hang(signal),
    readSurface: (_, signal) => hang(signal),
  };
}

const CONTENT = [{ type: 'text', text: 'see there' }];

describe('a connection', () => {
  it('gives what the service in this thread gives', async () => {
    const store = new MemorySessionStore([log('a', ['one', 'two'], 'Fix the login'), log('b')]);
    const client = connect(store);
    const [candidate] = await client.listCandidates({ id: 'b' }, 'LOGIN');
    expect(candidate).toMatchObject({ sessionId: 'a', label: 'Fix the login' });
    const { content, additionalContext } = await client.prepare({ id: 'b' }, CONTENT, [{ sessionId: 'a' }]);
    expect(content).toEqual(CONTENT);
    expect(additionalContext?.content[0].text).toContain('"two"');
    expect(Object.isFrozen(additionalContext?.source.references[0])).toBe(true);
  });

  it('B91: carries code, message and cause of an error', async () => {
    const cause = new RangeError('disk on fire');
    const client = connect({ ...new MemorySessionStore(), readSurface: () => Promise.reject(cause) } as never);
    const error = await client.prepare({ id: 'b' }, CONTENT, [{ sessionId: 'a' }]).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SessionReferenceError);
    expect(error).toMatchObject({
      code: 'SESSION_REFERENCE_READ_FAILED',
      cause: { name: 'RangeError', message: 'disk on fire' },
    });
  });

  it('rejects every call with INVALID_CONFIG when the settings are bad', async () => {
    const client = connect(new MemorySessionStore(), { config: { maxReferences: 7 } });
    await expect(client.listCandidates({ id: 'a' })).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_INVALID_CONFIG',
    });
    await expect(client.ready).rejects.toMatchObject({ code: 'SESSION_REFERENCE_INVALID_CONFIG' });
  });

  it('ignores settings that there are not, even those that cannot be sent', async () => {
    const config = { maxReferences: 1, onChange: () => undefined };
    const client = connect(new MemorySessionStore([log('a'), log('b')]), { config });
    await expect(client.prepare({ id: 'c' }, CONTENT, [{ sessionId: 'a' }, { sessionId: 'b' }])).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_TOO_MANY',
    });
  });

  it('takes null for options', async () => {
    const client = connect(new MemorySessionStore([log('a')]));
    expect((await client.readMessages('a', null as never)).messages).toHaveLength(1);
    await expect(client.delete('a', null as never)).resolves.toBe(true);
  });

  it('asks a query on the page', async () => {
    const page = await openDefaultWorker();
    const query = new MemorySessionStore([log('a', ['from the page'])]);
    const client = connectSessionReferences({ worker: page, query });
    track(client);
    const { additionalContext } = await client.prepare({ id: 'b' }, CONTENT, [{ sessionId: 'a' }]);
    expect(additionalContext?.content[0].text).toContain('from the page');
  });

  it('tells listeners about changes', async () => {
    const client = connect(new MemorySessionStore());
    const changes: unknown[] = [];
    const unsubscribe = client.subscribe((change) => changes.push(change));
    await client.put(log('a'));
    await client.append('a', [{ type: 'session/title', seq: 1, data: { title: 'new' } }]);
    expect(await client.delete('a')).toBe(true);
    unsubscribe();
    await client.put(log('b'));
    expect(changes).toEqual([
      { kind: 'changed', ids: ['a'] },
      { kind: 'changed', ids: ['a'] },
      { kind: 'deleted', ids: ['a'] },
    ]);
  });

  it('exports what it imports, and reads the newest messages', async () => {
    const client = connect(new MemorySessionStore([log('a', ['one', 'two', 'three'])]));
    const { messages, omittedMessages } = await client.readMessages('a', { newest: 2 });
    expect(messages.map(({ text }) => text)).toEqual(['two', 'three']);
    expect(omittedMessages).toBe(1);
    const lines = (await (await client.exportSession('a')).text()).trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toEqual({ type: 'session', version: 0, id: 'a', createdAt: 1 });
    expect(lines).toHaveLength(4);
  });

  it.each(['a', '', ' ', '__proto__', '\ud800'])(
    'exports a session that is read back as it was, with the id %j',
    async (id) => {
      const { header, events } = log(id, ['one', 'lone \udc00'], 'A title');
      const fields = { timestamp: 'mine', cwd: '/work', list: [1, { deep: null }] };
      const client = connect(new MemorySessionStore([{ header: { ...header, ...fields, type: 'mine' }, events }]));
      const logs: SessionLog[] = [];
      for await (const one of readSessions(await client.exportSession(id), { fileName: 'other.jsonl' })) logs.push(one);
      expect(logs).toEqual([{ header: { ...header, ...fields }, events }]);
    },
  );
});

describe('an abort', () => {
  it('B89: settles at once although a read hangs, and reaches the read', async () => {
    const query = hangingQuery();
    const client = connect(query);
    const controller = new AbortController();
    const prepared = client.prepare({ id: 'b' }, CONTENT, [{ sessionId: 'a' }], controller.signal);
    await vi.waitFor(() => expect(query.signals).toHaveLength(1));
    controller.abort(new Error('changed my mind'));
    await expect(prepared).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_CANCELLED',
      cause: { message: 'changed my mind' },
    });
    await vi.waitFor(() => expect(query.signals[0]?.aborted).toBe(true));
  });

  it('settles at once while the worker starts', async () => {
    const { page } = openChannel();
    const client = connectSessionReferences({ worker: page as unknown as WorkerLike, startTimeout: 60_000 });
    track(client);
    const controller = new AbortController();
    const listed = client.listCandidates({ id: 'a' }, '', 5, controller.signal);
    const imported = client.importSessions(new Blob(['{}']), { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    const cancelled = { code: 'SESSION_REFERENCE_CANCELLED', cause: { message: 'changed my mind' } };
    await expect(listed).rejects.toMatchObject(cancelled);
    await expect(imported).rejects.toMatchObject(cancelled);
  });

  it('before the call comes after the faults of its arguments', async () => {
    const client = connect(new MemorySessionStore());
    const signal = AbortSignal.abort();
    await expect(client.prepare({ id: 'a' }, CONTENT, [{ sessionId: 'a' }], signal)).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_SELF_REFERENCE',
    });
    await expect(client.prepare({ id: 'a' }, CONTENT, [], signal)).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_CANCELLED',
    });
  });
});

describe('a signal that is none', () => {
  it.each<unknown>([null, {}, 'signal', 5])(
    'like %j is refused with a code before and after the start',
    async (signal) => {
      const client = connect(new MemorySessionStore([log('a')]));
      const given = { signal: signal as AbortSignal };
      const refused = { code: 'SESSION_REFERENCE_INVALID_REFERENCE' };
      for (const when of ['before', 'after']) {
        if (when === 'after') await client.ready;
        await Promise.all(
          [
            client.listCandidates({ id: 'b' }, '', 5, given.signal),
            client.prepare({ id: 'b' }, CONTENT, [], given.signal),
            client.listSessions(given.signal),
            client.readTitleSnapshots(['a'], given.signal),
            client.readSurface('a', given.signal),
            client.put(log('c'), given),
            client.append('a', [], given),
            client.delete('a', given),
            client.readMessages('a', given),
            client.exportSession('a', given),
            client.importSessions(new Blob(['{}']), given),
          ].map((call) => expect(call).rejects.toMatchObject(refused)),
        );
      }
      const start = vi.fn<() => WorkerLike>();
      expect(() => connectSessionReferences({ worker: start, ...given })).toThrow(expect.objectContaining(refused));
      expect(start).not.toHaveBeenCalled();
    },
  );
});

it.each(['startTimeout', 'silenceTimeout'] as const)('refuses a %s that is no time, and starts nothing', (key) => {
  const start = vi.fn<() => WorkerLike>();
  for (const value of [0, -1, Number.NaN, '5']) {
    const options = { worker: start, [key]: value };
    const error = { code: 'SESSION_REFERENCE_INVALID_CONFIG', message: `${key} must be a time in ms above 0.` };
    expect(() => connectSessionReferences(options)).toThrow(expect.objectContaining(error));
  }
  expect(start).not.toHaveBeenCalled();
});

describe('content that cannot be sent', () => {
  it.each([
    ['a function', [{ type: 'text', text: 'x', onClick: () => 1 }], '[0].onClick'],
    ['a symbol', [{ type: 'text', text: Symbol('x') }], '[0].text'],
    ['a promise', [{ type: 'text', nested: { later: Promise.resolve() } }], '[0].nested.later'],
  ])('%s is refused with its path', async (_, content, path) => {
    const client = connect(new MemorySessionStore());
    const error = await client.prepare({ id: 'a' }, content as never, []).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
    expect((error as Error).message).toContain(path);
  });

  it.each(['before', 'after'])('is taken when the call is made (%s the worker has started)', async (when) => {
    const client = connect(new MemorySessionStore());
    if (when === 'after') await client.ready;
    const block = { type: 'text', text: 'as it was' };
    const content = when === 'after' ? [new Proxy(block, {}), block] : [block, block];
    const prepared = client.prepare({ id: 'a' }, content, []);
    block.text = 'typed later';
    content.length = 0;
    const wanted = { type: 'text', text: 'as it was' };
    await expect(prepared).resolves.toEqual({ content: [wanted, wanted] });
  });

  it('B92: is copied plainly when it is a proxy or an instance', async () => {
    class Block {
      type = 'text';
      text = 'made by a class';
      helper = undefined;
    }
    const client = connect(new MemorySessionStore());
    const content = new Proxy([new Proxy(new Block(), {})], {});
    const prepared = await client.prepare({ id: 'a' }, content as never, []);
    expect(prepared.content).toEqual([{ type: 'text', text: 'made by a class', helper: undefined }]);
  });
});

describe('a connection that fails', () => {
  it('rejects when nothing answers in time', async () => {
    const { page } = openChannel();
    const client = connectSessionReferences({ worker: page as unknown as WorkerLike, startTimeout: 30 });
    await expect(client.listCandidates({ id: 'a' })).rejects.toMatchObject({ code: 'SESSION_REFERENCE_WORKER_FAILED' });
  });

  it('rejects when no worker can be started', async () => {
    const client = connectSessionReferences();
    await expect(client.listCandidates({ id: 'a' })).rejects.toMatchObject({ code: 'SESSION_REFERENCE_WORKER_FAILED' });
  });

  it.each(['expose-query', 'page-fallback'])('rejects when the part %s cannot be loaded any more', async (part) => {
    const path = `../../worker/${part}.ts`;
    vi.doMock(path, () => {
      throw new Error('404');
    });
    try {
      const client = connectSessionReferences({
        query: new MemorySessionStore(),
        ...(part === 'page-fallback' ? { fallback: 'page' } : { worker: await openDefaultWorker() }),
      });
      track(client);
      const message = 'A script of this package could not be loaded.';
      await expect(client.listSessions()).rejects.toMatchObject({ code: 'SESSION_REFERENCE_WORKER_FAILED', message });
    } finally {
      vi.doUnmock(path);
    }
  });

  it('rejects a worker of another version', async () => {
    const { page, worker } = openChannel();
    worker.onmessage = () => worker.postMessage({ sessionReference: 'ready', version: PROTOCOL_VERSION + 1 });
    const client = connectSessionReferences({ worker: page as unknown as WorkerLike });
    await expect(client.ready).rejects.toThrow(/outdated/);
  });

  it('B86: rejects what is pending when it is closed, when its signal aborts, and what comes later', async () => {
    const code = 'SESSION_REFERENCE_WORKER_FAILED';
    const closed = connect(hangingQuery());
    const pending = closed.listCandidates({ id: 'a' });
    await closed.ready;
    closed.close();
    await expect(pending).rejects.toMatchObject({ code });
    await expect(closed.listCandidates({ id: 'a' })).rejects.toMatchObject({ code });

    const controller = new AbortController();
    const aborted = connect(hangingQuery(), { signal: controller.signal });
    const other = aborted.listCandidates({ id: 'a' });
    await aborted.ready;
    controller.abort(new Error('page left'));
    await expect(other).rejects.toMatchObject({ code, cause: { message: 'page left' } });
  });

  it('rejects when the other side falls silent during a call', async () => {
    const { page, worker } = openChannel();
    let privatePort: MessagePort | undefined;
    exposeSessionReferences(hangingQuery(), worker);
    worker.addEventListener('message', ({ ports: [port] }) => {
      privatePort = port;
    });
    const client = connectSessionReferences({ worker: page as unknown as WorkerLike, silenceTimeout: 100 });
    const pending = client.listCandidates({ id: 'a' });
    await client.ready;
    privatePort?.close();
    await expect(pending).rejects.toThrow(/sign of life/);
  });
});

describe('a call of a client that nobody holds', () => {
  it('B85: settles although the garbage is collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    let answer: (records: readonly never[]) => void = () => undefined;
    const query: SessionQuery = {
      ...hangingQuery(),
      listSessions: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    };
    const { page, worker } = openChannel();
    exposeSessionReferences(query, worker);
    // Must not be kept, as the clients of the other tests are.
    const listed = connectSessionReferences({ worker: page as unknown as WorkerLike }).listSessions();
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => void setTimeout(resolve, 10));
      collectGarbage();
    }
    answer([]);
    await expect(listed).resolves.toEqual([]);
  });
});

describe('what a page sends beside the calls', () => {
  it.each([
    ['a path to a prototype', { id: 'x', type: 'APPLY', path: ['constructor', 'constructor'], argumentList: [] }],
    [
      'setting a prototype',
      { id: 'x', type: 'SET', path: ['__proto__', 'polluted'], value: { type: 'RAW', value: 1 } },
    ],
    ['getting', { id: 'x', type: 'GET', path: ['run'] }],
    ['constructing', { id: 'x', type: 'CONSTRUCT', path: ['run'], argumentList: [] }],
    ['releasing', { id: 'x', type: 'RELEASE', path: [] }],
    [
      'an argument that becomes a proxy',
      { id: 'x', type: 'APPLY', path: ['run'], argumentList: [{ type: 'HANDLER', name: 'proxy', value: 1 }] },
    ],
    [
      'an argument that throws',
      {
        id: 'x',
        type: 'APPLY',
        path: ['run'],
        argumentList: [{ type: 'HANDLER', name: 'throw', value: { value: 1 } }],
      },
    ],
    ['arguments that are no list', { id: 'x', type: 'APPLY', path: ['run'], argumentList: 5 }],
    ['null', null],
    ['text', 'hello'],
    ['an abort of nothing', { notice: 'abort', id: 99, reason: 1 }],
  ])('%s does nothing', async (_, message) => {
    const { page, worker } = openChannel();
    exposeSessionReferences(new MemorySessionStore([log('a')]), worker);
    const { port1, port2 } = new MessageChannel();
    trackPorts(port1, port2);
    const answers: unknown[] = [];
    port1.onmessage = ({ data }) => answers.push(data);
    page.postMessage({ sessionReference: 'connect' }, [port2]);
    port1.postMessage(message);
    port1.postMessage({ notice: 'ping' });
    await vi.waitFor(() => expect(answers).toEqual([{ notice: 'pong' }]));
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it.each([
    ['an unknown method', { id: 1, method: 'readFile', args: [] }],
    ['a method of a prototype', { id: 1, method: 'constructor', args: [] }],
    ['no arguments', { id: 1, method: 'prepare' }],
    ['no call at all', 7],
  ])('a call of %s is refused with a code', async (_, call) => {
    const { page, worker } = openChannel();
    exposeSessionReferences(new MemorySessionStore(), worker);
    const { port1, port2 } = new MessageChannel();
    trackPorts(port1, port2);
    const answer = new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
    });
    page.postMessage({ sessionReference: 'connect' }, [port2]);
    port1.postMessage({ id: 'x', type: 'APPLY', path: ['run'], argumentList: [{ type: 'RAW', value: call }] });
    expect(await answer).toMatchObject({
      value: { ok: false, error: { code: 'SESSION_REFERENCE_WORKER_FAILED' } },
    });
  });
});

describe('an import', () => {
  const lines = [
    { type: 'session', version: 0, id: 'imported', createdAt: 1 },
    { type: 'user/message', data: { content: [{ type: 'text', text: 'from a file' }], source: { kind: 'user' } } },
    { type: 'session/title', data: { title: 'Imported' } },
  ];
  const file = (): Blob => new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]);

  async function connectWithReader(store: SessionQuery): Promise<SessionReferencesClient> {
    const { serveChannel } = await import('../../worker/serve.ts');
    const { createReader } = await import('../../worker/reader-backend.ts');
    const { readSessions } = await import('../../src/formats/index.ts');
    const { page, worker } = openChannel();
    serveChannel(worker as never, createReader(readSessions));
    return connect(store, { readerWorker: page as unknown as WorkerLike });
  }

  it('goes from the worker of the readers to the one of the store', async () => {
    const client = await connectWithReader(new MemorySessionStore());
    const changes: unknown[] = [];
    client.subscribe((change) => changes.push(change));
    expect(await client.importSessions(file())).toEqual({
      format: 'deepseek-harness',
      sessions: [{ id: 'imported', label: 'Imported', messages: 1 }],
      warnings: [],
      warningCount: 0,
    });
    expect((await client.readMessages('imported')).messages).toEqual([
      { role: 'user', text: 'from a file', checkpoint: false },
    ]);
    expect(changes).toEqual([{ kind: 'changed', ids: ['imported'] }]);
  });

  it('fails with what the store or the reader says', async () => {
    const full = Object.assign(new MemorySessionStore(), {
      put: () => Promise.reject(new SessionReferenceError('SESSION_REFERENCE_STORE_FAILED', 'The disk is full.')),
    });
    const client = await connectWithReader(full);
    await expect(client.importSessions(file())).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_STORE_FAILED',
      message: 'The disk is full.',
    });
    await expect(client.importSessions(new Blob(['prose']))).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_INVALID_LOG',
    });
  });

  it('after the connection was closed starts no worker', async () => {
    const readerWorker = vi.fn<() => WorkerLike>(() => openChannel().page as unknown as WorkerLike);
    const client = connect(new MemorySessionStore(), { readerWorker });
    await client.ready;
    client.close();
    await expect(client.importSessions(file())).rejects.toMatchObject({ code: 'SESSION_REFERENCE_WORKER_FAILED' });
    expect(readerWorker).not.toHaveBeenCalled();
  });

  it('fails where sessions can only be read', async () => {
    const client = await connectWithReader(hangingQuery());
    await expect(client.importSessions(file())).rejects.toMatchObject({ code: 'SESSION_REFERENCE_STORE_FAILED' });
  });

  it.each([42, 'text', null, [new Map()]])('of what is no file fails with a code (%j)', async (input) => {
    const client = await connectWithReader(new MemorySessionStore());
    const code = expect.stringMatching(/^SESSION_REFERENCE_/);
    await expect(client.importSessions(input as never, null as never)).rejects.toMatchObject({ code });
  });

  it('of a stream that somebody reads already is refused', async () => {
    const client = await connectWithReader(new MemorySessionStore());
    const stream = file().stream();
    stream.getReader();
    await expect(client.importSessions(stream)).rejects.toMatchObject({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
  });

  it.each(['says goodbye', 'falls silent'])(
    'ends when the worker that keeps sessions %s',
    async (how) => {
      const { serveChannel } = await import('../../worker/serve.ts');
      const { createReader } = await import('../../worker/reader-backend.ts');
      const { readSessions } = await import('../../src/formats/index.ts');
      const [keeping, reading] = [openChannel(), openChannel()];
      let putStarted = false;
      let privatePort: MessagePort | undefined;
      const store: SessionStore = Object.assign(new MemorySessionStore(), {
        put: (): Promise<void> => {
          putStarted = true;
          return new Promise(() => undefined);
        },
      });
      serveChannel(reading.worker as never, createReader(readSessions));
      exposeSessionReferences(store, keeping.worker);
      keeping.worker.addEventListener('message', ({ ports: [port] }) => {
        privatePort = port;
      });
      const client = connectSessionReferences({
        worker: keeping.page as unknown as WorkerLike,
        readerWorker: reading.page as unknown as WorkerLike,
        silenceTimeout: 100,
      });
      track(client);
      const imported = client.importSessions(file());
      imported.catch(() => undefined);
      await vi.waitFor(() => expect(putStarted).toBe(true));
      if (how === 'says goodbye') privatePort?.postMessage({ notice: 'bye' });
      else privatePort?.close();
      await expect(imported).rejects.toMatchObject({ code: 'SESSION_REFERENCE_WORKER_FAILED' });
      // Far below the time after which the reader would notice by itself.
    },
    20_000,
  );

  it('is cancelled by its signal', async () => {
    const client = await connectWithReader(new MemorySessionStore());
    const controller = new AbortController();
    const stream = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) });
    const imported = client.importSessions(stream, { signal: controller.signal });
    await client.ready;
    controller.abort();
    await expect(imported).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
  });
});

it('does the work on the page where no worker can be started, when it is told to', async () => {
  const client = connectSessionReferences({ fallback: 'page', store: 'memory' });
  track(client);
  expect(await client.ready).toEqual({ mode: 'page' });
  const lines = [
    '{"type":"session","version":0,"id":"a","createdAt":1}',
    '{"type":"session/title","data":{"title":"T"}}',
  ];
  await client.importSessions(new Blob([lines.join('\n')]));
  expect(await client.listCandidates({ id: 'b' }, 't')).toMatchObject([{ sessionId: 'a', label: 'T' }]);
});
