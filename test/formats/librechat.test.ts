import { describe, expect, it } from 'vitest';
import { librechatReader } from '../../src/formats/librechat.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const ROOT = '00000000-0000-0000-0000-000000000000';
let clock = 0;

function say(id: string, parent: string | null, text: string, extra: object = {}): object {
  clock += 1;
  const createdAt = new Date(Date.UTC(2026, 0, 1) + clock * 1000).toISOString();
  const isCreatedByUser = id.startsWith('u');
  return {
    messageId: id,
    parentMessageId: parent,
    isCreatedByUser,
    text,
    createdAt,
    error: false,
    unfinished: false,
    ...extra,
  };
}

function chat(messages: readonly unknown[], extra: object = {}): object {
  return { conversationId: 'c', endpoint: 'openAI', title: 'Cats', exportAt: '20:33:31 GMT-0400', messages, ...extra };
}

function deepTree(depth: number): object {
  let message: object = say('u0', null, 'last');
  for (let level = 1; level < depth; level += 1)
    message = { ...say(`u${level}`, null, `m${level}`), children: [message] };
  return message;
}

describe('the LibreChat reader', () => {
  it.each([
    ['a flat conversation', chat([say('u1', ROOT, 'hi'), say('a1', 'u1', 'hello')]), [['u: hi', 'a: hello']]],
    [
      'a tree',
      chat([{ ...say('u1', null, 'hi'), children: [{ ...say('a1', 'u1', 'hello'), children: [] }] }]),
      [['u: hi', 'a: hello']],
    ],
    ['a tree under its other name', { conversationId: 'c', messagesTree: [say('u1', null, 'hi')] }, [['u: hi']]],
    [
      'the newest root and the newest answers',
      chat([
        say('u1', ROOT, 'old'),
        say('a1', 'u1', 'older'),
        say('u2', ROOT, 'new'),
        say('a2', 'u2', 'first'),
        say('a3', 'u2', 'second'),
      ]),
      [['u: new', 'a: second']],
    ],
    [
      'only the words of an answer',
      chat([
        say('a1', null, 'ignored', {
          content: [
            { type: 'think', think: 'hm' },
            { type: 'text', text: 'one' },
            { type: 'tool_call', tool_call: {} },
            { type: 'text', text: { value: 'two' } },
          ],
        }),
      ]),
      [['a: one\ntwo']],
    ],
    ['no errors', chat([say('u1', null, 'hi'), say('a1', 'u1', 'failed', { error: true })]), [['u: hi']]],
    ['no unfinished answer', chat([say('u1', null, 'hi'), say('a1', 'u1', 'hel', { unfinished: true })]), [['u: hi']]],
    [
      'rows of two conversations',
      [
        say('u1', null, 'one', { conversationId: 'x' }),
        say('u1', null, 'two', { conversationId: 'y' }),
        say('a1', 'u1', 'answer', { conversationId: 'x' }),
      ],
      [['u: one', 'a: answer'], ['u: two']],
    ],
  ])('reads %s', (_, value, expected) => {
    expect(librechatReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(librechatReader, value)).toEqual(expected);
  });

  it.each([
    ['a Chatbot UI export', { version: 4, history: [{ id: 'x', messages: [] }], folders: [], prompts: [] }],
    ['a plain list of messages', { messages: [{ role: 'user', content: 'hi' }] }],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(librechatReader.recognizes(toSample(value))).toBe(false);
  });

  it.each([
    ['a conversation without messages', { conversationId: 'c', endpoint: 'openAI', messages: [] }, true],
    ['a message', say('u1', null, 'hi'), true],
    ['messages of nobody', { conversationId: 'c', messages: [{ messageId: 'x' }, { isCreatedByUser: true }] }, false],
    ['a conversation without a list', { conversationId: 'c', endpoint: 'openAI' }, false],
    ['a list without a conversation', { endpoint: 'openAI', messages: [] }, false],
  ])('knows %s', (_, row, expected) => {
    expect(librechatReader.recognizes(toSample(row))).toBe(expected);
  });

  it('tells by the sender who spoke where nothing else tells', () => {
    const messages = [
      { messageId: '1', sender: 'User', text: 'hi' },
      { messageId: '2', parentMessageId: '1', sender: 'GPT-4', text: 'yes' },
      { messageId: '3', parentMessageId: '2', text: 'nobody' },
    ];
    expect(converseInPeace(librechatReader, chat(messages))).toEqual([['u: hi', 'a: yes', 'a: nobody']]);
  });

  it('keeps whatever is no word of the conversation', () => {
    const messages = [say('u1', null, 'hi'), say('a1', 'u1', 'failed', { error: true })];
    const [log] = readRows(librechatReader, [chat(messages)]).logs;
    expect(log && kindsOf(log)).toEqual(['session/title', 'user/message', 'librechat/error']);
  });

  it('takes id and title from the conversation, and the time from its first message', () => {
    const [log] = readRows(librechatReader, [
      chat([say('u1', null, 'hi', { createdAt: '2026-01-02T03:04:05.000Z' })]),
    ]).logs;
    expect(log?.header).toMatchObject({ id: 'c', createdAt: Date.UTC(2026, 0, 2, 3, 4, 5) });
    expect(log && titleOf(log)).toBe('Cats');
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(librechatReader, [
      7,
      {},
      chat([3, say('u1', 'gone', 'hi'), say('u1', null, 'again')]),
      chat([say('u1', 'a1', 'one'), say('a1', 'u1', 'two')], { conversationId: 'd' }),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi'], ['u: one', 'a: two']]);
    expect(codesOf(result)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      'UNREADABLE',
      'BROKEN_TREE',
      'BROKEN_TREE',
      'BROKEN_TREE',
    ]);
  });

  it('keeps an error without what was written below it', () => {
    const error = say('a1', null, 'failed', { error: true, children: [say('u1', 'a1', 'again')] });
    const [log] = readRows(librechatReader, [chat([error])]).logs;
    expect(log && speak(log)).toEqual(['u: again']);
    expect(JSON.stringify(log?.events).match(/again/g)).toHaveLength(1);
  });

  it('reads a tree of 20,000 levels', () => {
    const [spoken] = converseInPeace(librechatReader, chat([deepTree(20_000)]));
    expect(spoken?.length).toBe(20_000);
    expect(spoken?.at(-1)).toBe('u: last');
  });

  testSamples(librechatReader, [
    'librechat/librechat-export.json',
    'librechat/librechat-linear.json',
    'librechat/librechat-opts-nonr-branches.json',
  ]);
});
