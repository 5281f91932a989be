import { describe, expect, it } from 'vitest';
import { opencodeReader } from '../../src/formats/opencode.ts';
import { codesOf, converse, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Fields {
  readonly [field: string]: unknown;
}

const START = 1_772_636_332_209;

/** Ids that begin with `u` are of the user, others of the assistant; the number behind is the order. */
function say(id: string, text: string, info: Fields = {}, parts: readonly unknown[] = []): Fields {
  const role = id.startsWith('u') ? 'user' : 'assistant';
  const created = START + Number(id.slice(1));
  const time = role === 'user' ? { created } : { created, completed: created + 1 };
  return {
    info: { id, sessionID: 'ses_1', role, time, ...info },
    parts: [...(text === '' ? [] : [{ id: `${id}-1`, type: 'text', text }]), ...parts],
  };
}

function exported(messages: readonly unknown[], info: Fields = {}): Fields {
  return {
    info: { id: 'ses_1', projectID: 'p', directory: '/home/u', title: 'Cats', time: { created: START }, ...info },
    messages,
  };
}

function compact(number: number, tail?: string, info: Fields = {}, text = 'sum'): Fields[] {
  return [
    say(`u${number}`, '', {}, [{ type: 'compaction', auto: true, tail_start_id: tail }]),
    say(`a${number + 1}`, text, { summary: true, parentID: `u${number}`, finish: 'stop', ...info }),
  ];
}

const TALK = [say('u1', 'hi'), say('a2', 'hello'), say('u3', 'next'), say('a4', 'done')];
const SPOKEN = ['u: hi', 'a: hello', 'u: next', 'a: done'];

describe('the opencode reader', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['an export', exported(TALK), SPOKEN],
    ['messages without their session', TALK, SPOKEN],
    ['messages by time', exported([...TALK.slice(2), ...TALK.slice(0, 2)]), SPOKEN],
    [
      'only texts, and none that plugins put beside them',
      exported([
        say('u1', '', {}, [
          { type: 'text', text: 'x', synthetic: true },
          { type: 'text', text: 'hi' },
          { type: 'text', text: 'y', ignored: true },
          { type: 'file', url: 'z' },
        ]),
        say('a2', '', {}, [
          { type: 'step-start' },
          { type: 'reasoning', text: 'x' },
          { type: 'text', text: 'hello' },
          { type: 'tool', output: 'x' },
          'what',
          3,
        ]),
      ]),
      ['u: hi', 'a: hello\nwhat'],
    ],
    [
      'no answers that were left unfinished',
      exported([
        say('u1', 'hi'),
        say('a2', 'hel', { time: { created: START + 2 } }),
        say('a3', 'he', { error: { name: 'MessageAbortedError' } }),
      ]),
      ['u: hi'],
    ],
    ['no messages that were reverted', exported(TALK, { revert: { messageID: 'u3' } }), SPOKEN.slice(0, 2)],
    [
      'the parts before those that were reverted',
      exported([say('u1', 'hi'), say('a2', 'hello', {}, [{ id: 'p', type: 'text', text: 'bye' }]), say('u3', 'next')], {
        revert: { messageID: 'a2', partID: 'p' },
      }),
      ['u: hi', 'a: hello'],
    ],
    ['all messages where the reverted one is not there', exported(TALK, { revert: { messageID: 'gone' } }), SPOKEN],
    ['a compaction', exported([...TALK, ...compact(5), say('u7', 'more')]), ['c: sum', 'u: more']],
    [
      'a compaction and the tail it kept',
      exported([...TALK, ...compact(5, 'u3'), say('u7', 'more')]),
      ['c: sum', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'the last of two compactions, without the one in its tail',
      exported([
        ...TALK,
        ...compact(5, 'u3', {}, 'one'),
        say('u7', 'more'),
        ...compact(8, 'a4', {}, 'two'),
        say('u10', 'end'),
      ]),
      ['c: two', 'a: done', 'u: more', 'u: end'],
    ],
    ['a compaction whose tail is not there', exported([...TALK, ...compact(5, 'gone')]), ['c: sum']],
    ['a compaction that was not finished', exported([...TALK, ...compact(5, 'u3', { finish: undefined })]), SPOKEN],
    ['a compaction that failed', exported([...TALK, ...compact(5, 'u3', { error: { name: 'x' } })]), SPOKEN],
    ['a compaction without a summary', exported([...TALK, ...compact(5, 'u3', {}, ' ')]), SPOKEN],
    [
      'a finished compaction before one that was not',
      exported([...TALK, ...compact(5, 'a4'), ...compact(7, 'u3', { finish: null })]),
      ['c: sum', 'a: done'],
    ],
  ])('reads %s', (_, value, expected) => {
    expect(opencodeReader.recognizes(toSample(value))).toBe(true);
    expect(converse(opencodeReader, value)).toEqual([expected]);
  });

  it.each([
    ['AI SDK messages', [{ role: 'user', parts: [] }]],
    ['another export', { info: { id: 'x' }, messages: [{ role: 'user', content: 'hi' }] }],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(opencodeReader.recognizes(toSample(value))).toBe(false);
  });

  it('takes the facts of a session as they stand, but no title that nobody gave', () => {
    const { logs } = readRows(opencodeReader, [
      exported([], { parentID: 'ses_0' }),
      exported([], { id: 'ses_2', directory: undefined, title: 'New session - 2026-01-02T03:04:05.000Z' }),
    ]);
    expect(logs[0]?.header).toMatchObject({ id: 'ses_1', cwd: '/home/u', createdAt: START, parentSession: 'ses_0' });
    expect(logs.map(titleOf)).toEqual(['Cats', undefined]);
    const [loose] = readRows(opencodeReader, [say('a1', 'hi', { path: { cwd: '/x' } })]).logs;
    expect(loose?.header).toMatchObject({ id: 'ses_1', cwd: '/x', createdAt: START + 1 });
  });

  it('tells loose messages of two sessions apart', () => {
    expect(
      converse(opencodeReader, [say('u1', 'one'), say('u2', 'two', { sessionID: 'ses_2' }), say('a3', 'x')]),
    ).toEqual([['u: one', 'a: x'], ['u: two']]);
  });

  it('keeps what is no part of the conversation', () => {
    const messages = [
      ...TALK,
      say('a5', 'unfinished', { error: {} }),
      say('u6', 'reverted'),
      say('u7', '', {}, [{ type: 'text', text: 'synthetic!', synthetic: true }]),
    ];
    const text = JSON.stringify(readRows(opencodeReader, [exported(messages, { revert: { messageID: 'u6' } })]).logs);
    for (const word of ['unfinished', 'reverted', 'synthetic!']) expect(text).toContain(word);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(opencodeReader, [
      7,
      { info: {} },
      exported([3, ...TALK, say('x9', '', { role: 'future' }), ...compact(10, 'u3', { finish: 7 })]),
    ]);
    expect(result.logs.map(speak)).toEqual([SPOKEN]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'BROKEN_COMPACTION', 'UNKNOWN']);
  });

  it('reads 20,000 compactions in linear time', () => {
    const messages = Array.from({ length: 20_000 }, (_, index) => compact(index * 2 + 1, 'u1')).flat();
    expect(converse(opencodeReader, exported(messages))).toEqual([['c: sum']]);
  }, 10_000);

  testSamples(opencodeReader, ['opencode/interrupted.json', 'opencode/two-turns.json']);
});
