import { describe, expect, it } from 'vitest';
import { anthropicReader } from '../../src/formats/anthropic.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const text = (value: string): object => ({ type: 'text', text: value });
const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown, extra: object = {}): object => ({ role: 'assistant', content, ...extra });
const toolUse = { type: 'tool_use', id: 't', name: 'f', input: {} };
const toolResult = { type: 'tool_result', tool_use_id: 't', content: 'found' };

describe('the Anthropic reader', () => {
  it.each([
    [
      'text without thinking and tools',
      [user('hi'), assistant([{ type: 'thinking', thinking: 'hm' }, text('wait'), toolUse]), user([toolResult])],
      [['u: hi', 'a: wait']],
    ],
    [
      'what the user wrote beside the result of a tool',
      [user([toolResult, text('and be quick')])],
      [['u: and be quick']],
    ],
    [
      'a user message with a document',
      [
        user([
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'A' } },
          text('read'),
        ]),
      ],
      [['u: read']],
    ],
    [
      'a request body',
      { model: 'm', system: 'be nice', messages: [user('hi'), assistant('yes')] },
      [['u: hi', 'a: yes']],
    ],
    [
      'one answer',
      { type: 'message', id: 'msg_1', role: 'assistant', content: [text('yes')], stop_reason: 'end_turn' },
      [['a: yes']],
    ],
    [
      'only what follows a compaction block',
      [
        user('old'),
        assistant([text('older'), { type: 'compaction', content: 'We did this.' }, text('new')]),
        user('go on'),
      ],
      [['c: We did this.', 'a: new', 'u: go on']],
    ],
    [
      'the latest of two compaction blocks',
      [
        assistant([{ type: 'compaction', content: 'one' }]),
        user('between'),
        assistant([{ type: 'compaction', content: [text('two')] }]),
        user('after'),
      ],
      [['c: two', 'u: after']],
    ],
    [
      'the summary with which the tool runner begins anew',
      [user([text('<summary>\nWe did this.\n</summary>')]), assistant([text('so'), toolUse])],
      [['c: <summary>\nWe did this.\n</summary>', 'a: so']],
    ],
    [
      'such a summary after instructions',
      { system: 'be nice', messages: [user('<summary>so far</summary>'), assistant([toolUse])] },
      [['c: <summary>so far</summary>']],
    ],
    [
      'such a summary that the user typed beside or after something',
      [user([toolResult]), user('<summary>mine</summary>')],
      [['u: <summary>mine</summary>']],
    ],
    ['a summary after an answer', [assistant([toolUse]), user('<summary>x</summary>')], [['u: <summary>x</summary>']]],
    [
      'a summary that the user typed later',
      [user('hi'), assistant([toolUse]), user('<summary>mine</summary>')],
      [['u: hi', 'u: <summary>mine</summary>']],
    ],
    [
      'no request for a summary',
      [
        user('hi'),
        assistant([toolUse]),
        user(
          'You have been working on the task described above but have not yet completed it. Wrap it in <summary></summary>.',
        ),
      ],
      [['u: hi']],
    ],
    ['no refusal', [user('x'), assistant([toolUse, text('I cannot')], { stop_reason: 'refusal' })], [['u: x']]],
    ['blocks that are strings', [assistant(['so', toolUse])], [['a: so']]],
  ])('reads %s', (_, value, expected) => {
    expect(anthropicReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(anthropicReader, value)).toEqual(expected);
  });

  it('lets a compaction without a summary stand for nothing', () => {
    const result = readRows(anthropicReader, [
      user('old'),
      assistant([{ type: 'compaction', content: null }, text('new')]),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: old', 'a: new']]);
    expect(codesOf(result)).toEqual(['BROKEN_COMPACTION']);
  });

  it.each([
    ['the result of a search', [assistant([{ type: 'web_search_tool_result', tool_use_id: 't', content: [] }])]],
    ['an image', [user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A' } }])]],
    ['a linked image', [user([{ type: 'image', source: { type: 'url', url: 'https://x' } }])]],
    ['a stored file', [user([{ type: 'document', source: { type: 'file', file_id: 'f' } }])]],
    ['a conversation on each line', [[user('hi'), assistant([toolUse])]]],
    ['instructions in blocks', [{ system: [text('be nice')], messages: [user('hi')] }]],
  ])('recognizes %s', (_, rows) => {
    expect(anthropicReader.recognizes({ layout: 'array', rows })).toBe(true);
  });

  it.each([
    ['a request without instructions', [{ system: null, messages: [user('hi')] }]],
    ['an image of nobody', [user([{ type: 'image', source: {} }, { type: 'picture', source: { url: 'x' } }, null])]],
    ['a plain list of messages', [user('hi'), assistant([text('yes')])]],
    ['an AG-UI image', [user([{ type: 'image', source: { type: 'url', value: 'https://x' } }])]],
    ['a Responses message', [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] }]],
    ['a line of Claude Code', [{ type: 'user', message: user([toolResult]), uuid: 'u' }]],
    ['nothing', [null, 3, 'text', []]],
  ])('does not claim %s', (_, rows) => {
    expect(anthropicReader.recognizes({ layout: 'array', rows })).toBe(false);
  });

  it('names the conversation of one answer after it', () => {
    const answer = { type: 'message', id: 'msg_1', role: 'assistant', content: [], stop_reason: 'end_turn' };
    expect(readRows(anthropicReader, [answer]).logs[0]?.header.id).toBe('msg_1');
    expect(readRows(anthropicReader, [user('hi'), answer]).logs[0]?.header.id).not.toBe('msg_1');
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(anthropicReader, [
      7,
      { role: 'wizard', content: 'x' },
      user(null),
      user([3, toolResult]),
      user('hi'),
    ]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNKNOWN']);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
  });

  it('keeps whatever is no word of the conversation', () => {
    const rows = [
      { system: [text('be nice')], messages: [user([toolResult, text('x')]), { role: 'wizard', content: 'x' }] },
      { system: null, messages: [assistant([toolUse], { stop_reason: 'refusal' }), assistant([])] },
    ];
    expect(readRows(anthropicReader, rows).logs.map(kindsOf)).toEqual([
      ['user/message system', 'tool/result', 'user/message', 'anthropic/message', 'session/title'],
      ['anthropic/refusal', 'assistant/message'],
    ]);
  });

  it('makes no empty message of an answer that is a compaction only', () => {
    const [log] = readRows(anthropicReader, [assistant([{ type: 'compaction', content: 'so far' }])]).logs;
    expect(log && kindsOf(log)).toEqual(['user/message compact']);
  });

  it('keeps tools and thinking, which nobody quotes', () => {
    const rows = [assistant([{ type: 'thinking', thinking: 'hm' }, toolUse]), user([toolResult])];
    const events = JSON.stringify(readRows(anthropicReader, rows).logs[0]?.events);
    expect(events).toContain('hm');
    expect(events).toContain('found');
  });

  testSamples(anthropicReader, [
    'anthropic/message-compaction-block.json',
    'anthropic/tool-runner-compacted.json',
    'anthropic/tool-runner-turn.json',
  ]);
});
