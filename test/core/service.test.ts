import { describe, expect, it, vi } from 'vitest';
import {
  MemorySessionStore,
  type SessionLog,
  type SessionQuery,
  type SessionRecord,
  SessionReferences,
} from '../../src/index.ts';

const CONTENT = [{ type: 'text', text: 'hi' }];

function log(
  id: string,
  extra: { title?: string; cwd?: string; createdAt?: number; texts?: readonly string[] } = {},
): SessionLog {
  const { title, cwd, createdAt = 1, texts = ['hello'] } = extra;
  const events = texts.map((text, seq) => ({
    type: 'user/message',
    seq,
    data: { content: [{ type: 'text', text }], source: { kind: 'user' } },
  }));
  return {
    header: { version: 0, id, createdAt, ...(cwd === undefined ? {} : { cwd }) },
    events: [
      ...events,
      ...(title === undefined ? [] : [{ type: 'session/title', seq: events.length, data: { title } }]),
    ],
  };
}

function hostQuery(records: readonly unknown[], titles: Readonly<Record<string, string>> = {}): SessionQuery {
  return {
    listSessions: async () => records as readonly SessionRecord[],
    readTitleSnapshots: vi.fn(async (ids: readonly string[]) =>
      ids.map((sessionId) => {
        const title = titles[sessionId];
        if (title === undefined) return { sessionId, status: 'rejected' as const, reason: new Error('none') };
        const session = { version: 0, id: sessionId, createdAt: 1 };
        return { sessionId, status: 'fulfilled' as const, value: { session, title: { title } } };
      }),
    ),
    readSurface: async (id) => ({ session: { version: 0, id, createdAt: 1 }, capturedThroughSeq: null, events: [] }),
  };
}

const record = (id: string, createdAt = 1, cwd?: string): unknown => ({
  header: { version: 0, id, createdAt, ...(cwd === undefined ? {} : { cwd }) },
});

async function codeOf(promise: Promise<unknown>): Promise<[unknown, string]> {
  return promise.then(
    () => ['none', ''],
    (error: { code?: unknown; message: string }) => [error.code, error.message],
  );
}

