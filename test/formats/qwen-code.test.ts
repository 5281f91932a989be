import { describe, expect, it } from 'vitest';
import { claudeCodeReader } from '../../src/formats/claude-code.ts';
import { qwenCodeReader } from '../../src/formats/qwen-code.ts';
import { codesOf, readRows, speak, titleOf, toSample } from './read-rows.ts';

interface Line {
  readonly [field: string]: unknown;
}

const TIME = '2026-01-02T03:04:05.000Z';

function line(uuid: string, parentUuid: string | null, fields: Line): Line {
  return { uuid, parentUuid, sessionId: 's', timestamp: TIME, cwd: '/home/u', version: '0.5.0', ...fields };
}

/** Ids that begin with `u` are of the user, others of the model. */
function say(uuid: string, parentUuid: string | null, words: string, fields: Line = {}): Line {
  const isUser = uuid.startsWith('u');
  const message = { role: isUser ? 'user' : 'model', parts: [{ text: words }] };
  return line(uuid, parentUuid, { type: isUser ? 'user' : 'assistant', message, ...fields });
}

function compress(uuid: string, parentUuid: string, history: readonly unknown[]): Line {
  const systemPayload = { compressedHistory: history, info: {} };
  return line(uuid, parentUuid, { type: 'system', subtype: 'chat_compression', systemPayload });
}

function turn(role: string, words: string): Line {
  return { role, parts: [{ text: words }] };
}

const TALK = [say('u1', null, 'hi'), say('a1', 'u1', 'hello')];
const ACKNOWLEDGEMENT = turn('model', 'Got it. Thanks for the additional context!');

describe('the Qwen Code reader', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ['a conversation', TALK, ['u: hi', 'a: hello']],
    [
      'the branch of the last line',
      [...TALK, say('u2', 'a1', 'left'), say('u3', 'a1', 'again')],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    [
      'the order of the file where there are no parents',
      [say('u1', null, 'hi'), say('a1', 'gone', 'hello')],
      ['u: hi', 'a: hello'],
    ],
    [
      'no thoughts and no tools',
      [
        ...TALK,
        line('a2', 'a1', {
          type: 'assistant',
          message: { role: 'model', parts: [{ text: 'hm', thought: true }, { functionCall: {} }, { text: 'so' }] },
        }),
        line('r', 'a2', {
          type: 'tool_result',
          message: { role: 'user', parts: [{ functionResponse: { response: 'x' } }] },
        }),
        line('s', 'r', { type: 'system', subtype: 'ui_telemetry', systemPayload: {} }),
      ],
      ['u: hi', 'a: hello', 'a: so'],
    ],
    ['what was typed', [say('u1', null, 'hi\nfile contents', { systemPayload: { displayText: 'hi' } })], ['u: hi']],
    [
      'what was typed while the model was working',
      [...TALK, say('u2', 'a1', 'and this', { subtype: 'mid_turn_user_message' })],
      ['u: hi', 'a: hello', 'u: and this'],
    ],
    [
      'nothing that timers and agents said',
      [
        ...TALK,
        say('u2', 'a1', 'x', { subtype: 'cron' }),
        say('u3', 'u2', 'x', { agentId: 'a' }),
        say('u4', 'u3', 'x', { provenance: 'goal' }),
        say('u5', 'u4', 'y', { provenance: 'real_user' }),
      ],
      ['u: hi', 'a: hello', 'u: y'],
    ],
    [
      'a compression and what it kept',
      [
        ...TALK,
        compress('c', 'a1', [
          turn('user', '<state_snapshot>x</state_snapshot>'),
          ACKNOWLEDGEMENT,
          turn('user', 'next'),
          turn('model', 'done'),
        ]),
        say('u2', 'c', 'more'),
      ],
      ['c: <state_snapshot>x</state_snapshot>', 'u: next', 'a: done', 'u: more'],
    ],
    [
      'a compression whose summary has no mark',
      [...TALK, compress('c', 'a1', [turn('user', 'the summary'), ACKNOWLEDGEMENT])],
      ['c: the summary'],
    ],
    [
      'a compression without an acknowledgement',
      [...TALK, compress('c', 'a1', [turn('user', '<state_snapshot>x</state_snapshot>'), turn('model', 'done')])],
      ['c: <state_snapshot>x</state_snapshot>', 'a: done'],
    ],
    [
      'a compression that cannot be read',
      [...TALK, compress('c', 'a1', []), say('u2', 'c', 'more')],
      ['u: hi', 'a: hello', 'u: more'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(qwenCodeReader.recognizes({ layout: 'lines', rows })).toBe(true);
    expect(claudeCodeReader.recognizes({ layout: 'lines', rows })).toBe(false);
    expect(readRows(qwenCodeReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    ['lines of Claude Code', { uuid: 'u', sessionId: 's', type: 'user', message: { content: 'hi' } }],
    ['AI SDK messages', { id: 'x', role: 'user', parts: [] }],
    ['a line of the system of Claude Code', { uuid: 'u', sessionId: 's', type: 'system', subtype: 'x' }],
    ['a line of no type', { uuid: 'u', sessionId: 's', systemPayload: {} }],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(qwenCodeReader.recognizes(toSample(value))).toBe(false);
  });

  it('takes the facts of each session from its lines', () => {
    const title = line('t', 'a1', { type: 'system', subtype: 'custom_title', systemPayload: { customTitle: 'Cats' } });
    const { logs } = readRows(qwenCodeReader, [...TALK, title, say('u1', null, 'other', { sessionId: 't' })]);
    expect(logs.map(({ header }) => header.id)).toEqual(['s', 't']);
    expect(logs[0]?.header).toMatchObject({ format: 'qwen-code', cwd: '/home/u', createdAt: Date.parse(TIME) });
    expect(logs.map(titleOf)).toEqual(['Cats', 'other']);
  });

  it('knows a file by a line of its system', () => {
    const row = line('t', null, { type: 'system', subtype: 'ui_telemetry', systemPayload: {} });
    expect(qwenCodeReader.recognizes(toSample([row]))).toBe(true);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(qwenCodeReader, [
      7,
      {},
      ...TALK,
      say('a1', 'u1', 'twice'),
      line('x', 'a1', { type: 'future' }),
      compress('c', 'x', [3]),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'BROKEN_TREE', 'UNKNOWN', 'BROKEN_COMPACTION']);
  });

  it('reads 20,000 lines that hang on each other', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) =>
      say(`u${index}`, index === 0 ? null : `u${index - 1}`, 'm'),
    );
    expect(readRows(qwenCodeReader, rows).logs.map((log) => speak(log).length)).toEqual([20_000]);
  });
});
