import { describe, expect, it } from 'vitest';
import { langgraphReader } from '../../src/formats/langgraph.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const human = (content: unknown, extra: object = {}): object => ({ type: 'human', content, ...extra });
const ai = (content: unknown, extra: object = {}): object => ({ type: 'ai', content, ...extra });
const lc = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain_core', 'messages', name],
  kwargs,
});
const state = (messages: readonly unknown[], extra: object = {}): object => ({
  values: { messages },
  checkpoint: { thread_id: 't', checkpoint_id: 'c' },
  metadata: {},
  created_at: '2026-01-02T03:04:05Z',
  ...extra,
});

describe('the LangGraph reader', () => {
  it.each([
    ['a state', state([human('hi'), ai('yes')]), [['u: hi', 'a: yes']]],
    ['the values of a state', { messages: [human('hi'), ai('yes')] }, [['u: hi', 'a: yes']]],
    ['a list of messages', [human('hi'), ai('yes')], [['u: hi', 'a: yes']]],
    [
      'serialised messages, chunks too',
      [
        lc('SystemMessage', { content: 'be nice' }),
        lc('HumanMessage', { content: 'hi' }),
        lc('AIMessageChunk', { content: [{ type: 'text', text: 'yes', index: 0 }] }),
      ],
      [['u: hi', 'a: yes']],
    ],
    [
      'messages in dictionaries',
      [
        { type: 'human', data: { content: 'hi' } },
        { type: 'ai', data: { content: 'yes' } },
      ],
      [['u: hi', 'a: yes']],
    ],
    [
      'pairs and roles among them',
      state([human('hi'), ['ai', 'yes'], { role: 'user', content: 'why' }]),
      [['u: hi', 'a: yes', 'u: why']],
    ],
    [
      'only words of messages',
      state([
        { type: 'system', content: 'be nice' },
        human([
          { type: 'image_url', image_url: { url: 'x' } },
          { type: 'text', text: 'see' },
        ]),
        ai('', { tool_calls: [{ name: 'f', args: {}, id: 'c' }] }),
        { type: 'tool', content: 'found', tool_call_id: 'c' },
        ai([
          { type: 'reasoning', reasoning: 'hm' },
          { type: 'tool_use', name: 'f' },
          { type: 'text', text: 'done' },
        ]),
        human('hidden', { id: 'do-not-render-1' }),
      ]),
      [['u: see', 'a: done']],
    ],
    [
      'no messages that were removed',
      state([human('a', { id: '1' }), ai('b', { id: '2' }), human('c', { id: '3' }), { type: 'remove', id: '1' }]),
      [['a: b', 'u: c']],
    ],
    [
      'nothing before the removal of all',
      state([human('a'), { type: 'remove', id: '__remove_all__' }, human('b')]),
      [['u: b']],
    ],
    [
      'a summary in front of what is left',
      state([], { values: { messages: [human('c')], summary: 'a and b' } }),
      [['c: a and b', 'u: c']],
    ],
    [
      'a running summary in the place of what it stands for',
      state([], {
        values: {
          messages: [human('a', { id: '1' }), ai('b', { id: '2' }), human('c', { id: '3' })],
          context: { running_summary: { summary: 'a and b', last_summarized_message_id: '2' } },
        },
      }),
      [['c: a and b', 'u: c']],
    ],
    [
      'the newest state of each thread',
      [
        state([human('hi'), ai('yes')]),
        state([human('hi')], { created_at: '2026-01-02T03:04:04Z' }),
        state([human('hi'), ai('yes'), human('why')], { created_at: '2026-01-02T03:04:06Z' }),
        state([human('other')], { checkpoint: { thread_id: 's' } }),
      ],
      [['u: hi', 'a: yes', 'u: why'], ['u: other']],
    ],
    [
      'the first state where times are not told',
      [state([human('new')], { created_at: 'x' }), state([human('old')], { created_at: 'y' })],
      [['u: new']],
    ],
  ])('reads %s', (_, value, expected) => {
    expect(langgraphReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(langgraphReader, value)).toEqual(expected);
  });

  it.each([
    ['a plain list of messages', [{ role: 'user', content: 'hi' }]],
    ['a request body', [{ messages: [{ role: 'user', content: 'hi' }] }]],
    ['nothing', [null, 3, 'text', []]],
  ])('does not claim %s', (_, rows) => {
    expect(langgraphReader.recognizes({ layout: 'array', rows })).toBe(false);
  });

  it.each([
    ['an empty state', { values: { messages: [] }, checkpoint: { thread_id: 't' } }, true],
    ['empty values', { values: { messages: [] } }, false],
    [
      'a plain list of messages in a state',
      { values: { messages: [{ role: 'user', content: 'hi' }] }, checkpoint: {} },
      true,
    ],
    ['a serialised message', lc('HumanMessage', { content: 'hi' }), true],
    ['something else that was serialised', { lc: 1, type: 'constructor', id: ['x'] }, false],
    ['something serialised without a class', { lc: 1, type: 'constructor', kwargs: {} }, false],
    ['what cannot be serialised', { lc: 1, type: 'not_implemented', id: ['x'], kwargs: {} }, false],
    ['a message class', { type: 'HumanMessage', content: 'hi' }, true],
    ['a message without content', { type: 'human' }, false],
    ['a dictionary without content', { type: 'ai', data: {} }, false],
    ['a message of others', { type: 'user', content: 'hi' }, false],
    ['no type', { type: 3, content: 'hi' }, false],
  ])('knows %s', (_, row, expected) => {
    expect(langgraphReader.recognizes(toSample(row))).toBe(expected);
  });

  it('keeps whatever is no word of the conversation', () => {
    const messages = [
      { type: 'system', content: 'x' },
      { type: 'developer', content: 'x' },
      { type: 'function', content: 'x' },
      human('x', { id: 'do-not-render-1' }),
      { type: 'wizard', content: 'x' },
      lc('ToolMessage', { content: 'x' }),
    ];
    const [log] = readRows(langgraphReader, [state(messages)]).logs;
    expect(log && kindsOf(log)).toEqual([
      'user/message system',
      'user/message system',
      'tool/result',
      'langgraph/hidden',
      'langgraph/message',
      'tool/result',
    ]);
  });

  it('asks a chat message for its role', () => {
    const chats = [
      lc('ChatMessage', { role: 'user', content: 'hi' }),
      { type: 'human', role: 'assistant', content: 'ho' },
      lc('ChatMessage', { content: 'x' }),
    ];
    const result = readRows(langgraphReader, [state(chats)]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'u: ho']]);
    expect(codesOf(result)).toEqual(['UNKNOWN']);
  });

  it('reads no pair without a role or content', () => {
    const result = readRows(langgraphReader, [
      state([['human'], [3, 'x'], ['human', 'hi'], { kwargs: {} }, { id: [] }]),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNREADABLE']);
  });

  it('takes id, title and time from the state', () => {
    const [log] = readRows(langgraphReader, [state([human('hi')], { metadata: { title: 'Cats' } })]).logs;
    expect(log?.header).toMatchObject({ id: 't', createdAt: Date.UTC(2026, 0, 2, 3, 4, 5) });
    expect(log && titleOf(log)).toBe('Cats');
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(langgraphReader, [
      7,
      { values: { x: 1 } },
      state([3, { type: 'wizard', content: 'x' }, human(null), human('hi')]),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNKNOWN']);
  });

  testSamples(langgraphReader, ['langgraph/react-agent-values.json', 'langgraph/thread-state.json']);
});