describe('candidates', () => {
  it('are found by title, id and folder, each on its own, nearest folder first', async () => {
    const store = new MemorySessionStore([
      log('other', { title: 'Alpha', cwd: '/b', createdAt: 4 }),
      log('none', { title: 'alphabet', createdAt: 3 }),
      log('same', { title: 'beta', cwd: '/alpha', createdAt: 2 }),
      log('alpha-id', { cwd: '/c', createdAt: 1 }),
      log('self', { title: 'alpha' }),
    ]);
    const service = new SessionReferences(store);
    const find = async (query: string, limit?: number): Promise<string[]> =>
      (await service.listCandidates({ id: 'self', cwd: '/alpha' }, query, limit)).map(({ sessionId }) => sessionId);
    expect(await find('ALPHA')).toEqual(['same', 'none', 'other', 'alpha-id']);
    expect(await find('alpha', 2)).toEqual(['same', 'none']);
    expect(await find('a\u0000a')).toEqual([]);
    expect(await find('lpha\u0000al')).toEqual([]);
    expect(await find('')).toEqual(['same', 'none', 'other', 'alpha-id']);
  });

  it('are read again for what changed, also in place', async () => {
    const header = { version: 0, id: 'a', createdAt: 1 };
    const records: { header: typeof header; title: string }[] = [{ header, title: 'first' }];
    const service = new SessionReferences(hostQuery(records));
    const labels = async (query: string): Promise<string[]> =>
      (await service.listCandidates({ id: 'x' }, query)).map(({ label }) => label);
    expect(await labels('first')).toEqual(['first']);
    (records[0] as { title: string }).title = 'second';
    expect(await labels('first')).toEqual([]);
    expect(await labels('second')).toEqual(['second']);
    records.push({ header: { ...header, id: 'b' }, title: 'second, too' });
    expect(await labels('second')).toEqual(['second', 'second, too']);
    records.shift();
    expect(await labels('second')).toEqual(['second, too']);
  });

  it('ask for titles only as needed, and never for those that are known', async () => {
    const query = hostQuery(
      [
        record('a'),
        record('b'),
        { ...(record('c') as object), title: 'C' },
        { ...(record('d') as object), title: null },
      ],
      {
        a: 'Title of a',
      },
    );
    const service = new SessionReferences(query);
    const listed = await service.listCandidates({ id: 'x' }, '', 1);
    expect(listed).toMatchObject([{ sessionId: 'a', label: 'Title of a' }]);
    expect(query.readTitleSnapshots).toHaveBeenLastCalledWith(['a'], undefined);
    const all = await service.listCandidates({ id: 'x' });
    expect(all.map(({ label }) => label)).toEqual(['Title of a', 'b', 'C', 'd']);
    expect(query.readTitleSnapshots).toHaveBeenLastCalledWith(['a', 'b'], undefined);
    expect(await service.listCandidates({ id: 'x' }, 'title of')).toHaveLength(1);
  });

  it('survive titles that cannot be read, one and all', async () => {
    for (const readTitleSnapshots of [
      () => Promise.reject(new Error('all')),
      () => {
        throw new Error('at once');
      },
      async () => 'nonsense',
      async () => [
        7,
        null,
        { sessionId: 'a', status: 'fulfilled', value: 7 },
        { sessionId: 'a', status: 'fulfilled', value: { title: { title: 7 } } },
      ],
    ]) {
      const service = new SessionReferences({ ...hostQuery([record('a')]), readTitleSnapshots } as never);
      expect(await service.listCandidates({ id: 'x' })).toMatchObject([{ sessionId: 'a', label: 'a' }]);
    }
  });

  it.each([
    ['a list that is none', 'nonsense', /an array, not a string/],
    ['a record that is none', [7], /header must be an object, not undefined/],
    ['a header that is none', [{ header: 7 }], /header must be an object, not a number/],
    ['an id that is none', [{ header: { id: 7, createdAt: 1 } }], /id must be a string, not a number/],
    ['a time that is none', [{ header: { id: 'a', createdAt: 'x' } }], /createdAt must be a number, not a string/],
    ['a folder that is none', [{ header: { id: 'a', createdAt: 1, cwd: 7 } }], /cwd must be a string, not a number/],
  ])('are READ_FAILED for %s', async (_, records, message) => {
    const service = new SessionReferences(hostQuery(records as never));
    const [code, text] = await codeOf(service.listCandidates({ id: 'x' }));
    expect(code).toBe('SESSION_REFERENCE_READ_FAILED');
    const error = await service.listCandidates({ id: 'x' }).catch((reason: { cause?: { message: string } }) => reason);
    expect(`${text} ${(error as { cause?: { message: string } }).cause?.message ?? ''}`).toMatch(message);
  });

  it('may have a folder of null', async () => {
    const service = new SessionReferences(hostQuery([{ header: { id: 'a', createdAt: 1, cwd: null } }]));
    expect(await service.listCandidates({ id: 'x' })).toEqual([
      { sessionId: 'a', label: 'a', createdAt: 1, mention: '@[a](dsh-session:ImEi)' },
    ]);
  });
});

