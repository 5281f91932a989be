import { describe, expect, it } from 'vitest';
import { piReader } from '../../src/formats/pi.ts';
import { codesOf, readRows, speak, titleOf } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Line {
  readonly [field: string]: unknown;
}

const TIME = '2026-01-02T03:04:05.000Z';
const HEADER = { type: 'session', version: 3, id: 's', timestamp: TIME, cwd: '/home/u' };
const OLD_HEADER = { type: 'session', id: 's', timestamp: TIME };

function entry(id: string, parentId: string | null, type: string, fields: Line = {}): Line {
  return { type, id, parentId, timestamp: TIME, ...fields };
}

/** Ids that begin with `u` are of the user, others of the assistant. */
function say(id: string, parentId: string | null, text: string, fields: Line = {}): Line {
  const role = id.startsWith('u') ? 'user' : 'assistant';
  return entry(id, parentId, 'message', { message: { role, content: [{ type: 'text', text }], ...fields } });
}

function compact(
  id: string,
  parentId: string | null,
  firstKeptEntryId: string | undefined,
  summary: unknown = 'sum',
): Line {
  return entry(id, parentId, 'compaction', { firstKeptEntryId, summary });
}

function old(role: string, text: string): Line {
  return { type: 'message', timestamp: TIME, message: { role, content: [{ type: 'text', text }] } };
}

const TALK = [say('u1', null, 'hi'), say('a1', 'u1', 'hello'), say('u2', 'a1', 'next'), say('a2', 'u2', 'done')];

