import { describe, expect, it } from 'vitest';
import { chatgptReader } from '../../src/formats/chatgpt.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

type Node = readonly [id: string, parent: string | null, message: object | null];

function say(role: string, words: unknown, extra: object = {}): object {
  const content = Array.isArray(words)
    ? { content_type: 'multimodal_text', parts: words }
    : { content_type: 'text', parts: [words] };
  return {
    id: 'm',
    author: { role },
    create_time: null,
    content,
    status: 'finished_successfully',
    recipient: 'all',
    metadata: {},
    ...extra,
  };
}

function conversation(nodes: readonly Node[], extra: object = {}): object {
  const mapping = Object.fromEntries(
    nodes.map(([id, parent, message]) => [
      id,
      { id, parent, message, children: nodes.filter(([, other]) => other === id).map(([child]) => child) },
    ]),
  );
  return {
    title: 'T',
    create_time: 1_767_323_045.5,
    mapping,
    current_node: nodes.at(-1)?.[0],
    conversation_id: 'c',
    ...extra,
  };
}

/** A conversation of messages one after the other. */
function chain(...messages: readonly (object | null)[]): object {
  return conversation(
    messages.map((message, index): Node => [`n${index}`, index === 0 ? null : `n${index - 1}`, message]),
  );
}

describe('the ChatGPT reader', () => {
  it.each([
    [
      'a conversation',
      chain(null, say('system', ''), say('user', 'hi'), say('assistant', 'hello')),
      [['u: hi', 'a: hello']],
    ],
    [
      'only the words among images',
      chain(say('user', ['look', { content_type: 'image_asset_pointer', asset_pointer: 'x' }, 'here'])),
      [['u: look\nhere']],
    ],
    [
      'nothing that is hidden from the conversation',
      chain(
        say('user', 'my profile', { metadata: { is_visually_hidden_from_conversation: true } }),
        say('user', 'my rules', { metadata: { is_user_system_message: true } }),
        say('user', '', { content: { content_type: 'user_editable_context', user_profile: 'p' } }),
        say('user', 'hi'),
      ),
      [['u: hi']],
    ],
    [
      'neither tools nor thoughts',
      chain(
        say('user', 'hi'),
        say('assistant', 'search', { recipient: 'browser' }),
        say('tool', 'found'),
        say('assistant', '', { content: { content_type: 'thoughts', thoughts: [{ content: 'hm' }] } }),
        say('assistant', '', { content: { content_type: 'code', text: 'x = 1' } }),
        say('assistant', 'thinking', { channel: 'analysis' }),
        say('assistant', 'looking', { channel: 'commentary' }),
        say('assistant', 'done', { channel: 'final', recipient: null }),
      ),
      [['u: hi', 'a: done']],
    ],
    [
      'no answer in progress',
      chain(say('user', 'hi'), say('assistant', 'hel', { status: 'in_progress' })),
      [['u: hi']],
    ],
    [
      'an answer that was stopped',
      chain(say('user', 'hi'), say('assistant', 'hel', { status: 'finished_partial_completion' })),
      [['u: hi', 'a: hel']],
    ],
    [
      'the branch that was shown last',
      conversation(
        [
          ['u1', null, say('user', 'hi')],
          ['a2', 'u1', say('assistant', 'second')],
          ['a1', 'u1', say('assistant', 'first')],
        ],
        { current_node: 'a2' },
      ),
      [['u: hi', 'a: second']],
    ],
    [
      'the newest branch where the last one is not known',
      conversation(
        [
          ['u1', null, say('user', 'hi', { create_time: 1e9 })],
          ['a2', 'u1', say('assistant', 'new', { create_time: 3e9 })],
          ['a1', 'u1', say('assistant', 'old', { create_time: 2e9 })],
        ],
        { current_node: 'gone' },
      ),
      [['u: hi', 'a: new']],
    ],
    [
      'several conversations',
      [chain(say('user', 'a')), conversation([['n', null, say('user', 'b')]], { conversation_id: 'd' })],
      [['u: a'], ['u: b']],
    ],
  ])('reads %s', (_, value, expected) => {
    expect(chatgptReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(chatgptReader, value)).toEqual(expected);
  });

  it('takes id, title and time from the conversation', () => {
    const [log] = readRows(chatgptReader, [chain(say('user', 'hi'))]).logs;
    expect(log?.header).toMatchObject({ id: 'c', createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 500) });
    expect(log && titleOf(log)).toBe('T');
  });

  it.each([
    ['an empty mapping', { mapping: {}, conversation_id: 'c' }, true],
    ['a mapping of nodes alone', { mapping: { a: { message: null, parent: null } } }, true],
    ['a mapping of something else', { mapping: { a: { message: 'x' }, b: { parent: 'x' }, c: null } }, false],
    ['no mapping', { current_node: 'x' }, false],
    ['no object', 3, false],
  ])('knows %s', (_, row, expected) => {
    expect(chatgptReader.recognizes(toSample(row))).toBe(expected);
  });

  it('keeps whatever is no word of the conversation', () => {
    const hidden = say('user', 'x', { content: { content_type: 'user_editable_context', user_profile: 'p' } });
    const [log] = readRows(chatgptReader, [
      chain(say('system', 'x'), hidden, say('tool', 'x'), say('wizard', 'x')),
    ]).logs;
    expect(log && kindsOf(log)).toEqual([
      'session/title',
      'user/message system',
      'user/message hidden',
      'tool/result',
      'chatgpt/message',
    ]);
    expect(JSON.stringify(log?.events)).toContain('user_profile');
  });

  it('reads a message without content', () => {
    const bare = { author: { role: 'user' } };
    expect(converseInPeace(chatgptReader, chain(bare, say('user', 'hi', { metadata: null })))).toEqual([['u: hi']]);
  });

  it('reads on where a row or a node is broken', () => {
    const broken = conversation([['u1', 'gone', say('user', 'alone')]]);
    const rows = [7, {}, { mapping: { x: 3 }, id: 'e' }, broken, chain(say('wizard', 'x'), say('user', null))];
    const result = readRows(chatgptReader, rows);
    expect(result.logs.map(speak)).toEqual([[], ['u: alone'], []]);
    expect(codesOf(result)).toEqual([
      'UNREADABLE',
      'UNREADABLE',
      'UNREADABLE',
      'BROKEN_TREE',
      'UNKNOWN',
      'BROKEN_TREE',
    ]);
  });

  it('ends at a cycle', () => {
    const cycle = conversation([
      ['a', 'b', say('user', 'one')],
      ['b', 'a', say('assistant', 'two')],
    ]);
    const result = readRows(chatgptReader, [cycle, { ...cycle, current_node: null, conversation_id: 'd' }]);
    expect(result.logs.map(speak)).toEqual([
      ['u: one', 'a: two'],
      ['u: one', 'a: two'],
    ]);
    expect(codesOf(result)).toEqual(['BROKEN_TREE', 'BROKEN_TREE']);
  });

  it('takes ids for what they are', () => {
    const mapping = JSON.parse(
      '{"__proto__":{"parent":null,"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["hi"]}}}}',
    ) as object;
    const [log] = readRows(chatgptReader, [{ mapping, current_node: '__proto__', id: '__proto__' }]).logs;
    expect(log && speak(log)).toEqual(['u: hi']);
    expect(log?.header.id).toBe('__proto__');
    expect('parent' in {}).toBe(false);
  });

  it('B65: reads a conversation of 20,000 messages', () => {
    const messages = Array.from({ length: 20_000 }, (_, index) =>
      say(index % 2 === 0 ? 'user' : 'assistant', `m${index}`),
    );
    const mapping = Object.fromEntries(
      messages.map((message, index) => [`n${index}`, { parent: index === 0 ? null : `n${index - 1}`, message }]),
    );
    const [spoken] = converseInPeace(chatgptReader, { mapping, current_node: 'n19999' });
    expect(spoken?.length).toBe(20_000);
    expect(spoken?.at(-1)).toBe('a: m19999');
  });

  testSamples(chatgptReader, [
    'chatgpt/citations.json',
    'chatgpt/gpt-user-context.json',
    'chatgpt/native-multimodal-thoughts.json',
    'chatgpt/tree-branches.json',
  ]);
});