describe('arguments', () => {
  const service = new SessionReferences(new MemorySessionStore([log('a')]));
  const LIST: readonly [string, readonly unknown[], RegExp][] = [
    ['no agent', [undefined], /agent must be an object, not undefined/],
    ['an agent without an id', [{}], /agent's id must be a string, not undefined/],
    ['an agent with a folder that is none', [{ id: 'x', cwd: 7 }], /agent's cwd must be a string, not a number/],
    ['a query that is none', [{ id: 'x' }, 7], /query must be a string, not a number/],
    ['a query of null', [{ id: 'x' }, null], /query must be a string, not null/],
    ['a limit of 0', [{ id: 'x' }, '', 0], /limit must be a whole number of at least 1, not 0/],
    ['a limit of a half', [{ id: 'x' }, '', 0.5], /limit must be a whole number of at least 1, not 0.5/],
    ['a limit that is none', [{ id: 'x' }, '', '5'], /limit must be a whole number of at least 1, not a string/],
  ];
  it.each(LIST)('of a list are refused: %s', async (_, args, message) => {
    const [code, text] = await codeOf(service.listCandidates(...(args as Parameters<typeof service.listCandidates>)));
    expect(code).toBe('SESSION_REFERENCE_INVALID_REFERENCE');
    expect(text).toMatch(message);
  });

  const AGENT = { id: 'x' };
  const PREPARE: readonly [string, readonly unknown[], string, RegExp][] = [
    ['no agent', [null, CONTENT, []], 'INVALID_REFERENCE', /agent must be an object, not null/],
    ['no references', [AGENT, CONTENT, undefined], 'INVALID_REFERENCE', /references must be an array, not undefined/],
    [
      'a reference that is none',
      [AGENT, CONTENT, [7]],
      'INVALID_REFERENCE',
      /reference must be an object, not a number/,
    ],
    [
      'a reference without an id',
      [AGENT, CONTENT, [{}]],
      'INVALID_REFERENCE',
      /sessionId must be a string, not undefined/,
    ],
    [
      'a label that is none',
      [AGENT, CONTENT, [{ sessionId: 'a', label: null }]],
      'INVALID_REFERENCE',
      /label must be a string, not null/,
    ],
    ['itself', [AGENT, CONTENT, [{ sessionId: 'a' }, { sessionId: 'x' }]], 'SELF_REFERENCE', /cannot reference itself/],
    ['a bad one behind itself', [AGENT, CONTENT, [{ sessionId: 'x' }, 7]], 'SELF_REFERENCE', /itself/],
    [
      'four',
      [AGENT, CONTENT, ['a', 'b', 'c', 'd'].map((sessionId) => ({ sessionId }))],
      'TOO_MANY',
      /can reference 3 sessions, not 4/,
    ],
    [
      'no content',
      [AGENT, undefined, []],
      'INVALID_REFERENCE',
      /content must be an array of content blocks, not undefined/,
    ],
    [
      'a block that is none',
      [AGENT, [CONTENT[0], 7], []],
      'INVALID_REFERENCE',
      /Content block 1 must be an object, not a number/,
    ],
    [
      'a block without a type',
      [AGENT, [{}], []],
      'INVALID_REFERENCE',
      /type of content block 0 must be a string, not undefined/,
    ],
    ['a function', [AGENT, [{ type: 'text', run: () => 1 }], []], 'INVALID_REFERENCE', /cannot be copied/],
  ];
  it.each(PREPARE)('of a message are refused: %s', async (_, args, code, message) => {
    const [found, text] = await codeOf(service.prepare(...(args as Parameters<typeof service.prepare>)));
    expect(found).toBe(`SESSION_REFERENCE_${code}`);
    expect(text).toMatch(message);
  });
});

describe('reading a source', () => {
  it.each<[string, unknown, RegExp]>([
    ['a failure', new Error('disk'), /disk/],
    ['nothing', undefined, /a snapshot, not undefined/],
    ['no session', { events: [] }, /its header, not undefined/],
    ['a folder that is none', { session: { cwd: 7 }, events: [] }, /a string, not a number/],
    [
      'a seq that is none',
      { session: {}, capturedThroughSeq: 'x', events: [] },
      /a whole number or null, not a string/,
    ],
    ['no events', { session: {}, capturedThroughSeq: null }, /an array, not undefined/],
  ])('gives READ_FAILED, with the id and the cause, for %s', async (_, answer, cause) => {
    const readSurface = async (): Promise<never> => {
      if (answer instanceof Error) throw answer;
      return answer as never;
    };
    const service = new SessionReferences({ ...hostQuery([]), readSurface });
    const error = await service
      .prepare({ id: 'x' }, CONTENT, [{ sessionId: 'a\nb' }])
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'SESSION_REFERENCE_READ_FAILED',
      message: 'The session "a\\nb" could not be read.',
    });
    expect((error as { cause: { message: string } }).cause.message).toMatch(cause);
  });

  it.each<[string, object, RegExp]>([
    ['no units', {}, /the units must be an array/],
    ['a unit that is none', { units: [7] }, /a message with a role and a text, not a number/],
    ['a unit of a third role', { units: [{ role: 'tool', text: 'x' }] }, /a message with a role/],
    ['a unit without text', { units: [{ role: 'user' }] }, /a message with a role/],
    ['no totals', { units: [] }, /numbers of messages and bytes/],
    ['totals that are none', { units: [], unread: { messages: '1', bytes: 0 } }, /numbers of messages and bytes/],
  ])('checks a bounded read: %s', async (_, answer, cause) => {
    const readConversation = async (): Promise<never> =>
      ({ session: {}, capturedThroughSeq: null, ...answer }) as never;
    const service = new SessionReferences({ ...hostQuery([]), readConversation });
    const error = await service.prepare({ id: 'x' }, CONTENT, [{ sessionId: 'a' }]).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_READ_FAILED' });
    expect((error as { cause: { message: string } }).cause.message).toMatch(cause);
  });

  it('asks for no more than the budget, counts what was not read, and hands the signal on', async () => {
    const readConversation = vi.fn(async () => ({
      session: { version: 0, id: 'a', createdAt: 1, cwd: '/w' },
      capturedThroughSeq: 9,
      units: [{ role: 'assistant' as const, text: 'newest', checkpoint: false }],
      unread: { messages: 5, bytes: 1234 },
    }));
    const { signal } = new AbortController();
    const service = new SessionReferences({ ...hostQuery([]), readConversation }, { maxReferenceBytes: 500 });
    const { additionalContext } = await service.prepare({ id: 'x' }, CONTENT, [{ sessionId: 'a' }], signal);
    expect(readConversation).toHaveBeenCalledWith('a', 500, signal);
    expect(additionalContext?.source.references).toEqual([
      {
        sessionId: 'a',
        label: 'a',
        capturedThroughSeq: 9,
        compacted: false,
        originalMessages: 6,
        retainedMessages: 1,
        omittedMessages: 5,
        omittedBytes: 1234,
        truncated: true,
        inputIndex: 0,
      },
    ]);
  });

  it('says which fixed fields do not fit', async () => {
    const service = new SessionReferences(new MemorySessionStore([log('a')]), { maxReferenceBytes: 10 });
    const [code, message] = await codeOf(service.prepare({ id: 'x' }, CONTENT, [{ sessionId: 'a' }]));
    expect(code).toBe('SESSION_REFERENCE_BUDGET_EXCEEDED');
    expect(message).toBe('The id, label and cwd of the session "a" do not fit into maxReferenceBytes, which is 10.');
  });
});

