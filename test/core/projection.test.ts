import { describe, expect, it } from 'vitest';
import type { SurfaceEvent } from '../../src/index.ts';
import { projectConversation, projectEvent, projectNewest } from '../../src/snapshot/projection.ts';

const USER = { kind: 'user' };
const COMPACT = { kind: 'plugin', plugin: 'compact' };
const text = (value: unknown): object => ({ type: 'text', text: value });

function event(data: unknown, type = 'user/message'): SurfaceEvent {
  return { type, seq: 0, data };
}

/** Events, and what another session may see of them: `u`, `a` or `c` for a checkpoint, and the text. */
const EVENTS: readonly (readonly [string, SurfaceEvent, string | undefined])[] = [
  ['words of the user', event({ content: [text('hi')], source: USER }), 'u:hi'],
  ['words while the model works', event({ content: [text('stop')], source: USER }, 'steering/message'), 'u:stop'],
  ['an answer', event({ message: { content: [text('hello')] } }, 'assistant/message'), 'a:hello'],
  ['an answer of an old log', event({ content: [text('hello')] }, 'assistant/message'), 'a:hello'],
  ['a message in a wrapper', event({ message: { content: [text('hi')], source: USER } }), 'u:hi'],
  ['a wrapper that is none', event({ message: 'x', content: [text('hi')], source: USER }), 'u:hi'],
  ['a checkpoint', event({ content: [text('sum')], source: COMPACT }), 'c:sum'],
  [
    'a checkpoint while the model works',
    event({ content: [text('x')], source: COMPACT }, 'steering/message'),
    undefined,
  ],
  ['another plugin', event({ content: [text('x')], source: { kind: 'plugin', plugin: 'y' } }), undefined],
  ['compact, but no plugin', event({ content: [text('x')], source: { kind: 'x', plugin: 'compact' } }), undefined],
  ['injected context', event({ content: [text('x')], source: { kind: 'session-reference' } }), undefined],
  ['no source', event({ content: [text('x')] }), undefined],
  ['a source that is none', event({ content: [text('x')], source: 'user' }), undefined],
  ['a tool', event({ content: [text('x')], source: USER }, 'tool/result'), undefined],
  ['content that is a text', event({ content: 'hi', source: USER }), 'u:hi'],
  ['content that is none', event({ content: 7, source: USER }), undefined],
  ['content like an array', event({ content: { length: 1, 0: text('x') }, source: USER }), undefined],
  ['no content', event({ source: USER }), undefined],
  ['no data', event(undefined), undefined],
  ['data that is none', event('x'), undefined],
  ['data that is an array', event([]), undefined],
  ['several texts', event({ content: [text('a'), { type: 'image' }, text(''), text('b')], source: USER }), 'u:a\n\nb'],
  ['blocks that are none', event({ content: [null, 'x', 7, text('a')], source: USER }), 'u:a'],
  ['a text that is none', event({ content: [text(7), text('a')], source: USER }), 'u:a'],
  ['text of another block', event({ content: [{ type: 'reasoning', text: 'x' }], source: USER }), undefined],
  ['white space', event({ content: [text(' \n\u3000\ufeff')], source: USER }), undefined],
  ['nothing', event({ content: [text('')], source: USER }), undefined],
  ['white space before words', event({ content: [text('\n x')], source: USER }), 'u:\n x'],
  ['words that begin beyond ASCII', event({ content: [text('é')], source: USER }), 'u:é'],
  ['a character that cannot be seen', event({ content: [text('\u007f')], source: USER }), 'u:\u007f'],
  [
    'own words beside baked context',
    event({ content: [text('all')], source: USER, envelope: { displayContent: [text('own')] } }),
    'u:own',
  ],
  ['baked context without own words', event({ content: [text('all')], source: USER, envelope: { other: 1 } }), 'u:all'],
  ['an envelope that is none', event({ content: [text('all')], source: USER, envelope: 'x' }), 'u:all'],
  [
    'own words that are blank',
    event({ content: [text('all')], source: USER, envelope: { displayContent: [] } }),
    undefined,
  ],
  [
    'an envelope of an answer',
    event({ content: [text('all')], envelope: { displayContent: [text('own')] } }, 'assistant/message'),
    'a:all',
  ],
  [
    'an envelope of a checkpoint',
    event({ content: [text('all')], source: COMPACT, envelope: { displayContent: [text('own')] } }),
    'c:all',
  ],
];

