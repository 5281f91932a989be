import { describe, expect, it } from 'vitest';
import { type ReadSessionsOptions, type ReadWarning, readSessions } from '../../src/formats/index.ts';
import type { SessionLog } from '../../src/session/session.ts';
import { speak, titleOf } from './read-rows.ts';

const HEADER = {
  type: 'session',
  version: 0,
  id: 's-1',
  createdAt: 1_700_000_000_000,
  cwd: '/work',
  delegationDepth: 0,
};

/** One event per line, as the harness writes it. */
function user(text: string, source: object = { kind: 'user' }): object {
  return {
    type: 'user/message',
    data: { id: 'm', role: 'user', content: [{ type: 'text', text }], source },
    surfaceOp: 'append',
  };
}

function assistant(text: string): object {
  const message = {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text },
    ],
    source: { kind: 'model' },
  };
  return { type: 'assistant/message', data: { turn: 1, step: 0, message }, surfaceOp: 'append' };
}

function numbered(rows: readonly object[], first = 0): object[] {
  return rows.map((row, index) => ({ ...row, seq: first + index, time: 1_700_000_000_000 + index }));
}

function toLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

interface Read {
  readonly logs: SessionLog[];
  readonly warnings: ReadWarning[];
}

async function read(input: unknown, options: ReadSessionsOptions = {}): Promise<Read> {
  const warnings: ReadWarning[] = [];
  const logs: SessionLog[] = [];
  const sessions = readSessions(input, {
    format: 'deepseek-harness',
    ...options,
    onWarning: (one) => warnings.push(one),
  });
  for await (const log of sessions) logs.push(log);
  return { logs, warnings };
}

async function readOne(rows: readonly unknown[], options?: ReadSessionsOptions): Promise<SessionLog> {
  const { logs, warnings } = await read(toLines(rows), options);
  expect(warnings).toEqual([]);
  expect(logs).toHaveLength(1);
  return logs[0] as SessionLog;
}

