import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agUiReader } from '../../src/formats/ag-ui.ts';
import { aiSdkReader } from '../../src/formats/ai-sdk.ts';
import { anthropicReader } from '../../src/formats/anthropic.ts';
import { chatgptReader } from '../../src/formats/chatgpt.ts';
import { claudeAiReader } from '../../src/formats/claude-ai.ts';
import { langgraphReader } from '../../src/formats/langgraph.ts';
import { librechatReader } from '../../src/formats/librechat.ts';
import { openWebuiReader } from '../../src/formats/open-webui.ts';
import { openaiChatReader } from '../../src/formats/openai-chat.ts';
import { openaiResponsesReader } from '../../src/formats/openai-responses.ts';
import { sharegptReader } from '../../src/formats/sharegpt.ts';
import { parseSessionHeader } from '../../src/session/header.ts';
import { LAW_RUNS } from '../arbitraries.ts';
import { readRows, speak } from './read-rows.ts';

const READERS = [
  agUiReader,
  aiSdkReader,
  anthropicReader,
  chatgptReader,
  claudeAiReader,
  langgraphReader,
  librechatReader,
  openWebuiReader,
  openaiChatReader,
  openaiResponsesReader,
  sharegptReader,
];

/** Every key and text by which a reader decides something: random JSON would never get past the first look. */
const KEYS = (
  'role content parts type text messages id title parentId message headId status state metadata createdAt created_at chatId ' +
  'toolInvocations experimental_attachments providerOptions sessionReference choices refusal tool_calls system stop_reason ' +
  'object output input instructions data previous_response_id summary encrypted_content mapping current_node parent author ' +
  'content_type recipient channel create_time conversation_id chat_messages sender uuid parent_message_uuid ' +
  'current_leaf_message_uuid attachments conversationId messageId parentMessageId isCreatedByUser children unfinished error ' +
  'messagesTree chat history currentId timestamp done files threadId runId messageId delta activityType toolCalls toolCallId ' +
  'values checkpoint thread_id lc kwargs additional_kwargs context running_summary last_summarized_message_id from value ' +
  'conversations items role __proto__ constructor toString kind references'
).split(' ');
const TEXTS = (
  'user assistant system developer tool function data human ai gpt remove __remove_all__ activity reasoning text thinking ' +
  'tool_use tool_result compaction message response list output_text input_text function_call function_call_output a b c ' +
  'streaming running in_progress all analysis multimodal_text constructor HumanMessage AIMessageChunk RUN_STARTED ' +
  'TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END TEXT_MESSAGE_CHUNK MESSAGES_SNAPSHOT RUN_ERROR RUN_FINISHED ' +
  'session-reference __proto__ 2026-01-02T03:04:05Z do-not-render-x'
).split(' ');

const leaf = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '<summary>x</summary>', '<details type="reasoning">') },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, 0, 1, -1, 1e300, 1_767_323_045, 1_767_323_045_000) },
);

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    { weight: 2, arbitrary: leaf },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
    {
      weight: 5,
      arbitrary: fc
        .array(fc.tuple(fc.constantFrom(...KEYS), tie('value')), { maxLength: 7 })
        // Must go through text: only parsing makes `__proto__` a key like any other.
        .map((entries) => JSON.parse(`{${entries.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join()}}`)),
    },
  ),
}));

/** Rows are read without a throw into logs that fold, under ids that differ. */
function expectReadable(rows: readonly unknown[]): void {
  for (const reader of READERS) {
    const before = JSON.stringify(rows);
    reader.recognizes({ layout: 'array', rows: rows.length === 0 ? [null] : rows });
    const { logs } = readRows(reader, rows);
    for (const log of logs) {
      expect(parseSessionHeader(log.header)).toBeDefined();
      expect(speak(log)).toBeDefined();
      expect(log.events.map(({ seq }) => seq)).toEqual(log.events.map((_, index) => index));
    }
    const ids = logs.map(({ header }) => header.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(JSON.stringify(rows)).toBe(before);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
}

/** Small files whose values are changed; real ones are added where there are some. */
const OWN_SAMPLES: readonly string[] = [
  [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'hi' }], metadata: { time: 1 } }],
  [
    {
      id: 'x',
      title: 'Cats',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [] },
      ],
    },
  ],
  [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'tool_result', content: 'out' },
      ],
    },
  ],
  [{ uuid: 'c', name: 'Cats', chat_messages: [{ uuid: 'm', sender: 'human', text: 'hi', content: [] }] }],
  [
    {
      conversations: [
        { from: 'human', value: 'hi' },
        { from: 'gpt', value: 'ho' },
      ],
    },
  ],
  [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'user' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hi' },
    { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  ],
  [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }],
  [
    {
      title: 'Cats',
      mapping: {
        a: { id: 'a', parent: null, children: ['b'] },
        b: {
          id: 'b',
          parent: 'a',
          children: [],
          message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['hi'] } },
        },
      },
      current_node: 'b',
    },
  ],
].map((rows) => JSON.stringify(rows));

describe('the readers of chats', () => {
  it('B68: take any value', () => {
    fc.assert(fc.property(fc.array(anyValue, { maxLength: 5 }), expectReadable), { numRuns: LAW_RUNS });
  });

  const folder = process.env.SAMPLES_DIR;
  const files = folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const samples = [
    ...OWN_SAMPLES,
    ...files
      .filter((file) => /\.jsonl?$/.test(file) && file.includes('/'))
      .map((file) => readSample(join(folder ?? '', file))),
  ];

  it('take objects that cannot be made a string, wherever they stand', () => {
    const odd = { toString: 'user' };
    for (const text of samples) {
      for (let place = 0; ; place += 1) {
        let passed = 0;
        const rows = JSON.parse(text, (_, value: unknown) => {
          passed += 1;
          return passed === place + 1 ? odd : value;
        }) as unknown;
        // The list of the rows comes last.
        if (!Array.isArray(rows)) break;
        expectReadable(rows);
      }
    }
  });

  it('take files in which values are changed', () => {
    const change = fc.tuple(fc.nat(), anyValue);
    const mutation = fc.tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 6 }));
    fc.assert(
      fc.property(mutation, ([text, changes]) => {
        const rows = JSON.parse(text) as unknown[];
        // Must put in a copy: a later change may fall inside of it, and it is used again when a failure is made smaller.
        for (const [where, value] of changes) replaceOne(rows, where, JSON.parse(JSON.stringify(value)));
        expectReadable(rows);
      }),
      { numRuns: LAW_RUNS / 10 },
    );
  });
});

/** The rows of a file, no more than some kilobytes of them. */
function readSample(file: string): string {
  const text = readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  const value: unknown = file.endsWith('l')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(text);
  const rows: unknown[] = Array.isArray(value) ? value : [value];
  return JSON.stringify(rows.slice(0, 12));
}

/** Walk down to some value, always by the same way for the same number, and put another in its place. */
function replaceOne(rows: unknown[], where: number, value: unknown): void {
  let holder: Record<string, unknown> = rows as unknown as Record<string, unknown>;
  let rest = where;
  for (;;) {
    const keys = Object.keys(holder);
    const key = keys[rest % keys.length];
    if (key === undefined) return;
    const next = holder[key];
    rest = Math.floor(rest / keys.length);
    if (typeof next !== 'object' || next === null || rest % 5 === 0) {
      Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
      return;
    }
    holder = next as Record<string, unknown>;
  }
}
