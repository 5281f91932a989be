import { describe, expect, it } from 'vitest';
import { openaiResponsesReader } from '../../src/formats/openai-responses.ts';
import { codesOf, converseInPeace, kindsOf, readRows, speak, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

const input = (text: string): object => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const output = (text: string, extra: object = {}): object => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
  ...extra,
});
const reasoning = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }] };
const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
const result = { type: 'function_call_output', call_id: 'c', output: 'found' };
const encrypted = { type: 'compaction', id: 'cmp', encrypted_content: 'gAAAA' };

describe('the OpenAI Responses reader', () => {
  it.each([
    [
      'messages among reasoning and tools',
      [input('hi'), reasoning, call, result, output('yes')],
      [['u: hi', 'a: yes']],
    ],
    [
      'messages without a type',
      [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'output_text', text: 'yes' }] },
      ],
      [['u: hi', 'a: yes']],
    ],
    [
      'commentary',
      [output('looking', { phase: 'commentary' }), output('done', { phase: 'final_answer' })],
      [['a: looking', 'a: done']],
    ],
    ['no instructions', [{ type: 'message', role: 'developer', content: 'be nice' }, input('hi')], [['u: hi']]],
    [
      'a refusal',
      [output('x'), { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }],
      [['a: x', 'a: No.']],
    ],
    ['no answer in progress', [input('hi'), output('hel', { status: 'in_progress' })], [['u: hi']]],
    ['an answer that was cut off', [input('hi'), output('hel', { status: 'incomplete' })], [['u: hi', 'a: hel']]],
    ['a request body', { model: 'm', instructions: 'be nice', input: [input('hi')] }, [['u: hi']]],
    [
      'a response',
      { object: 'response', id: 'resp_1', output: [reasoning, output('yes')], created_at: 5 },
      [['a: yes']],
    ],
    ['the list of a conversation', { object: 'list', data: [input('hi'), output('yes')] }, [['u: hi', 'a: yes']]],
    [
      'a compaction with a summary',
      [input('old'), output('older'), { type: 'compaction', summary: 'We did this.' }, input('new')],
      [['c: We did this.', 'u: new']],
    ],
  ])('reads %s', (_, value, expected) => {
    expect(openaiResponsesReader.recognizes(toSample(value))).toBe(true);
    expect(converseInPeace(openaiResponsesReader, value)).toEqual(expected);
  });

  it('lets an encrypted compaction stand for nothing', () => {
    const read = readRows(openaiResponsesReader, [input('old'), encrypted, input('new')]);
    expect(read.logs.map(speak)).toEqual([['u: old', 'u: new']]);
    expect(codesOf(read)).toEqual(['BROKEN_COMPACTION']);
  });

  it('reads a request whose input is one text', () => {
    expect(converseInPeace(openaiResponsesReader, { model: 'm', input: 'hi' })).toEqual([['u: hi']]);
  });

  it.each([
    ['a plain list of messages', [{ role: 'user', content: 'hi' }]],
    ['an Anthropic answer', [{ type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn' }]],
    ['an early Codex log', [{ id: 'x', timestamp: 't', instructions: null, git: {} }, input('hi')]],
    ['an early Codex log without instructions', [{ id: 'x', timestamp: 't' }, input('hi')]],
    ['a compaction of pi', [{ type: 'compaction', id: '1', parentId: null, summary: 'x', firstKeptEntryId: '0' }]],
    ['a line of pi', [{ type: 'message', id: '1', parentId: null, message: { role: 'user', content: 'hi' } }]],
    ['nothing', [null, 3, 'text', []]],
  ])('does not claim %s', (_, rows) => {
    expect(openaiResponsesReader.recognizes({ layout: 'lines', rows })).toBe(false);
  });

  it.each([
    ['the call of a function', call, true],
    ['the result of a function', result, true],
    ['a call of others', { type: 'function_call', id: 'c' }, false],
    ['reasoning', reasoning, true],
    ['reasoning of others', { type: 'reasoning', text: 'hm' }, false],
    ['an encrypted compaction', encrypted, true],
    ['an input of messages', { input: [{ role: 'user', content: 'hi' }] }, false],
    ['an image', { role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }, true],
    ['parts of others', { role: 'user', content: [null, { type: 3 }, { type: 'input_audio' }] }, false],
    ['a message of nobody', { type: 'message', content: 'hi' }, false],
    ['an event with a role', { type: 'event', role: 'user', content: [{ type: 'input_text', text: 'x' }] }, false],
    ['a message without content', { type: 'message', role: 'user' }, false],
    ['a response without output', { object: 'response' }, false],
    ['a list of others', { object: 'list', data: [{ id: 'x' }] }, false],
    ['a list that has none', { object: 'list' }, false],
    ['a list of items on a line', [input('hi')], true],
  ])('knows %s', (_, row, expected) => {
    expect(openaiResponsesReader.recognizes({ layout: 'lines', rows: [null, row] })).toBe(expected);
  });

  it('keeps whatever is no word of the conversation', () => {
    const items = [
      { role: 'system', content: 'x' },
      { role: 'developer', content: 'x' },
      { type: 'message', role: 'wizard', content: 'x' },
      call,
      result,
      { type: 'mcp_approval_response' },
      { type: 'mcp_list_tools' },
      { content: 'x' },
      encrypted,
    ];
    const read = readRows(openaiResponsesReader, items);
    expect(read.logs.map(kindsOf)).toEqual([
      [
        'user/message system',
        'user/message system',
        'openai-responses/message',
        'openai-responses/function_call',
        'tool/result',
        'openai-responses/mcp_approval_response',
        'openai-responses/mcp_list_tools',
        'openai-responses/item',
        'openai-responses/compaction',
      ],
    ]);
    expect(codesOf(read)).toEqual(['UNKNOWN', 'UNKNOWN', 'BROKEN_COMPACTION']);
  });

  it('keeps parts that are no text', () => {
    const content = [{ type: 'refusal', refusal: 3 }, { type: 'output_text', text: 3 }, { type: 'input_image' }];
    const [log] = readRows(openaiResponsesReader, [{ role: 'assistant', content }]).logs;
    expect(log?.events[0]?.data).toMatchObject({ message: { content } });
  });

  it('takes id, time and predecessor from a response', () => {
    const response = {
      object: 'response',
      id: 'resp_2',
      previous_response_id: 'resp_1',
      created_at: 1_767_323_045,
      output: [],
    };
    expect(readRows(openaiResponsesReader, [response]).logs[0]?.header).toMatchObject({
      id: 'resp_2',
      parentSession: 'resp_1',
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    });
  });

  it('reports what it cannot read and goes on', () => {
    const read = readRows(openaiResponsesReader, [
      7,
      { type: 'new_thing' },
      { type: 'message', role: 'wizard', content: 'x' },
      { type: 'message', role: 'user', content: [3, null, { type: 'input_text', text: 5 }] },
      {},
      input('hi'),
    ]);
    expect(codesOf(read)).toEqual(['UNREADABLE', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
    expect(read.logs.map(speak)).toEqual([['u: hi']]);
  });

  testSamples(openaiResponsesReader, [
    'openai/response-compaction.json',
    'openai/response-phase.json',
    'openai/responses-input-items.json',
  ]);
});