describe('cancelling', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  it.each(['listSessions', 'readTitleSnapshots', 'readSurface'] as const)(
    'settles at once while %s hangs',
    async (method) => {
      const signals: (AbortSignal | undefined)[] = [];
      const query = {
        ...hostQuery([record('a')]),
        [method]: (...args: unknown[]) => {
          signals.push(args.at(-1) as AbortSignal);
          return never();
        },
      } as SessionQuery;
      const service = new SessionReferences(query);
      const controller = new AbortController();
      const call =
        method === 'readSurface'
          ? service.prepare({ id: 'x' }, CONTENT, [{ sessionId: 'a' }], controller.signal)
          : service.listCandidates({ id: 'x' }, 'q', 5, controller.signal);
      await Promise.resolve();
      await new Promise((resolve) => setTimeout(resolve));
      controller.abort('because');
      await expect(call).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED', cause: 'because' });
      expect(signals).toEqual([controller.signal]);
    },
  );

  it('is what a read that fails meanwhile counts as', async () => {
    const controller = new AbortController();
    const readSurface = async (): Promise<never> => {
      controller.abort();
      throw new Error('stopped');
    };
    const service = new SessionReferences({ ...hostQuery([]), readSurface });
    const call = service.prepare({ id: 'x' }, CONTENT, [{ sessionId: 'a' }], controller.signal);
    await expect(call).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
  });

  it('is heard between slices of long work', async () => {
    const events = Array.from({ length: 400_000 }, (_, seq) => ({
      type: 'user/message',
      seq,
      data: { content: [{ type: 'text', text: `ž ${seq}` }], source: { kind: 'user' } },
    }));
    const session = { version: 0, id: 'a', createdAt: 1 };
    const readSurface = async () => ({ session, capturedThroughSeq: 1, events });
    const controller = new AbortController();
    const pause = vi.fn(async () => controller.abort());
    const service = new SessionReferences({ ...hostQuery([]), readSurface }, null, { pause });
    const call = service.prepare({ id: 'x' }, CONTENT, [{ sessionId: 'a' }], controller.signal);
    await expect(call).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
    expect(pause).toHaveBeenCalledTimes(1);
  });
});

