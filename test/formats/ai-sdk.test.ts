import { describe, expect, it } from 'vitest';
import { aiSdkReader } from '../../src/formats/ai-sdk.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const text = (value: string, extra: object = {}): object => ({ type: 'text', text: value, ...extra });
const user = (...parts: readonly unknown[]): object => ({ id: 'u', role: 'user', parts });
const assistant = (...parts: readonly unknown[]): object => ({ id: 'a', role: 'assistant', parts });
const tool = { type: 'tool-search', toolCallId: 'c', state: 'output-available', input: {}, output: 'found' };
const treeItem = (id: string, parentId: string | null, role: string, words: string, extra: object = {}): object => ({
  parentId,
  message: { id, role, content: [text(words)], ...extra },
});

describe('the AI SDK reader', () => {
  it.each([
    ['parts', [user(text('hi')), assistant(text('hello'))], [['u: hi', 'a: hello']]],
    ['several text parts', [user(text('one'), { type: 'data-x', data: 1 }, text('two'))], [['u: one\ntwo']]],
    [
      'only text of an answer with tools',
      [assistant({ type: 'step-start' }, tool, { type: 'reasoning', text: 'hm' }, text('done', { state: 'done' }))],
      [['a: done']],
    ],
    ['no text that was streaming', [user(text('hi')), assistant(text('hel', { state: 'streaming' }))], [['u: hi']]],
    [
      'finished text in front of streaming text',
      [assistant(text('first', { state: 'done' }), tool, text('sec', { state: 'streaming' }))],
      [['a: first']],
    ],
    ['no answer without parts', [user(text('hi')), assistant()], [['u: hi']]],
    ['no system message', [{ role: 'system', parts: [text('be nice')] }, user(text('hi'))], [['u: hi']]],
    [
      'messages of version 3',
      [
        { role: 'data', content: 'x' },
        { role: 'user', content: 'hi' },
      ],
      [['u: hi']],
    ],
    ['version 4 with tools only', [{ role: 'assistant', content: '', toolInvocations: [] }], [[]]],
    ['a file in a model message', [{ role: 'user', content: [{ type: 'file', mediaType: 'a/b', data: 'A' }] }], [[]]],
    ['parts that are strings', [user(text('hi'), 'there')], [['u: hi\nthere']]],
    [
      'version 4 with content and parts',
      [{ id: '1', role: 'assistant', content: 'so', parts: [{ type: 'tool-invocation' }, text('so')] }],
      [['a: so']],
    ],
    [
      'version 4 with content only',
      [{ id: '1', role: 'user', content: 'see', experimental_attachments: [{ url: 'data:,' }] }],
      [['u: see']],
    ],
    [
      'model messages',
      [
        { role: 'user', content: [text('look'), { type: 'file', mediaType: 'image/png', data: 'AAAA' }] },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c' }, text('a cat')] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c', output: { type: 'text', value: 'cat' } }] },
      ],
      [['u: look', 'a: a cat']],
    ],
    [
      'a request body',
      { id: 'chat', messages: [user(text('hi')), assistant(tool)], trigger: 'submit-message' },
      [['u: hi']],
    ],
    [
      'the active branch of an assistant-ui tree',
      {
        headId: 'a2',
        messages: [
          treeItem('u1', null, 'user', 'hi'),
          treeItem('a1', 'u1', 'assistant', 'old'),
          treeItem('a2', 'u1', 'assistant', 'new'),
        ],
      },
      [['u: hi', 'a: new']],
    ],
    [
      'an assistant-ui tree whose head does not exist',
      {
        headId: 'gone',
        messages: [treeItem('u1', null, 'user', 'hi'), treeItem('a1', 'u1', 'assistant', 'yes')],
      },
      [['u: hi', 'a: yes']],
    ],
    [
      'no answer that assistant-ui is still writing',
      {
        messages: [
          treeItem('u1', null, 'user', 'hi'),
          treeItem('a1', 'u1', 'assistant', 'hel', { status: { type: 'running' } }),
        ],
      },
      [['u: hi']],
    ],
    [
      'an answer that was stopped',
      {
        messages: [treeItem('a1', null, 'assistant', 'hel', { status: { type: 'incomplete', reason: 'cancelled' } })],
      },
      [['a: hel']],
    ],
    [
      'database rows of two chats',
      [
        { chatId: 'one', role: 'user', parts: [text('first')] },
        { chatId: 'two', role: 'user', parts: [text('second')] },
        { chatId: 'one', role: 'assistant', parts: [text('answer')] },
      ],
      [['u: first', 'a: answer'], ['u: second']],
    ],
  ])('reads %s', (_, value, expected) => {
    expect(aiSdkReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(aiSdkReader, value)).toEqual(expected);
  });

  it.each([
    ['a plain list of messages', [{ role: 'user', content: 'hi' }]],
    ['Gemini contents', [{ role: 'user', parts: [{ text: 'hi' }] }]],
    ['OpenAI parts', [{ role: 'user', content: [text('hi'), { type: 'image_url', image_url: { url: 'x' } }] }]],
    ['a tree of others', [{ messages: [{ parentId: null }, { message: { role: 'user' } }] }]],
    ['a file of OpenAI', [{ role: 'user', content: [{ type: 'file', file: {} }, null] }]],
    ['an opencode message', [{ info: { role: 'user' }, parts: [text('hi')] }]],
    ['nothing', [null, 3, 'text', []]],
  ])('does not claim %s', (_, rows) => {
    expect(aiSdkReader.recognizes({ layout: 'array', rows })).toBe(false);
  });

  it('takes id, title and time from a chat', () => {
    const chat = { id: 'chat-1', title: 'Cats', createdAt: '2026-01-02T03:04:05.000Z', messages: [user(text('hi'))] };
    const [log] = readRows(aiSdkReader, [chat], { sessionId: 'mine' }).logs;
    expect(log?.header).toMatchObject({ id: 'chat-1', createdAt: Date.UTC(2026, 0, 2, 3, 4, 5), format: 'ai-sdk' });
    expect(log && titleOf(log)).toBe('Cats');
  });

  it.each([
    ['the caller', { sessionId: 'mine', fileName: 'x8Tq2Rf7.json' }, 'mine'],
    ['a file that is named after its chat', { fileName: 'x8Tq2Rf7.json' }, 'x8Tq2Rf7'],
  ])('takes the id from %s', (_, options, id) => {
    expect(readRows(aiSdkReader, [user(text('hi'))], options).logs[0]?.header.id).toBe(id);
  });

  it('makes a stable id from what was said', () => {
    const idOf = (words: string): unknown => {
      return readRows(aiSdkReader, [user(text(words))], { fileName: 'messages.json' }).logs[0]?.header.id;
    };
    expect(idOf('hi')).toMatch(/^ai-sdk-[0-9a-f]{16}$/);
    expect(idOf('hi')).toBe(idOf('hi'));
    expect(idOf('hi')).not.toBe(idOf('ho'));
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(aiSdkReader, [42, 'text', null, { role: 'wizard', parts: [] }, user(text('hi'))]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNKNOWN']);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
  });

  it('survives a cycle and a parent that does not exist', () => {
    const cycle = { headId: 'b', messages: [treeItem('a', 'b', 'user', 'one'), treeItem('b', 'a', 'user', 'two')] };
    const orphan = { headId: 'a', messages: [treeItem('a', 'gone', 'user', 'alone')] };
    const result = readRows(aiSdkReader, [cycle, orphan]);
    expect(result.logs.map(speak)).toEqual([['u: one', 'u: two'], ['u: alone']]);
    expect(codesOf(result)).toEqual(['BROKEN_TREE', 'BROKEN_TREE']);
  });

  it('keeps whatever is no word of the conversation', () => {
    const roles = ['system', 'tool', 'function', 'data', 'wizard'];
    const [log] = readRows(aiSdkReader, [...roles.map((role) => ({ role, parts: [text('x')] }))]).logs;
    expect(log && kindsOf(log)).toEqual([
      'user/message system',
      'tool/result',
      'tool/result',
      'ai-sdk/data',
      'ai-sdk/message',
    ]);
    const [files] = readRows(aiSdkReader, [{ role: 'user', parts: [text('see')], attachments: [{ url: 'x' }] }]).logs;
    expect(files?.events[0]?.data).toMatchObject({
      content: [text('see'), { type: 'attachments', value: [{ url: 'x' }] }],
    });
    const [none] = readRows(aiSdkReader, [{ role: 'user', parts: [text('see')], attachments: [] }]).logs;
    expect(none?.events[0]?.data).toMatchObject({ content: [text('see')] });
  });

  it('takes the time of messages where the chat has none', () => {
    const at = (extra: object): unknown =>
      readRows(aiSdkReader, [{ ...user(text('hi')), ...extra }]).logs[0]?.header.createdAt;
    expect(at({ createdAt: 1_767_323_045_000 })).toBe(1_767_323_045_000);
    expect(at({ metadata: { createdAt: '2026-01-02T03:04:05Z' } })).toBe(1_767_323_045_000);
  });

  it('leaves out items of a tree that are no messages', () => {
    const messages = [
      3,
      { parentId: null },
      { parentId: null, message: { role: 'user' } },
      treeItem('u1', null, 'user', 'hi'),
    ];
    const result = readRows(aiSdkReader, [{ headId: 4, messages }]);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE']);
  });

  it('keeps tools and reasoning, which nobody quotes', () => {
    const [log] = readRows(aiSdkReader, [assistant(tool, { type: 'reasoning', text: 'hm' }, text('done'))]).logs;
    expect(JSON.stringify(log?.events)).toContain('found');
    expect(JSON.stringify(log?.events)).toContain('hm');
  });

  testSamples(aiSdkReader, [
    'ai-sdk/v4-tool-invocation-parts.json',
    'ai-sdk/v7-aborted-streaming.json',
    'ai-sdk/v7-data-parts.json',
    'ai-sdk/v7-dynamic-tool-then-text.json',
    'ai-sdk/v7-request-body-dynamic-tool.json',
  ]);
});
