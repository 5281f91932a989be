import { describe, expect, it } from 'vitest';
import { agUiReader } from '../../src/formats/ag-ui.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const start = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finish = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const begin = (messageId: string, extra: object = {}): object => ({ type: 'TEXT_MESSAGE_START', messageId, ...extra });
const piece = (messageId: string, delta: string): object => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
const end = (messageId: string): object => ({ type: 'TEXT_MESSAGE_END', messageId });
const chunk = (delta: string, messageId?: string): object => ({
  type: 'TEXT_MESSAGE_CHUNK',
  delta,
  ...(messageId === undefined ? {} : { messageId }),
});
const snapshot = (...messages: readonly unknown[]): object => ({ type: 'MESSAGES_SNAPSHOT', messages });
const user = { id: '1', role: 'user', content: 'hi' };
const assistant = { id: '2', role: 'assistant', content: 'yes' };

describe('the AG-UI reader', () => {
  it.each([
    ['the input of a run', { threadId: 't', runId: 'r', messages: [user, assistant] }, [['u: hi', 'a: yes']]],
    [
      'only words of messages',
      {
        threadId: 't',
        runId: 'r',
        messages: [
          { id: 's', role: 'system', content: 'be nice' },
          { id: 'd', role: 'developer', content: 'be brief' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'see' },
              { type: 'binary', mimeType: 'image/png', data: 'A' },
            ],
          },
          { id: 'r', role: 'reasoning', content: 'hm' },
          { id: 'a', role: 'activity', activityType: 'x', content: { text: 'working' } },
          {
            id: 'c',
            role: 'assistant',
            toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }],
          },
          { id: 'o', role: 'tool', toolCallId: 'c', content: 'found' },
          assistant,
        ],
      },
      [['u: see', 'a: yes']],
    ],
    [
      'a list with activities',
      [user, { id: 'a', role: 'activity', activityType: 'x', content: {} }, assistant],
      [['u: hi', 'a: yes']],
    ],
    [
      'streamed text, piece by piece',
      [
        start,
        begin('a'),
        piece('a', 'he'),
        begin('b'),
        piece('b', 'and'),
        piece('a', 'llo'),
        end('b'),
        end('a'),
        finish,
      ],
      [['a: hello', 'a: and']],
    ],
    ['no text that has not ended', [start, begin('a'), piece('a', 'hel'), finish], [[]]],
    [
      'text before an error',
      [start, begin('a'), piece('a', 'so'), end('a'), { type: 'RUN_ERROR', message: 'x' }],
      [['a: so']],
    ],
    ['streamed text of a user', [start, begin('a', { role: 'user' }), piece('a', 'hi'), end('a')], [['u: hi']]],
    ['chunks', [start, chunk('he', 'a'), chunk('llo'), chunk('yes', 'b'), finish], [['a: hello', 'a: yes']]],
    ['no chunks of a run that failed', [start, chunk('hel', 'a'), { type: 'RUN_ERROR', message: 'x' }], [[]]],
    ['no chunks of a stream that broke off', [start, chunk('hel', 'a')], [[]]],
    [
      'a snapshot in the place of everything before',
      [
        start,
        begin('1'),
        piece('1', 'draft'),
        end('1'),
        snapshot(user, assistant),
        begin('3'),
        piece('3', 'more'),
        end('3'),
      ],
      [['u: hi', 'a: yes', 'a: more']],
    ],
    [
      'what runs were started with, once',
      [
        { ...start, input: { threadId: 't', runId: 'r', messages: [user] } },
        begin('1'),
        piece('1', 'yes'),
        end('1'),
        {
          ...start,
          runId: 'r2',
          input: {
            messages: [user, { id: '1', role: 'assistant', content: 'yes' }, { id: '3', role: 'user', content: 'why' }],
          },
        },
      ],
      [['u: hi', 'a: yes', 'u: why']],
    ],
    [
      'two threads',
      [start, chunk('one', 'a'), finish, { ...start, threadId: 's' }, chunk('two', 'b'), { ...finish, threadId: 's' }],
      [['a: one'], ['a: two']],
    ],
    ['a recording that begins in the middle', [begin('a'), piece('a', 'yes'), end('a'), finish], [['a: yes']]],
  ])('reads %s', (_, value, expected) => {
    expect(agUiReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(agUiReader, value)).toEqual(expected);
  });

  it.each([
    ['a plain list of messages', [user, assistant]],
    ['Responses items', [{ type: 'message', role: 'user', content: 'hi' }]],
    ['a Codex log', [{ type: 'event_msg', payload: {} }]],
    ['nothing', [null, 3, 'text', []]],
  ])('does not claim %s', (_, rows) => {
    expect(agUiReader.recognizes({ layout: 'array', rows })).toBe(false);
  });

  it.each([
    ['an activity', { role: 'activity', activityType: 'x', content: {} }, true],
    ['an activity of nobody', { role: 'activity' }, false],
    ['the result of a tool', { role: 'tool', toolCallId: 'c', content: 'x' }, true],
    ['the result of a tool of others', { role: 'tool', toolCallId: 'c', content: [] }, false],
    ['the result of no tool', { role: 'tool', content: 'x' }, false],
    ['calls of tools', { role: 'assistant', toolCalls: [{ type: 'function', function: {} }] }, true],
    ['calls of nothing', { role: 'assistant', toolCalls: [{ type: 'function' }, { function: {} }, null] }, false],
    ['calls of a user', { role: 'user', toolCalls: [{ type: 'function', function: {} }] }, false],
    ['an input without a run', { threadId: 't', messages: [] }, false],
    ['an input without a thread', { runId: 'r', messages: [] }, false],
    ['an input without messages', { threadId: 't', runId: 'r' }, false],
    ['an event that anybody may have', { type: 'CUSTOM' }, false],
  ])('knows %s', (_, row, expected) => {
    expect(agUiReader.recognizes(toSample(row))).toBe(expected);
  });

  it('keeps whatever is no word of the conversation', () => {
    const roles = ['system', 'developer', 'tool', 'activity', 'reasoning', 'wizard'];
    const [log] = readRows(agUiReader, [{ threadId: 't', runId: 'r', messages: roles.map((role) => ({ role })) }]).logs;
    expect(log && kindsOf(log)).toEqual([
      'user/message system',
      'user/message system',
      'tool/result',
      'ag-ui/activity',
      'ag-ui/reasoning',
      'ag-ui/message',
    ]);
    const events = [
      start,
      { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c', content: 'x' },
      { type: 'STATE_DELTA' },
    ];
    const [stream] = readRows(agUiReader, events).logs;
    expect(stream && kindsOf(stream)).toEqual(['tool/result', 'ag-ui/STATE_DELTA']);
  });

  it('tells a user and an assistant of the same id apart', () => {
    const second = { ...start, input: { messages: [{ id: '1', role: 'assistant', content: 'yes' }] } };
    expect(converseInPeace(agUiReader, [start, snapshot(user), second])).toEqual([['u: hi', 'a: yes']]);
  });

  it('counts messages of an input where they have no ids', () => {
    const input = (...words: readonly string[]): object => ({
      ...start,
      input: { messages: words.map((content) => ({ role: 'user', content })) },
    });
    expect(converseInPeace(agUiReader, [input('a'), input('a', 'b'), input('a', 'b')])).toEqual([['u: a', 'u: b']]);
  });

  it('forgets with a snapshot what it had', () => {
    const again = { ...start, input: { messages: [user] } };
    const result = readRows(agUiReader, [again, begin('a'), snapshot(), end('a'), again, end('a')]);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE']);
  });

  it('ends a text once', () => {
    expect(codesOf(readRows(agUiReader, [begin('a'), end('a'), end('a'), piece('a', 'x')]))).toEqual([
      'UNREADABLE',
      'UNREADABLE',
    ]);
  });

  it('goes back to a thread that it knows', () => {
    const rows = [
      begin('x'),
      end('x'),
      start,
      chunk('one', 'a'),
      finish,
      { ...start, threadId: 's' },
      chunk('two', 'b'),
      { ...finish, threadId: 's' },
      start,
      chunk('three', 'c'),
      finish,
    ];
    expect(converseInPeace(agUiReader, rows)).toEqual([['a: one', 'a: three'], ['a: two']]);
  });

  it('names the session after its thread', () => {
    const [log] = readRows(agUiReader, [{ ...start, timestamp: 1_767_323_045_000 }, finish]).logs;
    expect(log?.header).toMatchObject({ id: 't', createdAt: 1_767_323_045_000 });
    expect(readRows(agUiReader, [begin('a'), finish]).logs[0]?.header.id).toBe('t');
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(agUiReader, [
      7,
      piece('gone', 'x'),
      end('gone'),
      { type: 'NEW_THING' },
      { type: 'MESSAGES_SNAPSHOT' },
      snapshot(3, { role: 'wizard' }, user),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
    expect(codesOf(result)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      'UNREADABLE',
      'UNKNOWN',
      'UNREADABLE',
      'UNKNOWN',
      'UNKNOWN',
    ]);
  });

  testSamples(agUiReader, [
    'ag-ui/event-stream-text.json',
    'ag-ui/events-error-handling.json',
    'ag-ui/events-messages-snapshot-activity-reasoning.json',
    'ag-ui/events-tool-call-sequence.json',
    'ag-ui/run-input-multi-turn-bom.json',
  ]);
});