describe('a prepared message', () => {
  it('has the id that it is given, and one of its own', async () => {
    const store = new MemorySessionStore([log('a')]);
    const given = new SessionReferences(store, undefined, { createId: () => 'given' });
    const prepare = async (service: SessionReferences) =>
      (await service.prepare({ id: 'x' }, CONTENT, [{ sessionId: 'a' }])).additionalContext;
    expect((await prepare(given))?.id).toBe('given');
    const own = new SessionReferences(store);
    const ids = [(await prepare(own))?.id, (await prepare(own))?.id];
    expect(new Set(ids).size).toBe(2);
  });

  it('reads each source once, in parallel, and keeps the first label', async () => {
    let running = 0;
    let most = 0;
    const readSurface = vi.fn(async (id: string) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return { session: { version: 0, id, createdAt: 1 }, capturedThroughSeq: null, events: [] };
    });
    const service = new SessionReferences({ ...hostQuery([]), readSurface });
    const references = [{ sessionId: 'b', label: 'B' }, { sessionId: 'a' }, { sessionId: 'b', label: 'again' }];
    const { additionalContext } = await service.prepare({ id: 'x' }, CONTENT, references);
    expect(readSurface).toHaveBeenCalledTimes(2);
    expect(most).toBe(2);
    expect(
      additionalContext?.source.references.map(({ sessionId, label, inputIndex }) => [sessionId, label, inputIndex]),
    ).toEqual([
      ['b', 'B', 0],
      ['a', 'a', 1],
    ]);
  });

  it('has no context without references, and content that is its own', async () => {
    const service = new SessionReferences(new MemorySessionStore());
    const content = [{ type: 'text', text: '\ud800', nested: { list: [1] } }];
    const prepared = await service.prepare({ id: 'x' }, content, []);
    expect(prepared).toEqual({ content });
    expect(prepared.content[0]).not.toBe(content[0]);
    expect(prepared.content[0]?.nested).not.toBe(content[0]?.nested);
  });
});

describe('the service', () => {
  it('says what failed, and why', async () => {
    const cause = new Error('the disk is gone');
    const query = { ...hostQuery([]), listSessions: () => Promise.reject(cause) };
    await expect(new SessionReferences(query).listCandidates({ id: 'x' })).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_READ_FAILED',
      message: 'The sessions could not be listed.',
      cause,
    });
    const content = [{ type: 'text', text: () => 'no data' }] as never;
    await expect(new SessionReferences(query).prepare({ id: 'x' }, content, [])).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_INVALID_REFERENCE',
      message: 'The content holds something that cannot be copied; it must be plain data.',
      cause: expect.objectContaining({ name: 'DataCloneError' }) as unknown,
    });
  });

  it('asks for no titles where all of them are known', async () => {
    const query = hostQuery([{ header: { version: 0, id: 'a', createdAt: 1 }, title: 'A' }]);
    const service = new SessionReferences(query);
    expect(await service.listCandidates({ id: 'x', cwd: null as never }, 'a')).toHaveLength(1);
    expect(query.readTitleSnapshots).not.toHaveBeenCalled();
  });
});

describe('what no budget and no check may miss', () => {
  const log = { header: { version: 0, id: 'a', createdAt: 1 }, events: [] };

  it('a hole in the content', async () => {
    const content = [undefined, { type: 'text', text: 'x' }] as never[];
    delete content[0];
    const prepared = new SessionReferences(new MemorySessionStore()).prepare({ id: 'x' }, content, []);
    await expect(prepared).rejects.toMatchObject({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
  });

  it('a label that no string can hold once it is escaped', async () => {
    const service = new SessionReferences(new MemorySessionStore([log]));
    const prepared = service.prepare({ id: 'x' }, [], [{ sessionId: 'a', label: '\u0001'.repeat(100_000_000) }]);
    await expect(prepared).rejects.toMatchObject({ code: 'SESSION_REFERENCE_BUDGET_EXCEEDED' });
  });

  it('one object for several messages', async () => {
    const unit = { role: 'user' as const, text: 'x'.repeat(5000), checkpoint: true };
    const query = Object.assign(new MemorySessionStore([log]), {
      readConversation: async () => ({
        session: log.header,
        capturedThroughSeq: 0,
        units: [unit, unit, unit],
        unread: { messages: 0, bytes: 0 },
      }),
    });
    for (const maxReferenceBytes of [150, 152, 500, 2000]) {
      const service = new SessionReferences(query, { maxReferenceBytes }, null);
      const { additionalContext } = await service.prepare({ id: 'x' }, [], [{ sessionId: 'a' }]);
      const [, line = ''] = /\n(\[\{.*\}\])\n/.exec(additionalContext?.content[0].text ?? '') ?? [];
      expect(line.length - 2).toBeGreaterThan(0);
      expect(line.length - 2).toBeLessThanOrEqual(maxReferenceBytes);
    }
  });
});
