import { describe, expect, it } from 'vitest';
import { claudeAiReader } from '../../src/formats/claude-ai.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const ROOT = '00000000-0000-4000-8000-000000000000';

function say(sender: string, words: string, extra: object = {}): object {
  return {
    uuid: `${sender} ${words}`,
    sender,
    text: words,
    content: [{ type: 'text', text: words }],
    attachments: [],
    files: [],
    ...extra,
  };
}

function chat(messages: readonly unknown[], extra: object = {}): object {
  return { uuid: 'c', name: 'Cats', created_at: '2026-01-02T03:04:05.000000Z', chat_messages: messages, ...extra };
}

const branches = [
  say('human', 'hi', { uuid: 'u1', parent_message_uuid: ROOT, created_at: '2026-01-01T00:00:00Z' }),
  say('assistant', 'old', { uuid: 'a1', parent_message_uuid: 'u1', created_at: '2026-01-01T00:00:01Z' }),
  say('assistant', 'new', { uuid: 'a2', parent_message_uuid: 'u1', created_at: '2026-01-01T00:00:03Z' }),
  say('human', 'why', { uuid: 'u2', parent_message_uuid: 'a1', created_at: '2026-01-01T00:00:02Z' }),
];

describe('the Claude.ai reader', () => {
  it.each([
    ['a conversation', chat([say('human', 'hi'), say('assistant', ' hello')]), [['u: hi', 'a:  hello']]],
    ['a message that has text only', chat([{ uuid: 'u', sender: 'human', text: 'hi' }]), [['u: hi']]],
    [
      'a message with empty blocks and text',
      chat([say('human', 'hi', { content: [{ type: 'text', text: '' }] })]),
      [['u: hi']],
    ],
    [
      'neither thoughts nor tools',
      chat([
        say('assistant', 'x', {
          text: 'one\n```\nThis block is not supported on your current device yet.\n```\ntwo',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'one' },
            { type: 'tool_use', name: 'f' },
            { type: 'text', text: 'two' },
          ],
        }),
      ]),
      [['a: one\ntwo']],
    ],
    [
      'no text beside blocks of tools',
      chat([say('assistant', 'junk', { content: [{ type: 'tool_use', name: 'f' }] })]),
      [[]],
    ],
    [
      'no placeholder of a tool',
      chat([
        say('assistant', '', {
          text: '```\nThis block is not supported on your current device yet.\n```',
          content: [],
        }),
      ]),
      [[]],
    ],
    [
      'no text of attachments',
      chat([say('human', 'see', { attachments: [{ file_name: 'a', extracted_content: 'secret' }] })]),
      [['u: see']],
    ],
    ['the open branch', chat(branches, { current_leaf_message_uuid: 'u2' }), [['u: hi', 'a: old', 'u: why']]],
    ['the newest branch where none is open', chat(branches), [['u: hi', 'a: new']]],
    ['a conversation without messages', [chat([]), chat([say('human', 'b')], { uuid: 'd' })], [[], ['u: b']]],
  ])('reads %s', (_, value, expected) => {
    expect(claudeAiReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(claudeAiReader, value)).toEqual(expected);
  });

  it('takes id, title and time from the conversation', () => {
    const logs = readRows(claudeAiReader, [chat([]), { uuid: 'd', name: '', title: 'Dogs', chat_messages: [] }]).logs;
    expect(logs.map(({ header }) => header.id)).toEqual(['c', 'd']);
    expect(logs[0]?.header.createdAt).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
    expect(logs.map(titleOf)).toEqual(['Cats', 'Dogs']);
  });

  it('leaves out messages of a tree that cannot be told apart', () => {
    const messages = [
      ...branches,
      { sender: 'human', text: 'x', parent_message_uuid: ROOT },
      say('human', 'twin', { uuid: 'u1' }),
    ];
    const result = readRows(claudeAiReader, [chat(messages, { current_leaf_message_uuid: 'u2' })]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: old', 'u: why']]);
    expect(codesOf(result)).toEqual(['BROKEN_TREE', 'BROKEN_TREE']);
  });

  it('keeps whatever is no word of the conversation', () => {
    const [log] = readRows(claudeAiReader, [
      chat([say('wizard', 'x'), say('human', 'hi', { files: [{ file_name: 'f' }] })]),
    ]).logs;
    expect(log && kindsOf(log)).toEqual(['session/title', 'claude-ai/message', 'user/message']);
    expect(JSON.stringify(log?.events)).toContain('file_name');
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(claudeAiReader, [
      7,
      {},
      chat([3, 'text', say('wizard', 'x'), say('human', 'hi', { content: 'hi' })]),
      chat(
        [
          say('human', 'a', { uuid: 'a', parent_message_uuid: 'b' }),
          say('human', 'b', { uuid: 'b', parent_message_uuid: 'a' }),
        ],
        { uuid: 'd' },
      ),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi'], ['u: a', 'u: b']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNKNOWN', 'BROKEN_TREE']);
  });

  testSamples(claudeAiReader, ['claude-ai/export-reduced.json', 'claude-ai/single-object-title.json']);
});
