import { describe, expect, it } from 'vitest';
import { geminiCliReader } from '../../src/formats/gemini-cli.ts';
import { codesOf, converse, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Line {
  readonly [field: string]: unknown;
}

const TIME = '2026-01-02T03:04:05.000Z';
const HEADER = { sessionId: 's', projectHash: 'p', startTime: TIME, lastUpdated: TIME, kind: 'main' };

/** Ids that begin with `u` are of the user, others of the model. */
function say(id: string, content: unknown, fields: Line = {}): Line {
  return { id, timestamp: TIME, type: id.startsWith('u') ? 'user' : 'gemini', content, ...fields };
}

const TALK = [say('u1', 'hi'), say('a1', 'hello')];
const SNAPSHOT = '<state_snapshot>sum</state_snapshot>';

function compress(kept: readonly Line[], snapshot = SNAPSHOT): Line {
  const messages = [
    say('u-context', [{ text: '<session_context>x</session_context>' }]),
    say('u-summary', [{ text: snapshot }]),
    say('ack', [{ text: 'Got it. Thanks for the additional context!' }]),
    ...kept,
  ];
  return { $set: { messages } };
}

describe('the Gemini CLI reader', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ['lines', [HEADER, ...TALK], ['u: hi', 'a: hello']],
    ['a document', [{ ...HEADER, messages: TALK }], ['u: hi', 'a: hello']],
    [
      'a document of parts',
      [
        {
          ...HEADER,
          messages: [say('u1', ['one', { text: 'two' }]), say('a1', [{ text: 'x', thought: true }, { text: 'yes' }])],
        },
      ],
      ['u: one\ntwo', 'a: yes'],
    ],
    [
      'a message that is written again',
      [HEADER, ...TALK, say('u2', 'next'), say('a1', 'hello again', { toolCalls: [{ id: 't' }] })],
      ['u: hi', 'a: hello again', 'u: next'],
    ],
    [
      'what was left when the user went back',
      [HEADER, ...TALK, say('u2', 'next'), say('a2', 'x'), { $rewindTo: 'u2' }, say('u3', 'again')],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    [
      'nothing from before the user went back to somewhere unknown',
      [HEADER, ...TALK, { $rewindTo: 'gone' }, say('u3', 'again')],
      ['u: again'],
    ],
    [
      'a message that comes back after it was taken back',
      [HEADER, ...TALK, { $rewindTo: 'a1' }, say('u2', 'next'), say('a1', 'here')],
      ['u: hi', 'u: next', 'a: here'],
    ],
    [
      'messages that replace all others',
      [HEADER, ...TALK, { $set: { messages: [say('u9', 'new')] } }, say('a9', 'ok')],
      ['u: new', 'a: ok'],
    ],
    [
      'a compaction and what it kept',
      [HEADER, ...TALK, say('u2', 'next'), compress([say('u2', [{ text: 'next' }])]), say('a2', 'done')],
      [`c: ${SNAPSHOT}`, 'u: next', 'a: done'],
    ],
    [
      'the last of two compactions',
      [
        HEADER,
        ...TALK,
        compress([]),
        say('u2', 'next'),
        { $set: { messages: [say('u-two', '<state_snapshot>2</state_snapshot>')] } },
      ],
      ['c: <state_snapshot>2</state_snapshot>'],
    ],
    [
      'a compaction without a summary',
      [HEADER, ...TALK, compress([say('u2', 'next')], '<state_snapshot> </state_snapshot>')],
      ['u: hi', 'a: hello', 'u: next'],
    ],
    [
      'a compaction of a document',
      [
        {
          ...HEADER,
          messages: [say('u1', SNAPSHOT), say('a1', 'Got it. Thanks for the additional context!'), say('u2', 'next')],
        },
      ],
      [`c: ${SNAPSHOT}`, 'u: next'],
    ],
    [
      'what the user typed',
      [HEADER, say('u1', [{ text: 'see @a.ts' }, { text: 'file contents' }], { displayContent: 'see @a.ts' })],
      ['u: see @a.ts'],
    ],
    [
      'no context of hooks',
      [HEADER, say('u1', [{ text: 'hi' }, { text: '<hook_context>x</hook_context>' }])],
      ['u: hi'],
    ],
    [
      'no commands',
      [HEADER, say('u1', '/help me'), say('i', 'x', { type: 'info' }), say('u2', '?'), say('u3', '/clear'), ...TALK],
      ['u: hi', 'a: hello'],
    ],
    [
      'a command that the user defined',
      [HEADER, say('u1', '/review the file'), say('a1', 'fine')],
      ['u: /review the file', 'a: fine'],
    ],
    [
      'no notices',
      [HEADER, ...['info', 'error', 'warning'].map((type) => say(type, 'x', { type })), ...TALK],
      ['u: hi', 'a: hello'],
    ],
    [
      'no results of tools',
      [HEADER, ...TALK, say('u2', [{ functionResponse: { response: 'x' } }])],
      ['u: hi', 'a: hello'],
    ],
    ['words beside a result', [HEADER, say('u2', [{ functionResponse: {} }, { text: 'stop' }])], ['u: stop']],
    [
      'thanks that are words',
      [HEADER, ...TALK, say('a2', 'Got it. Thanks for the context!')],
      ['u: hi', 'a: hello', 'a: Got it. Thanks for the context!'],
    ],
    [
      'a checkpoint',
      [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ functionCall: {} }, { text: 'hello' }] },
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'a checkpoint with its history in a field',
      [{ history: [{ role: 'user', parts: [{ text: 'hi' }] }], authType: 'x' }],
      ['u: hi'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(geminiCliReader.recognizes({ layout: 'lines', rows })).toBe(true);
    expect(readRows(geminiCliReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    ['AI SDK messages', [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }]],
    ['messages of Qwen Code', { type: 'user', sessionId: 's', message: { role: 'user', parts: [{ text: 'hi' }] } }],
    ['messages', { role: 'user', content: 'hi' }],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(geminiCliReader.recognizes(toSample(value))).toBe(false);
  });

  it('knows a file without its header by an answer', () => {
    expect(geminiCliReader.recognizes(toSample([say('u1', 'hi')]))).toBe(false);
    expect(geminiCliReader.recognizes(toSample(TALK))).toBe(true);
    expect(geminiCliReader.recognizes(toSample([{ type: 'gemini', content: 'x' }]))).toBe(false);
  });

  it('takes the facts of a session from its lines', () => {
    const [log] = readRows(geminiCliReader, [
      HEADER,
      ...TALK,
      { $set: { summary: 'A' } },
      { $set: { summary: 'B' } },
    ]).logs;
    expect(log?.header).toMatchObject({ format: 'gemini-cli', id: 's', createdAt: Date.parse(TIME) });
    expect(log && titleOf(log)).toBe('B');
  });

  it('reads sessions of one file apart', () => {
    const rows = [HEADER, ...TALK, HEADER, { ...HEADER, sessionId: 't' }, say('u1', 'other')];
    expect(readRows(geminiCliReader, rows).logs.map(speak)).toEqual([['u: hi', 'a: hello'], ['u: other']]);
    const documents = [
      { ...HEADER, messages: TALK },
      { ...HEADER, sessionId: 't', messages: [] },
    ];
    expect(converse(geminiCliReader, documents)).toEqual([['u: hi', 'a: hello'], []]);
  });

  it('keeps what is no part of the conversation', () => {
    const rows = [
      HEADER,
      say('u1', 'replaced'),
      say('i', 'notice', { type: 'info' }),
      compress([]),
      say('a1', '', { thoughts: ['thought'] }),
      say('u2', 'rewound'),
      { $rewindTo: 'u2' },
    ];
    const text = JSON.stringify(readRows(geminiCliReader, rows).logs);
    for (const word of ['replaced', 'notice', 'thought', 'rewound']) expect(text).toContain(word);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(geminiCliReader, [
      7,
      HEADER,
      { id: '__proto__', type: 'future' },
      ...TALK,
      { ...HEADER, sessionId: 't', messages: [3, say('u1', 'x')] },
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello'], ['u: x']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNKNOWN', 'UNREADABLE']);
  });

  it('replays 20,000 messages that are rewound one by one', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => say(`u${index}`, 'm'));
    const rewinds = lines.map((_, index) => ({ $rewindTo: `u${19_999 - index}` }));
    expect(readRows(geminiCliReader, [HEADER, ...lines, ...rewinds.slice(1)]).logs.map(speak)).toEqual([[]]);
  }, 10_000);

  testSamples(geminiCliReader, [
    'gemini-cli/session-2026-12-01T04-19-22222222-compressed.jsonl',
    'gemini-cli/standard_session.json',
    'gemini-cli/string-array-content.json',
    'gemini-cli/system_messages.json',
    'gemini-cli/thinking_only.json',
  ]);
});
