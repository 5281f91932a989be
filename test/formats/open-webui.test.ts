import { describe, expect, it } from 'vitest';
import { openWebuiReader } from '../../src/formats/open-webui.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

function say(id: string, parentId: string | null, role: string, content: unknown, extra: object = {}): object {
  return { id, parentId, role, content, timestamp: 1_767_323_045, ...extra };
}

function history(messages: readonly object[], currentId?: string): object {
  const entries = messages.map((message) => [(message as { id: string }).id, message] as const);
  return { history: { messages: Object.fromEntries(entries), currentId: currentId ?? entries.at(-1)?.[0] } };
}

function chat(messages: readonly object[], currentId?: string): object {
  return { id: 'c', title: 'Cats', created_at: 1_767_323_045, chat: history(messages, currentId) };
}

const output = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const details = (type: string, text: string): string =>
  `<details type="${type}" done="true">\n<summary>x</summary>\n${text}\n</details>`;

describe('the Open WebUI reader', () => {
  it.each([
    [
      'a chat',
      chat([say('1', null, 'user', 'hi'), say('2', '1', 'assistant', 'hello', { done: true })]),
      [['u: hi', 'a: hello']],
    ],
    ['a bare chat', history([say('1', null, 'user', 'hi')]), [['u: hi']]],
    [
      'B64: the open branch',
      chat([say('1', null, 'user', 'hi'), say('2', '1', 'assistant', 'a'), say('3', '1', 'assistant', 'b')], '2'),
      [['u: hi', 'a: a']],
    ],
    [
      'the newest branch where none is open',
      chat(
        [
          say('1', null, 'user', 'hi'),
          say('3', '1', 'assistant', 'b', { timestamp: 1_767_323_046 }),
          say('2', '1', 'assistant', 'a'),
        ],
        'gone',
      ),
      [['u: hi', 'a: b']],
    ],
    [
      'the record of the output rather than the page text',
      chat([
        say('1', null, 'assistant', 'page', {
          output: [
            { type: 'reasoning', content: [{ type: 'output_text', text: 'hm' }] },
            output('one'),
            { type: 'function_call' },
            output('two'),
          ],
        }),
      ]),
      [['a: one\ntwo']],
    ],
    [
      'page text without reasoning and tools',
      chat([
        say('1', null, 'assistant', `${details('reasoning', '&gt; hm')}\n255 ${details('tool_calls', '"x"')}is it.`),
      ]),
      [['a: 255 is it.']],
    ],
    [
      'no block that was never closed',
      chat([say('1', null, 'assistant', 'so: <details type="reasoning">hm')]),
      [['a: so:']],
    ],
    [
      'other details, which were shown',
      chat([say('1', null, 'assistant', '<details><summary>more</summary>x</details>')]),
      [['a: <details><summary>more</summary>x</details>']],
    ],
    [
      'no unfinished answer',
      chat([say('1', null, 'user', 'hi'), say('2', '1', 'assistant', 'hel', { done: false })]),
      [['u: hi']],
    ],
    [
      'content of every shape',
      chat([
        say('1', null, 'user', null),
        say('2', '1', 'user', []),
        say('3', '2', 'user', [{ type: 'image_url' }, { type: 'text', text: 'see' }]),
        say('4', '3', 'user', 5),
      ]),
      [['u: see']],
    ],
    [
      'several chats',
      [chat([say('1', null, 'user', 'a')]), { ...chat([say('1', null, 'user', 'b')]), id: 'd' }],
      [['u: a'], ['u: b']],
    ],
  ])('reads %s', (_, value, expected) => {
    expect(openWebuiReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(openWebuiReader, value)).toEqual(expected);
  });

  it('keeps whatever is no word of the conversation', () => {
    const messages = [
      say('1', null, 'system', 'x'),
      say('2', '1', 'tool', 'x'),
      say('3', '2', 'wizard', 'x'),
      say('4', '3', 'user', 'see', { files: [{ name: 'f' }] }),
      say('5', '4', 'assistant', 'ignored', {
        output: [3, {}, { type: 'message', content: [{ type: 'image' }, 'so'] }],
      }),
    ];
    const [log] = readRows(openWebuiReader, [chat(messages)]).logs;
    expect(log && kindsOf(log)).toEqual([
      'session/title',
      'user/message system',
      'tool/result',
      'open-webui/message',
      'user/message',
      'assistant/message',
    ]);
    expect(log && speak(log)).toEqual(['u: see', 'a: so']);
    expect(JSON.stringify(log?.events)).toContain('"files"');
    expect(JSON.stringify(log?.events)).toContain('"item"');
  });

  it.each([
    ['no object', null, false],
    ['a history without messages', { history: { currentId: 'x' } }, false],
    ['a history', { history: { messages: {} } }, true],
  ])('knows %s', (_, row, expected) => {
    expect(openWebuiReader.recognizes(toSample(row))).toBe(expected);
  });

  it('takes id, title and time from the chat, in seconds or milliseconds', () => {
    const bare = { ...history([say('1', null, 'user', 'hi')]), id: '', title: 'Dogs', timestamp: 1_767_323_045_000 };
    const logs = readRows(openWebuiReader, [chat([]), bare]).logs;
    expect(logs.map(({ header }) => header.createdAt)).toEqual([1, 1].map(() => Date.UTC(2026, 0, 2, 3, 4, 5)));
    expect(logs.map(titleOf)).toEqual(['Cats', 'Dogs']);
    expect(logs[0]?.header.id).toBe('c');
    expect(logs[1]?.header.id).toMatch(/^open-webui-[0-9a-f]{16}$/);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(openWebuiReader, [
      7,
      {},
      { id: 'x', chat: { history: { messages: { a: 3 }, currentId: 'a' } } },
      chat([say('1', 'gone', 'user', 'hi'), say('2', '1', 'wizard', 'x')]),
      { ...chat([say('1', '2', 'user', 'a'), say('2', '1', 'user', 'b')]), id: 'd' },
    ]);
    expect(result.logs.map(speak)).toEqual([[], ['u: hi'], ['u: a', 'u: b']]);
    expect(codesOf(result)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      'UNREADABLE',
      'BROKEN_TREE',
      'UNKNOWN',
      'BROKEN_TREE',
    ]);
  });

  it('reads page text of many blocks in linear time', () => {
    const text = '<details type="reasoning">'.repeat(200_000);
    expect(converseInPeace(openWebuiReader, chat([say('1', null, 'assistant', `a${text}`)]))).toEqual([['a: a']]);
  });

  testSamples(openWebuiReader, ['open-webui/array-export.json', 'open-webui/reasoning-tools-export.json']);
});
