import { describe, expect, it } from 'vitest';
import { kimiCodeReader } from '../../src/formats/kimi-code.ts';
import { codesOf, readRows, speak, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Line {
  readonly [field: string]: unknown;
}

const START = 1_782_295_200_000;
const HEADER = { type: 'metadata', protocol_version: '1.4', created_at: START };

function user(text: string, origin?: string): Line {
  const message = {
    role: 'user',
    content: [{ type: 'text', text }],
    ...(origin === undefined ? {} : { origin: { kind: origin } }),
  };
  return { type: 'context.append_message', message, time: START + 1 };
}

function event(type: string, fields: Line): Line {
  return { type: 'context.append_loop_event', event: { type, ...fields }, time: START + 2 };
}

function step(id: string, ...texts: readonly string[]): Line[] {
  const parts = texts.map((text) => event('content.part', { stepUuid: id, part: { type: 'text', text } }));
  return [event('step.begin', { uuid: id }), ...parts, event('step.end', { uuid: id })];
}

function compact(count: number | undefined, summary: unknown = 'sum'): Line {
  return { type: 'context.apply_compaction', summary, compactedCount: count };
}

const TALK = [user('hi'), ...step('s1', 'hel', 'lo')];

describe('the Kimi Code reader', () => {
  it.each<[string, readonly Line[], readonly string[]]>([
    ['text that comes in parts', [HEADER, ...TALK], ['u: hi', 'a: hello']],
    [
      'an answer that was never ended',
      [...TALK, event('content.part', { stepUuid: 's2', part: { type: 'text', text: 'more' } })],
      ['u: hi', 'a: hello', 'a: more'],
    ],
    [
      'words only',
      [
        user('hi'),
        event('step.begin', { uuid: 's' }),
        event('content.part', { stepUuid: 's', part: { type: 'think', text: 'hm' } }),
        event('content.part', { stepUuid: 's', part: { type: 'text', text: 'so' } }),
        event('tool.call', { stepUuid: 's', name: 'x' }),
        event('tool.result', { result: { output: 'secret' } }),
        user('injected', 'injection'),
        user('<system-reminder>x</system-reminder>'),
      ],
      ['u: hi', 'a: so'],
    ],
    [
      'answers that were appended whole',
      [{ type: 'context.append_message', message: { role: 'assistant', content: 'hello' } }],
      ['a: hello'],
    ],
    ['a compaction', [...TALK, compact(2), user('more')], ['c: sum', 'u: more']],
    [
      'a compaction and what it kept',
      [...TALK, user('next'), ...step('s2', 'done'), compact(2), user('more')],
      ['c: sum', 'u: next', 'a: done', 'u: more'],
    ],
    ['a compaction of everything', [...TALK, compact(undefined)], ['c: sum']],
    ['two compactions', [...TALK, compact(2, 'one'), user('next'), compact(1, 'two')], ['c: two', 'u: next']],
    ['a compaction without a summary', [...TALK, compact(2, '')], ['u: hi', 'a: hello']],
    [
      'what is left after an undo',
      [...TALK, user('next'), ...step('s2', 'x'), { type: 'context.undo', count: 1 }, user('again')],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    [
      'no undo of more than there is',
      [...TALK, { type: 'context.undo', count: 5 }, { type: 'context.undo', count: 5 }, user('new')],
      ['u: new'],
    ],
    [
      'no undo beyond a compaction',
      [...TALK, compact(2), user('next'), { type: 'context.undo', count: 5 }],
      ['c: sum'],
    ],
    [
      'nothing from before everything was cleared',
      [...TALK, compact(2), { type: 'context.clear' }, user('new')],
      ['u: new'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(kimiCodeReader.recognizes({ layout: 'lines', rows })).toBe(true);
    expect(readRows(kimiCodeReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    ['messages', { role: 'user', content: 'hi' }],
    ['metadata of something else', { type: 'metadata', version: 1 }],
    ['an event of something else', { type: 'message', event: {} }],
    ['an event without its content', { type: 'context.append_loop_event' }],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(kimiCodeReader.recognizes(toSample(value))).toBe(false);
  });

  it.each([
    ['sessions/wd_x/session_1/agents/main/wire.jsonl', 'session_1'],
    ['sessions/wd_x/session_1/agents/agent-2/wire.jsonl', 'session_1-agent-2'],
  ])('takes the id from %s', (fileName, id) => {
    const rows = [HEADER, { type: 'config.update', cwd: '/home/u' }, ...TALK];
    expect(readRows(kimiCodeReader, rows, { fileName }).logs[0]?.header).toMatchObject({
      format: 'kimi-code',
      id,
      cwd: '/home/u',
      createdAt: START,
    });
    expect(readRows(kimiCodeReader, rows, { fileName, sessionId: 'mine' }).logs[0]?.header.id).toBe('mine');
  });

  it('keeps what is no part of the conversation', () => {
    const rows = [
      ...TALK,
      event('tool.result', { result: 'result!' }),
      user('undone!'),
      { type: 'context.undo' },
      user('cleared!'),
      { type: 'context.clear' },
    ];
    const kept = JSON.stringify(readRows(kimiCodeReader, rows).logs);
    for (const word of ['result!', 'undone!', 'cleared!']) expect(kept).toContain(word);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(kimiCodeReader, [7, {}, { type: 'future' }, ...TALK, compact(1, 7)]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNKNOWN', 'BROKEN_COMPACTION']);
  });

  it('replays 20,000 compactions and an answer of 20,000 parts in linear time', () => {
    const parts = step('s', ...Array.from({ length: 20_000 }, () => 'x'));
    const rows = [...parts, ...Array.from({ length: 20_000 }, () => [user('m'), compact(1)]).flat()];
    expect(readRows(kimiCodeReader, rows).logs.map((log) => speak(log).length)).toEqual([20_001]);
  }, 10_000);

  testSamples(kimiCodeReader, ['extra/kimi-wire.jsonl']);
});