describe('the pi reader', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ['a conversation', [HEADER, ...TALK], ['u: hi', 'a: hello', 'u: next', 'a: done']],
    [
      'the branch of the last entry',
      [HEADER, ...TALK, say('u3', 'a1', 'again'), entry('l', 'u3', 'label', { targetId: 'a2' })],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    ['the branch that a mark points to', [HEADER, ...TALK, { type: 'leaf', targetId: 'a1' }], ['u: hi', 'a: hello']],
    [
      'what was said behind such a mark',
      [HEADER, ...TALK, entry('l', 'a2', 'leaf', { targetId: 'a1' }), say('u3', 'a1', 'again')],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    ['the first version, in order', [OLD_HEADER, old('user', 'hi'), old('assistant', 'hello')], ['u: hi', 'a: hello']],
    ['a file without its header', TALK, ['u: hi', 'a: hello', 'u: next', 'a: done']],
    [
      'words only',
      [
        HEADER,
        entry('a1', null, 'message', {
          message: {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'x' },
              { type: 'text', text: 'one' },
              { type: 'toolCall', name: 'read' },
              { type: 'text', text: 'two' },
            ],
          },
        }),
      ],
      ['a: one\ntwo'],
    ],
    [
      'content that is a text',
      [HEADER, entry('u1', null, 'message', { message: { role: 'user', content: 'hi' } })],
      ['u: hi'],
    ],
    [
      'no answer that was left unfinished',
      [
        HEADER,
        say('u1', null, 'hi'),
        say('a1', 'u1', 'hel', { stopReason: 'aborted' }),
        say('a2', 'a1', 'he', { stopReason: 'error' }),
        say('a3', 'a2', 'hello', { stopReason: 'stop' }),
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'nothing that no person said',
      [
        HEADER,
        say('u1', null, 'hi'),
        ...['toolResult', 'bashExecution', 'custom', 'hookMessage', 'branchSummary'].map((role, index) =>
          entry(`x${index}`, index === 0 ? 'u1' : `x${index - 1}`, 'message', { message: { role, content: 'x' } }),
        ),
        entry('b', 'x4', 'branch_summary', { summary: 'x' }),
        entry('c', 'b', 'custom_message', { content: 'x', display: true }),
        entry('d', 'c', 'custom', { data: 'x' }),
        say('a1', 'd', 'hello'),
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'a compaction and what it kept',
      [HEADER, ...TALK, compact('c', 'a2', 'u2'), say('u3', 'c', 'more')],
      ['c: sum', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'a compaction that kept nothing',
      [HEADER, ...TALK, compact('c', 'a2', undefined), say('u3', 'c', 'more')],
      ['c: sum', 'u: more'],
    ],
    [
      'a compaction that kept what is on another branch',
      [HEADER, ...TALK, compact('c', 'a1', 'u2'), say('u3', 'c', 'more')],
      ['c: sum', 'u: more'],
    ],
    [
      'the last of two compactions, without the one among what was kept',
      [
        HEADER,
        ...TALK,
        compact('c', 'a2', 'u2', 'one'),
        say('u3', 'c', 'more'),
        compact('d', 'u3', 'a2', 'two'),
        say('u4', 'd', 'end'),
      ],
      ['c: two', 'a: done', 'u: more', 'u: end'],
    ],
    [
      'a compaction without a summary',
      [HEADER, ...TALK, compact('c', 'a2', 'u2', ' '), say('u3', 'c', 'more')],
      ['u: hi', 'a: hello', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'a compaction before one without a summary',
      [HEADER, ...TALK, compact('c', 'a2', 'a2', 'one'), compact('d', 'c', 'u2', 3), say('u3', 'd', 'more')],
      ['c: one', 'a: done', 'u: more'],
    ],
    [
      'a compaction of the first version, which counts lines',
      [
        OLD_HEADER,
        old('user', 'hi'),
        7,
        old('assistant', 'hello'),
        { type: 'compaction', summary: 'sum', firstKeptEntryIndex: 3 },
        old('user', 'more'),
      ],
      ['c: sum', 'a: hello', 'u: more'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(piReader.recognizes({ layout: 'lines', rows })).toBe(true);
    expect(readRows(piReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    [
      'a deepseek-harness log',
      [
        { type: 'session', version: 0, id: 's', createdAt: 5 },
        { type: 'user/message', data: {} },
      ],
    ],
    [
      'a llama.cpp export',
      [
        { type: 'session', harness: 'llama.app', id: 's', timestamp: TIME },
        { type: 'message', message: { convId: 'c', role: 'user' } },
      ],
    ],
    ['Responses items', [{ type: 'message', role: 'user', content: [] }]],
    ['a header with the time of another format', [{ type: 'session', id: 's', timestamp: 5 }]],
    ['a header without an id', [{ type: 'session', timestamp: TIME }]],
    ['nothing', [null, 3, 'session', []]],
  ])('does not claim %s', (_, rows) => {
    expect(piReader.recognizes({ layout: 'lines', rows })).toBe(false);
  });

  it('takes the facts of a session from its header, and the latest name', () => {
    const branchedFrom = '/home/u/--x--/2025-12-09T00-52-54-397Z_d97339c6.jsonl';
    const names = ['A', 'B'].map((name) => entry(name, null, 'session_info', { name }));
    const [log] = readRows(piReader, [{ ...HEADER, branchedFrom }, ...names]).logs;
    expect(log?.header).toMatchObject({
      format: 'pi',
      id: 's',
      cwd: '/home/u',
      createdAt: Date.parse(TIME),
      parentSession: 'd97339c6',
    });
    expect(log && titleOf(log)).toBe('B');
    expect(readRows(piReader, [{ ...HEADER, parentSession: 'p' }]).logs[0]?.header.parentSession).toBe('p');
  });

  it('is called by nothing else that has a name', () => {
    const rows = [HEADER, entry('a', null, 'session_info', { name: 'A' }), entry('b', 'a', 'custom', { name: 'B' })];
    const [log] = readRows(piReader, rows).logs;
    expect(log && titleOf(log)).toBe('A');
    const [named] = readRows(piReader, [{ ...HEADER, title: 'T' }, ...TALK]).logs;
    expect(named && titleOf(named)).toBe('T');
  });

  it('takes the id from the name of the file where there is no header', () => {
    expect(readRows(piReader, TALK, { fileName: '2026-01-02_abc.jsonl' }).logs[0]?.header.id).toBe('abc');
    expect(readRows(piReader, TALK, { fileName: '2026-01-02_abc.jsonl', sessionId: 'mine' }).logs[0]?.header.id).toBe(
      'mine',
    );
  });

  it('reads two sessions of one file', () => {
    const { logs } = readRows(piReader, [
      HEADER,
      ...TALK.slice(0, 1),
      { ...HEADER, id: 't' },
      say('u1', null, 'other'),
    ]);
    expect(logs.map(({ header }) => header.id)).toEqual(['s', 't']);
    expect(logs.map(speak)).toEqual([['u: hi'], ['u: other']]);
  });

  it('keeps every entry', () => {
    const rows = [
      HEADER,
      ...TALK,
      say('u3', 'a1', 'again'),
      compact('c', 'u3', 'u3'),
      entry('x', 'c', 'message', { message: { role: 'toolResult', content: 'secret' } }),
    ];
    const [log] = readRows(piReader, rows).logs;
    expect(log?.events.filter(({ type }) => type !== 'session/title').length).toBe(rows.length - 1);
    expect(JSON.stringify(log)).toContain('secret');
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(piReader, [
      HEADER,
      7,
      {},
      say('u1', 'gone', 'hi'),
      say('u1', null, 'twice'),
      { type: 'message', message: {} },
      entry('x', 'u1', 'message', { message: 'hello' }),
      entry('y', 'x', 'future'),
      entry('z', 'y', 'message', { message: { role: 'future' } }),
      say('a1', 'z', 'hello'),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello']]);
    expect(codesOf(result)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      'BROKEN_TREE',
      'BROKEN_TREE',
      'BROKEN_TREE',
      'UNREADABLE',
      'UNKNOWN',
      'UNKNOWN',
    ]);
  });

  it('reads a cycle once and reports it', () => {
    const result = readRows(piReader, [HEADER, say('u1', 'a1', 'hi'), say('a1', 'u1', 'hello')]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello']]);
    expect(codesOf(result)).toEqual(['BROKEN_TREE']);
  });

  it('reads a tree of 20,000 levels with a compaction at each', () => {
    const rows: Line[] = [HEADER];
    for (let index = 0; index < 20_000; index += 1) {
      rows.push(
        say(`u${index}`, index === 0 ? null : `c${index - 1}`, 'm'),
        compact(`c${index}`, `u${index}`, `u${index}`),
      );
    }
    expect(readRows(piReader, rows).logs.map(speak)).toEqual([['c: sum', 'u: m']]);
  }, 10_000);

  testSamples(piReader, ['pi/v1-linear-two-compactions.jsonl', 'pi/v3-tree-compaction.jsonl']);
});