function spell(unit: ReturnType<typeof projectEvent>): string | undefined {
  if (unit === undefined) return undefined;
  return `${unit.checkpoint ? 'c' : unit.role === 'user' ? 'u' : 'a'}:${unit.text}`;
}

describe('what another session may see', () => {
  it.each(EVENTS)('of %s', (_, one, expected) => {
    expect(spell(projectEvent(one))).toBe(expected);
    expect(projectConversation([one]).map(spell)).toEqual(expected === undefined ? [] : [expected]);
    // Must be the same where it is only counted: behind it stands more than is wanted.
    const newer = event({ content: [text('newer')], source: USER });
    const { units, unread } = finish(projectNewest([one, newer], 0)).result;
    const isCounted = expected !== undefined && !expected.startsWith('c');
    expect(unread.messages).toBe(isCounted ? 1 : 0);
    expect(unread.bytes).toBe(isCounted ? new TextEncoder().encode(expected.slice(2)).length : 0);
    expect(units.map(spell)).toEqual(expected?.startsWith('c') ? [expected, 'u:newer'] : ['u:newer']);
  });

  it('of nothing is nothing', () => {
    expect(projectEvent(undefined)).toBeUndefined();
    expect(projectEvent(null as never)).toBeUndefined();
    expect(projectConversation([])).toEqual([]);
  });
});

function finish<Result>(work: Generator<undefined, Result, undefined>): { pauses: number; result: Result } {
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done) return { pauses, result: step.value };
  }
}

function user(value: string): SurfaceEvent {
  return event({ content: [text(value)], source: USER });
}

const CHECKPOINT = event({ content: [text('sum')], source: COMPACT });

describe('the newest of a conversation', () => {
  const events = [user('one'), CHECKPOINT, user('two'), CHECKPOINT, user('three'), user('four')];

  it.each([
    [-1, ['c:sum', 'c:sum'], 4, 15],
    [0, ['c:sum', 'c:sum', 'u:four'], 3, 11],
    [3, ['c:sum', 'c:sum', 'u:four'], 3, 11],
    [4, ['c:sum', 'c:sum', 'u:three', 'u:four'], 2, 6],
    [8, ['c:sum', 'c:sum', 'u:three', 'u:four'], 2, 6],
    [9, ['c:sum', 'u:two', 'c:sum', 'u:three', 'u:four'], 1, 3],
    [11, ['c:sum', 'u:two', 'c:sum', 'u:three', 'u:four'], 1, 3],
    [12, ['u:one', 'c:sum', 'u:two', 'c:sum', 'u:three', 'u:four'], 0, 0],
    [100, ['u:one', 'c:sum', 'u:two', 'c:sum', 'u:three', 'u:four'], 0, 0],
  ])('of which %i bytes are wanted', (bytes, units, messages, left) => {
    const { result } = finish(projectNewest(events, bytes));
    expect(result.units.map(spell)).toEqual(units);
    expect(result.unread).toEqual({ messages, bytes: left });
  });

  it('looks at the clock every thousand events, and while it counts', () => {
    const many = Array.from({ length: 10_240 }, () => user('x'));
    expect(finish(projectNewest(many, 1_000_000)).pauses).toBe(10);
    expect(finish(projectNewest(many, 0)).pauses).toBe(10 + 1);
    const long = Array.from({ length: 50 }, () => user('x'.repeat(60_000)));
    expect(finish(projectNewest(long, 0)).pauses).toBeGreaterThanOrEqual(3);
    expect(finish(projectNewest(long, 0)).pauses).toBeLessThan(10);
    expect(finish(projectNewest([user('x'.repeat(3_000_000)), user('new')], 0)).pauses).toBeGreaterThanOrEqual(3);
  });
});
