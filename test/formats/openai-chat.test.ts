import { describe, expect, it } from 'vitest';
import { openaiChatReader } from '../../src/formats/openai-chat.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown, extra: object = {}): object => ({ role: 'assistant', content, ...extra });
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

describe('the OpenAI chat reader', () => {
  it.each([
    ['a plain list', [user('hi'), assistant('hello')], [['u: hi', 'a: hello']]],
    [
      'text parts only',
      [user([{ type: 'text', text: 'see' }, { type: 'image_url', image_url: { url: 'data:,' } }, 'this'])],
      [['u: see\nthis']],
    ],
    [
      'neither instructions nor tools',
      [
        { role: 'system', content: 'be nice' },
        { role: 'developer', content: 'be brief' },
        user('hi'),
        assistant(null, { tool_calls: [call] }),
        { role: 'tool', tool_call_id: 'c', content: 'found' },
        assistant('', { tool_calls: [call] }),
        { role: 'function', name: 'f', content: 'more' },
        assistant('done', { reasoning_content: 'hm' }),
      ],
      [['u: hi', 'a: done']],
    ],
    [
      'a refusal, which the user saw',
      [user('x'), assistant(null, { refusal: 'No.' }), assistant([{ type: 'refusal', refusal: 'Still no.' }])],
      [['u: x', 'a: No.', 'a: Still no.']],
    ],
    ['a request body', { model: 'm', messages: [user('hi')], temperature: 1 }, [['u: hi']]],
    [
      'the first choice of an answer',
      { id: 'chatcmpl-1', choices: [{ message: assistant('one') }, { message: assistant('two') }] },
      [['a: one']],
    ],
    [
      'one conversation per training example',
      [{ messages: [user('a'), assistant('b')] }, { messages: [assistant('c')] }, { messages: [user('d')] }],
      [['u: a', 'a: b'], ['a: c'], ['u: d']],
    ],
    ['a list on each line', [[user('a')], [user('b')]], [['u: a'], ['u: b']]],
  ])('reads %s', (_, value, expected) => {
    expect(openaiChatReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(openaiChatReader, value)).toEqual(expected);
  });

  it.each([
    ['Anthropic blocks', [assistant([{ type: 'tool_use', id: 't', name: 'f', input: {} }])]],
    ['AI SDK parts', [{ role: 'user', parts: [], content: 'hi' }]],
    ['Responses items', [{ type: 'message', role: 'user', content: 'hi' }]],
    ['an AG-UI input', [{ threadId: 't', runId: 'r', messages: [user('hi')] }]],
    ['a Chatbot UI export', [{ version: 4, history: [{ messages: [user('hi')] }], folders: [], prompts: [] }]],
    ['a list with something else in front', [{ working_dir: '/' }, user('hi')]],
    ['an empty list of messages', [{ messages: [] }]],
    ['nothing', [null, 3, 'text', []]],
  ])('does not claim %s', (_, rows) => {
    expect(openaiChatReader.recognizes({ layout: 'array', rows })).toBe(false);
  });

  it.each([
    ['an answer that calls tools', { role: 'assistant', tool_calls: [] }, true],
    ['an answer that calls a function', { role: 'assistant', function_call: {} }, true],
    ['an answer of tools alone', { role: 'assistant', content: null }, true],
    ['a message without content', { role: 'user' }, false],
    ['a role of others', { role: 'human', content: 'hi' }, false],
    ['answers of others', { choices: [null, { message: { text: 'x' } }, { text: 'x' }] }, false],
    ['a list of which little fits', { messages: [user('hi'), {}, {}] }, false],
  ])('knows %s', (_, row, expected) => {
    expect(openaiChatReader.recognizes(toSample(row))).toBe(expected);
  });

  it('does not claim lines of which few fit', () => {
    expect(openaiChatReader.recognizes({ layout: 'lines', rows: [user('a'), {}, {}] })).toBe(false);
  });

  it('keeps whatever is no word of the conversation', () => {
    const roles = ['system', 'developer', 'tool', 'function', 'wizard'];
    const [log] = readRows(openaiChatReader, [{ messages: roles.map((role) => ({ role, content: 'x' })) }]).logs;
    expect(log && kindsOf(log)).toEqual([
      'user/message system',
      'user/message system',
      'tool/result',
      'tool/result',
      'openai-chat/message',
    ]);
    const answer = assistant([{ type: 'refusal', refusal: 3 }], { tool_calls: [call], reasoning: null });
    const [hidden] = readRows(openaiChatReader, [answer]).logs;
    expect(hidden?.events[0]?.data).toMatchObject({
      message: { content: [{ type: 'refusal' }, { type: 'tool_calls', value: [call] }] },
    });
    expect(JSON.stringify(hidden)).not.toContain('reasoning');
  });

  it('recognizes a file with a broken line', () => {
    expect(openaiChatReader.recognizes({ layout: 'lines', rows: [user('a'), {}, 7, assistant('b')] })).toBe(true);
  });

  it('takes id, title and time where there are some', () => {
    const rows = [{ id: 'x', title: 'Cats', created: 1_767_323_045, messages: [user('hi')] }];
    const [log] = readRows(openaiChatReader, rows).logs;
    expect(log?.header).toMatchObject({ id: 'x', createdAt: Date.UTC(2026, 0, 2, 3, 4, 5) });
    expect(log && titleOf(log)).toBe('Cats');
  });

  it('calls a conversation without a title by what the user said first', () => {
    const rows = [
      { messages: [assistant('Welcome'), user(' '), user('  Hello\n there  '), user('more')] },
      { messages: [] },
    ];
    expect(readRows(openaiChatReader, rows).logs.map(titleOf)).toEqual(['Hello there', undefined]);
  });

  it('gives each conversation an id of its own, stable between readings', () => {
    const rows = ['a', 'b', 'a', 'a'].map((text) => ({ messages: [user(text)] }));
    const idsOf = (options: object): unknown[] =>
      readRows(openaiChatReader, rows, options).logs.map((log) => log.header.id);
    expect(new Set(idsOf({})).size).toBe(4);
    expect(idsOf({})).toEqual(idsOf({}));
    expect(idsOf({ sessionId: 's' })).toEqual(['s', 's-2', 's-3', 's-4']);
  });

  it('reports two conversations with one id', () => {
    const rows = [1, 2].map(() => ({ id: 'same', messages: [user('hi')] }));
    const result = readRows(openaiChatReader, rows);
    expect(result.logs.map((log) => log.header.id)).toEqual(['same', 'same-2']);
    expect(codesOf(result)).toEqual(['BROKEN_TREE']);
  });

  it('uses the time of the file where no message tells one', () => {
    expect(readRows(openaiChatReader, [user('hi')], { fallbackTime: 5 }).logs[0]?.header.createdAt).toBe(5);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(openaiChatReader, [
      42,
      { messages: [3, 'text', { role: 'wizard', content: 'x' }, user('hi')] },
      user({ odd: true }),
      user(7),
      assistant(undefined),
    ]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNKNOWN']);
    expect(result.warnings.map(({ where }) => where)).toContain('[1].messages[2]');
    expect(result.logs.map(speak)).toEqual([['u: hi'], []]);
  });

  testSamples(openaiChatReader, ['openai/chat-finetune.jsonl']);
});