describe('the header', () => {
  it('is kept with all its fields', async () => {
    const { header } = await readOne([HEADER, user('hi')]);
    expect(header).toEqual({ version: 0, id: 's-1', createdAt: 1_700_000_000_000, cwd: '/work', delegationDepth: 0 });
  });

  it.each([
    [
      'older, without version and depth',
      { type: 'session', id: 'old', createdAt: 5 },
      { version: 0, id: 'old', createdAt: 5 },
    ],
    [
      'with its time as text',
      { ...HEADER, createdAt: '2026-01-02T03:04:05Z' },
      { createdAt: Date.UTC(2026, 0, 2, 3, 4, 5) },
    ],
    ['with fields of a wrong type', { ...HEADER, cwd: 7, parentSession: {} }, { id: 's-1' }],
  ])('may be %s', async (_, header, expected) => {
    expect((await readOne([header, user('hi')])).header).toMatchObject(expected);
  });

  it.each([
    ['the caller', { sessionId: 'chosen', fileName: 'x.jsonl' }, 'chosen'],
    ['the file', { fileName: 'my session.jsonl' }, 'my session'],
  ])('takes the id from %s when it has none', async (_, options, id) => {
    const { type, createdAt } = HEADER;
    expect((await readOne([{ type, createdAt }, user('hi')], options)).header.id).toBe(id);
  });

  it('makes an id of the content when the name of the file is none', async () => {
    const { id: _, ...header } = HEADER;
    const { id } = (await readOne([header, user('hi')], { fileName: ' .jsonl' })).header;
    expect(id).toMatch(/^deepseek-harness-[0-9a-f]{16}$/);
  });

  it.each(['', ' ', '__proto__', '\ud800'])('keeps the id %j, which is a string like any other', async (id) => {
    expect((await readOne([{ ...HEADER, id }, user('hi')], { fileName: 'mine.jsonl' })).header.id).toBe(id);
  });

  it('may have a field of its own that headers of other formats have', async () => {
    const header = { ...HEADER, timestamp: '2026-01-02T03:04:05Z' };
    const { logs } = await read(toLines([header, ...numbered([user('hi')])]), { format: undefined });
    expect(logs[0]?.header).toMatchObject({ id: 's-1', timestamp: '2026-01-02T03:04:05Z' });
    expect(logs[0]?.events.map(({ type }) => type)).toEqual(['user/message']);
  });

  it('makes a stable id of the content when nobody has one', async () => {
    const { type, createdAt } = HEADER;
    const ids = [];
    for (const text of ['hi', 'hi', 'ho']) ids.push((await readOne([{ type, createdAt }, user(text)])).header.id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(ids[2]);
  });
});

describe('the events', () => {
  it('say what was said, with and without seq', async () => {
    const rows = [user('hi'), user('skills', { kind: 'plugin', plugin: 'skill-catalog' }), assistant('hello')];
    const spoken = ['u: hi', 'a: hello'];
    expect(speak(await readOne([HEADER, ...rows]))).toEqual(spoken);
    const log = await readOne([HEADER, ...numbered(rows)]);
    expect(speak(log)).toEqual(spoken);
    expect(log.events[2]).toMatchObject({ seq: 2, time: 1_700_000_000_002 });
  });

  it('are counted by what packed rows stand for', async () => {
    const packed = {
      type: 'text-chunks',
      data: { turn: 1, step: 0, index: 0, dt: [0, 1, 1], texts: ['hel', 'lo', '!'] },
    };
    const checkpoint = {
      ...user('summary', { kind: 'plugin', plugin: 'compact' }),
      surfaceOp: { op: 'replace', start: 0, end: 4 },
    };
    const log = await readOne([HEADER, user('hi'), packed, assistant('hello!'), checkpoint, user('next')]);
    expect(log.events.map(({ type }) => type)).toEqual([
      'user/message',
      'assistant/chunk',
      'assistant/chunk',
      'assistant/chunk',
      'assistant/message',
      'user/message',
      'user/message',
    ]);
    expect(speak(log)).toEqual(['c: summary', 'u: next']);
  });

  it.each([
    ['text-chunks', { texts: ['a', 'b'] }],
    ['reasoning-chunks', { texts: ['a', 'b'] }],
    ['tool-call-chunks', { args: ['a', 'b'], id: 'c', name: 'bash' }],
  ])('of %s keep their own seq', async (type, data) => {
    const packed = { type, seq0: 1, time0: 9, data: { turn: 1, step: 0, index: 0, dt: [0, 0], ...data } };
    const log = await readOne([HEADER, { ...user('hi'), seq: 0 }, packed, { ...user('ho'), seq: 3 }]);
    expect(log.events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  });

  it('may have legacy payloads', async () => {
    const legacy = [
      { type: 'user/message', data: { content: [{ type: 'text', text: 'old' }], source: { kind: 'user' } } },
      { type: 'steering/message', data: { content: [{ type: 'text', text: 'rather' }], source: { kind: 'user' } } },
      { type: 'assistant/message', data: { turn: 1, content: [{ type: 'text', text: 'older' }], provenance: {} } },
    ];
    expect(speak(await readOne([HEADER, ...legacy]))).toEqual(['u: old', 'u: rather', 'a: older']);
  });

  it('keep a committed interrupted answer, and no chunk', async () => {
    const interrupted = {
      type: 'assistant/message',
      data: { ...(assistant('part') as { data: object }).data, interrupted: true },
    };
    const chunk = { type: 'assistant/chunk', data: { turn: 2, text: 'never committed' } };
    expect(speak(await readOne([HEADER, user('hi'), interrupted, chunk]))).toEqual(['u: hi', 'a: part']);
  });

  it('have the latest title', async () => {
    const titles = ['first', 'second'].map((title) => ({
      type: 'session/title',
      data: { title, source: { kind: 'user' } },
    }));
    expect(titleOf(await readOne([HEADER, titles[0], user('hi'), titles[1]]))).toBe('second');
  });

  it('are put in order when their seqs are not', async () => {
    const [one, two, three] = numbered([user('one'), user('two'), user('three')]);
    const { logs, warnings } = await read(toLines([HEADER, two, one, three]));
    expect(logs.map(speak)).toEqual([['u: one', 'u: two', 'u: three']]);
    expect(warnings.map(({ code }) => code)).toEqual(['UNREADABLE']);
  });

  it('of an unknown type are kept and ignored', async () => {
    const log = await readOne([HEADER, user('hi'), { type: 'moon/phase', data: { full: true }, ignorable: true }]);
    expect(log.events[1]).toEqual({ type: 'moon/phase', seq: 1, data: { full: true }, ignorable: true });
    expect(speak(log)).toEqual(['u: hi']);
  });
});

describe('a log that makes no sense', () => {
  it.each([
    ['a gap', numbered([user('one')]).concat(numbered([user('two')], 5)), /seq 1 was expected, seq 5 was found/],
    [
      'a replacement of what is not there',
      [user('x'), { ...user('y'), surfaceOp: { op: 'replace', start: 7, end: 7 } }],
      /seq 7/,
    ],
    [
      'a range that ends before it starts',
      [user('x'), user('y'), { ...user('z'), surfaceOp: { op: 'replace', start: 1, end: 0 } }],
      /start comes after/,
    ],
  ])('because of %s is one coded error that names the seq', async (_, events, message) => {
    const error = await read(toLines([HEADER, ...events])).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_INVALID_LOG' });
    expect((error as Error).message).toMatch(message);
  });

  it('costs the other sessions of the file nothing', async () => {
    const broken = { ...user('y'), surfaceOp: { op: 'replace', start: 7, end: 7 } };
    const { logs, warnings } = await read(toLines([HEADER, broken, { ...HEADER, id: 's-2' }, user('fine')]));
    expect(logs.map(({ header }) => header.id)).toEqual(['s-2']);
    expect(warnings).toMatchObject([{ code: 'LOST_SESSION', message: expect.stringContaining('seq 7') }]);
  });
});

it.each([
  ['version 0', [HEADER]],
  ['no version, but events with a slash', [{ type: 'session', id: 'x', createdAt: 'later' }, user('hi')]],
  ['no header', [user('hi')]],
])('is recognized by %s', async (_, rows) => {
  const formats: string[] = [];
  for await (const _log of readSessions(toLines(rows), { onFormat: (format) => formats.push(format) }));
  expect(formats).toEqual(['deepseek-harness']);
});
