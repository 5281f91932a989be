import { describe, expect, it } from 'vitest';
import { sharegptReader } from '../../src/formats/sharegpt.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const say = (from: string, value: unknown): object => ({ from, value });

describe('the ShareGPT reader', () => {
  it.each([
    ['conversations', [{ id: 'a', conversations: [say('human', 'hi'), say('gpt', 'yes')] }], [['u: hi', 'a: yes']]],
    ['one conversation', { conversations: [say('user', 'hi'), say('bard', 'yes')] }, [['u: hi', 'a: yes']]],
    [
      'turns under another name',
      [{ items: [say('human', 'a')] }, { messages: [say('human', 'b')] }],
      [['u: a'], ['u: b']],
    ],
    [
      'neither instructions nor tools',
      {
        system: 'be nice',
        tools: '[]',
        conversations: [
          say('system', 'x'),
          say('human', 'hi'),
          say('function_call', '{}'),
          say('observation', 'found'),
          say('tool', 'y'),
          say('model', 'done'),
        ],
      },
      [['u: hi', 'a: done']],
    ],
    [
      'content in blocks',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', value: 'see' },
              { type: 'image_url', value: 'x' },
            ],
          },
          { role: 'assistant', content: [{ type: 'text', value: 'yes' }] },
        ],
      },
      [['u: see', 'a: yes']],
    ],
    [
      'parts of one conversation as they stand',
      [
        { id: 'abc_0', conversations: [say('human', 'a')] },
        { id: 'abc_1', conversations: [say('gpt', 'b')] },
      ],
      [['u: a'], ['a: b']],
    ],
  ])('reads %s', (_, value, expected) => {
    expect(sharegptReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(sharegptReader, value)).toEqual(expected);
  });

  it.each([
    ['a request body', [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] }]],
    ['turns of nobody', [{ conversations: [null, { from: 'human' }, { value: 'x' }] }]],
    [
      'blocks of nobody',
      [
        {
          messages: [
            {
              role: 'user',
              content: [null, { type: 'text' }, { value: 'x' }, { type: 'text', value: 'x', text: 'x' }],
            },
          ],
        },
      ],
    ],
    ['a plain list of messages', [{ role: 'user', content: 'hi' }]],
    ['nothing', [null, 3, 'text', []]],
  ])('does not claim %s', (_, rows) => {
    expect(sharegptReader.recognizes({ layout: 'array', rows })).toBe(false);
  });

  it('takes ids that are numbers, and numbers those that are taken', () => {
    const result = readRows(
      sharegptReader,
      [7, 'x', 'x'].map((id) => ({ id, conversations: [say('human', 'hi')] })),
    );
    expect(result.logs.map(({ header }) => header.id)).toEqual(['7', 'x', 'x-2']);
    expect(codesOf(result)).toEqual(['BROKEN_TREE']);
  });

  it('keeps whatever is no word of the conversation', () => {
    const conversations = [say('system', 'x'), say('tool', 'x'), say('wizard', 'x')];
    const logs = readRows(sharegptReader, [
      { system: 'be nice', conversations },
      { system: '', conversations: [] },
    ]).logs;
    expect(logs.map(kindsOf)).toEqual([
      ['user/message system', 'user/message system', 'tool/result', 'sharegpt/message'],
      [],
    ]);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(sharegptReader, [
      7,
      {},
      { conversations: [3, say('wizard', 'x'), say('human', 5), say('human', 'hi')] },
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE', 'UNKNOWN']);
  });

  testSamples(sharegptReader, ['sharegpt/dummy_conversation.json']);
});
