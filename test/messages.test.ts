import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agUiReader } from '../src/formats/ag-ui.ts';
import { aiSdkReader } from '../src/formats/ai-sdk.ts';
import { anthropicReader } from '../src/formats/anthropic.ts';
import type { FormatReader } from '../src/formats/format-reader.ts';
import { langgraphReader } from '../src/formats/langgraph.ts';
import { openaiChatReader } from '../src/formats/openai-chat.ts';
import { openaiResponsesReader } from '../src/formats/openai-responses.ts';
import { replaceLoneSurrogates } from '../src/mention/well-formed.ts';
import {
  deliverTogether,
  isSessionReferenceSource,
  isSessionReferenceText,
  toAgUiMessages,
  toAiSdkModelMessages,
  toAiSdkUiMessages,
  toAnthropicMessages,
  toLangChainMessages,
  toOpenAiChatMessages,
  toOpenAiResponsesInput,
} from '../src/messages.ts';
import type { PreparedMessage } from '../src/reference.ts';
import type { ContentBlock } from '../src/session/session.ts';
import { SessionReferences } from '../src/session-references.ts';
import { MemorySessionStore } from '../src/stores/memory.ts';
import { hostileText, LAW_RUNS } from './arbitraries.ts';
import { outcomeOf } from './cases/case-report.ts';
import { readRows, speak } from './formats/read-rows.ts';

type Write = (prepared: PreparedMessage) => readonly object[];

interface Shape {
  readonly name: string;
  readonly write: Write;
  readonly reader: FormatReader;
  /** What the assistant answers in this shape. */
  readonly answer: (text: string) => object;
  /** How a whole history is handed over. */
  readonly wrap?: (messages: readonly object[]) => readonly unknown[];
}

let ids = 0;
const createId = (): string => {
  ids += 1;
  return `id-${ids}`;
};

const SHAPES: readonly Shape[] = [
  {
    name: 'AI SDK UI messages',
    write: (prepared) => toAiSdkUiMessages(prepared, { createId }),
    reader: aiSdkReader,
    answer: (text) => ({
      id: createId(),
      role: 'assistant',
      parts: [{ type: 'step-start' }, { type: 'text', text, state: 'done' }],
    }),
  },
  {
    name: 'AI SDK model messages',
    write: toAiSdkModelMessages,
    reader: aiSdkReader,
    answer: (text) => ({ role: 'assistant', content: [{ type: 'text', text }] }),
  },
  {
    name: 'OpenAI chat messages',
    write: toOpenAiChatMessages,
    reader: openaiChatReader,
    answer: (text) => ({ role: 'assistant', content: text }),
    wrap: (messages) => [{ model: 'm', messages }],
  },
  {
    name: 'OpenAI Responses input',
    write: toOpenAiResponsesInput,
    reader: openaiResponsesReader,
    answer: (text) => ({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    }),
  },
  {
    name: 'Anthropic messages',
    write: toAnthropicMessages,
    reader: anthropicReader,
    answer: (text) => ({ role: 'assistant', content: [{ type: 'text', text }] }),
  },
  {
    name: 'AG-UI messages',
    write: (prepared) => toAgUiMessages(prepared, { createId }),
    reader: agUiReader,
    answer: (text) => ({ id: createId(), role: 'assistant', content: text }),
    wrap: (messages) => [{ threadId: 't', runId: 'r', messages }],
  },
  {
    name: 'LangChain messages',
    write: (prepared) => toLangChainMessages(prepared, { createId }),
    reader: langgraphReader,
    answer: (text) => ({ type: 'ai', id: createId(), content: text }),
  },
];

const text = (value: string): ContentBlock => ({ type: 'text', text: value });

/** A message that references a session of two messages, as the service prepares it. */
async function prepare(content: readonly ContentBlock[], told = 'Nothing.'): Promise<PreparedMessage> {
  const store = new MemorySessionStore();
  await store.put({
    header: { version: 0, id: 'source', createdAt: 0 },
    events: [
      { type: 'user/message', seq: 0, data: { content: [text(told)], source: { kind: 'user' } } },
      { type: 'assistant/message', seq: 1, data: { message: { content: [text(told)], source: { kind: 'model' } } } },
    ],
  });
  return new SessionReferences(store, undefined, { createId }).prepare({ id: 'own' }, content, [
    { sessionId: 'source' },
  ]);
}

/** What comes through JSON, as every history that was sent or stored has. */
function overTheWire(messages: readonly object[]): readonly object[] {
  return JSON.parse(JSON.stringify(messages)) as readonly object[];
}

const visible = hostileText.filter((value) => /\S/.test(value));
const turn = fc.record({ words: visible, answer: visible, references: fc.boolean() });

describe.each(SHAPES)('$name', ({ write, reader, answer, wrap = (messages) => messages }) => {
  it('put the context first, in a message of its own', async () => {
    const prepared = await prepare([text('my own words')]);
    const [context, direct, ...others] = write(prepared).map((message) => JSON.stringify(message));
    expect(others).toEqual([]);
    expect(context).toContain('## Referenced sessions');
    expect(context).not.toContain('my own words');
    expect(direct).toContain('my own words');
    expect(direct).not.toContain('Referenced sessions');
  });

  it('are one message without references', () => {
    expect(write({ content: [text('hi')] })).toHaveLength(1);
  });

  it('are read back as the same conversation, whatever it says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 5 }), async (turns) => {
        const messages: object[] = [];
        for (const { words, answer: said, references } of turns) {
          const content = [text(words)];
          messages.push(...write(references ? await prepare(content, said) : { content }), answer(said));
        }
        const { logs, warnings } = readRows(reader, wrap(overTheWire(messages)));
        expect(warnings).toEqual([]);
        // A lone surrogate is replaced in what the user sends, because model APIs refuse it.
        const spoken = turns.flatMap((one) => [`u: ${replaceLoneSurrogates(one.words)}`, `a: ${one.answer}`]);
        expect(logs.map(speak)).toEqual([spoken]);
      }),
      { numRuns: Math.min(LAW_RUNS, 300) },
    );
  });

  it('keep what was sent as context, where nobody quotes it', async () => {
    const messages = overTheWire(write(await prepare([text('hi')], 'told elsewhere')));
    const { logs } = readRows(reader, wrap(messages));
    expect(logs.map(speak)).toEqual([['u: hi']]);
    expect(JSON.stringify(logs[0]?.events)).toContain('told elsewhere');
  });

  it('refuse what they have no place for, and name it', async () => {
    const error = await failureOf(() => write({ content: [text('hi'), { type: 'hologram', secret: 'text' }] }));
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
    expect(String(error)).toContain('block 1 of type "hologram"');
    expect(String(error)).not.toContain('secret');
  });

  it('leave what they were given as it was', async () => {
    const prepared = await prepare([
      text('hi'),
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    ]);
    const before = JSON.stringify(prepared);
    write(prepared);
    expect(JSON.stringify(prepared)).toBe(before);
  });
});

async function failureOf(call: () => unknown): Promise<unknown> {
  const outcome = await outcomeOf(call);
  return outcome.kind === 'error' ? outcome.error : undefined;
}

const INVALID = expect.objectContaining({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
const PNG = 'iVBORw0KGgo';
const images: readonly ContentBlock[] = [
  { type: 'image', image: PNG, mediaType: 'image/png' },
  { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` },
  { type: 'file', mediaType: 'image/png', data: PNG },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'high' } },
  { type: 'input_image', image_url: `data:image/png;base64,${PNG}` },
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
  { type: 'image', source: { type: 'data', value: PNG, mimeType: 'image/png' } },
  { type: 'binary', mimeType: 'image/png', data: PNG },
  { type: 'image', source_type: 'base64', mime_type: 'image/png', data: PNG },
  { type: 'image', mimeType: 'image/png', data: PNG },
];
const linkedImages: readonly ContentBlock[] = [
  { type: 'image', image: 'https://x/y.png' },
  { type: 'image_url', image_url: 'https://x/y.png' },
  { type: 'input_image', image_url: 'https://x/y.png' },
  { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
  { type: 'image', source: { type: 'url', value: 'https://x/y.png' } },
  { type: 'image', source_type: 'url', url: 'https://x/y.png' },
];
const documents: readonly ContentBlock[] = [
  { type: 'file', mediaType: 'application/pdf', url: 'data:application/pdf;base64,JVBERi0', filename: 'a.pdf' },
  { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0', filename: 'a.pdf' } },
  { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0', filename: 'a.pdf' },
  { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0' }, title: 'a.pdf' },
  { type: 'binary', mimeType: 'application/pdf', data: 'JVBERi0', filename: 'a.pdf' },
  {
    type: 'file',
    source_type: 'base64',
    mime_type: 'application/pdf',
    data: 'JVBERi0',
    metadata: { filename: 'a.pdf' },
  },
];

/** The one block of the user's own message. */
function writeBlock(write: Write, block: ContentBlock): unknown {
  const [message] = write({ content: [block] }) as readonly {
    readonly parts?: unknown[];
    readonly content?: unknown[];
  }[];
  return (message?.parts ?? message?.content)?.[0];
}

it('refuses a document with plain text in place of bytes', () => {
  const block = { type: 'document', source: { type: 'text', data: 'note: words' } };
  expect(() => toAnthropicMessages({ content: [block] })).toThrow(INVALID);
  expect(() => toOpenAiChatMessages({ content: [block] })).toThrow(INVALID);
});

it('keeps an address that is relative, and finds the bytes of a data URL with any parameters', () => {
  const relative = { type: 'file', mediaType: 'image/png', url: '/uploads/a.png' };
  expect(writeBlock(toOpenAiChatMessages, relative)).toEqual({
    type: 'image_url',
    image_url: { url: '/uploads/a.png' },
  });
  const named = { type: 'input_image', image_url: `data:image/png;name=a;base64,${PNG}` };
  expect(writeBlock(toAiSdkModelMessages, named)).toEqual({ type: 'image', image: PNG, mediaType: 'image/png' });
  const endless = `data:${';'.repeat(4_000_000)}`;
  const found = writeBlock(toOpenAiChatMessages, { type: 'image_url', image_url: { url: endless } });
  expect(found).toEqual({ type: 'image_url', image_url: { url: endless } });
});

it('replaces lone surrogates in the names of attachments, too', () => {
  const block = { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0', filename: 'a\ud800.pdf' };
  expect(writeBlock(toOpenAiChatMessages, block)).toMatchObject({ file: { filename: 'a\ufffd.pdf' } });
});

it.each<unknown>([undefined, null, {}, { content: [null] }, { content: [{}] }, { content: 'text' }])(
  'refuses %j, which is no prepared message, with a code',
  (value) => {
    expect(() => toOpenAiChatMessages(value as never)).toThrow(INVALID);
    expect(() => toAnthropicMessages(value as never)).toThrow(INVALID);
  },
);

describe('attachments', () => {
  it.each<[string, Write, unknown, unknown, unknown]>([
    [
      'AI SDK UI messages',
      toAiSdkUiMessages,
      { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}` },
      { type: 'file', mediaType: 'image/*', url: 'https://x/y.png' },
      { type: 'file', mediaType: 'application/pdf', url: 'data:application/pdf;base64,JVBERi0', filename: 'a.pdf' },
    ],
    [
      'AI SDK model messages',
      toAiSdkModelMessages,
      { type: 'image', image: PNG, mediaType: 'image/png' },
      { type: 'image', image: 'https://x/y.png' },
      { type: 'file', data: 'JVBERi0', mediaType: 'application/pdf', filename: 'a.pdf' },
    ],
    [
      'OpenAI chat messages',
      toOpenAiChatMessages,
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      { type: 'image_url', image_url: { url: 'https://x/y.png' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0', filename: 'a.pdf' } },
    ],
    [
      'OpenAI Responses input',
      toOpenAiResponsesInput,
      { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` },
      { type: 'input_image', detail: 'auto', image_url: 'https://x/y.png' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0', filename: 'a.pdf' },
    ],
    [
      'Anthropic messages',
      toAnthropicMessages,
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0' }, title: 'a.pdf' },
    ],
    [
      'AG-UI messages',
      toAgUiMessages,
      { type: 'binary', mimeType: 'image/png', data: PNG },
      { type: 'binary', mimeType: 'image/*', url: 'https://x/y.png' },
      { type: 'binary', mimeType: 'application/pdf', data: 'JVBERi0', filename: 'a.pdf' },
    ],
    [
      'LangChain messages',
      toLangChainMessages,
      { type: 'image', source_type: 'base64', data: PNG, mime_type: 'image/png' },
      { type: 'image', source_type: 'url', url: 'https://x/y.png' },
      {
        type: 'file',
        source_type: 'base64',
        data: 'JVBERi0',
        mime_type: 'application/pdf',
        metadata: { filename: 'a.pdf' },
      },
    ],
  ])('become those of %s, whichever shape they have', (_, write, image, linked, file) => {
    expect(images.map((block) => writeBlock(write, block))).toEqual(images.map(() => image));
    expect(linkedImages.map((block) => writeBlock(write, block))).toEqual(linkedImages.map(() => linked));
    expect(documents.map((block) => writeBlock(write, block))).toEqual(documents.map(() => file));
  });

  it.each<[string, Write, ContentBlock, unknown]>([
    [
      'OpenAI chat',
      toOpenAiChatMessages,
      { type: 'file', file: { file_id: 'f' } },
      { type: 'file', file: { file_id: 'f' } },
    ],
    [
      'Responses',
      toOpenAiResponsesInput,
      { type: 'input_image', file_id: 'f' },
      { type: 'input_image', detail: 'auto', file_id: 'f' },
    ],
    ['Responses', toOpenAiResponsesInput, { type: 'input_file', file_id: 'f' }, { type: 'input_file', file_id: 'f' }],
    [
      'Responses',
      toOpenAiResponsesInput,
      { type: 'input_file', file_url: 'https://x/a' },
      { type: 'input_file', file_url: 'https://x/a' },
    ],
    [
      'Anthropic',
      toAnthropicMessages,
      { type: 'document', source: { type: 'file', file_id: 'f' } },
      { type: 'document', source: { type: 'file', file_id: 'f' } },
    ],
    [
      'AG-UI',
      toAgUiMessages,
      { type: 'binary', mimeType: 'a/b', id: 'f' },
      { type: 'binary', mimeType: 'a/b', id: 'f' },
    ],
    [
      'LangChain',
      toLangChainMessages,
      { type: 'file', source_type: 'id', id: 'f' },
      { type: 'file', source_type: 'id', id: 'f' },
    ],
  ])('that %s keeps are named by their id or address', (_, write, block, expected) => {
    expect(writeBlock(write, block)).toEqual(expected);
  });

  it.each<[string, Write, ContentBlock]>([
    ['an id with the AI SDK', toAiSdkUiMessages, { type: 'file', file_id: 'f' }],
    ['an id as a model message', toAiSdkModelMessages, { type: 'file', file_id: 'f' }],
    ['bytes of an unknown type with the AI SDK', toAiSdkUiMessages, { type: 'file', data: 'AAAA' }],
    ['the address of a file with OpenAI chat', toOpenAiChatMessages, { type: 'file', url: 'https://x/a.pdf' }],
    ['the id of an image with OpenAI chat', toOpenAiChatMessages, { type: 'image', file_id: 'f' }],
    [
      'the bytes of a spreadsheet with Anthropic',
      toAnthropicMessages,
      { type: 'file', mediaType: 'text/csv', data: 'AAAA' },
    ],
    ['an image without anything', toAgUiMessages, { type: 'image', attachment: { id: 'a' } }],
    ['a file without anything', toLangChainMessages, { type: 'file', id: 'part-1', filename: 'a.pdf' }],
  ])('refuse %s', async (_, write, block) => {
    expect(await failureOf(() => write({ content: [block] }))).toMatchObject({
      code: 'SESSION_REFERENCE_INVALID_REFERENCE',
    });
  });
});

describe('Anthropic messages', () => {
  it('leave out blocks of white space, which the API refuses', () => {
    expect(toAnthropicMessages({ content: [text(' \n'), text('hi'), text('')] })).toEqual([
      { role: 'user', content: [text('hi')] },
    ]);
  });

  it('refuse a message of white space', async () => {
    const error = await failureOf(() => toAnthropicMessages({ content: [text(' ')] }));
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
  });
});

describe('provenance', () => {
  it('rides in the metadata of the shapes that have some', async () => {
    const prepared = await prepare([text('hi')]);
    const sessionReference = prepared.additionalContext?.source;
    expect(toAiSdkUiMessages(prepared)[0]).toMatchObject({
      id: prepared.additionalContext?.id,
      metadata: { sessionReference },
    });
    expect(toAiSdkModelMessages(prepared)[0]).toMatchObject({ providerOptions: { sessionReference } });
    expect(toLangChainMessages(prepared)[0]).toMatchObject({ additional_kwargs: { sessionReference } });
  });

  it.each<[string, Write]>([
    ['OpenAI chat', toOpenAiChatMessages],
    ['Anthropic', toAnthropicMessages],
  ])('puts no field into what %s refuses unknown fields of', async (_, write) => {
    expect(write(await prepare([text('hi')])).map(Object.keys)).toEqual([
      ['role', 'content'],
      ['role', 'content'],
    ]);
  });
});

describe('a pair that a host merged into one message', () => {
  it.each<[string, FormatReader, Write]>([
    ['Anthropic', anthropicReader, toAnthropicMessages],
    ['AI SDK', aiSdkReader, toAiSdkModelMessages],
  ])('is told apart again (%s)', async (_, reader, write) => {
    const [context, direct] = write(await prepare([text('my words')], 'told')) as readonly {
      readonly content: object[];
    }[];
    const merged = { role: 'user', content: [...(context?.content ?? []), ...(direct?.content ?? [])] };
    const { logs } = readRows(reader, [merged]);
    expect(logs.map(speak)).toEqual([['u: my words']]);
    expect(JSON.stringify(logs[0]?.events)).toContain('told');
  });
});

describe('the source of a context', () => {
  it.each([
    [{ kind: 'session-reference', version: 1, references: [] }, true],
    [{ kind: 'session-reference' }, false],
    [{ references: [] }, false],
    [undefined, false],
  ])('is known again: %j', (source, expected) => {
    expect(isSessionReferenceSource(source)).toBe(expected);
  });
});

describe('the text of a context', () => {
  const contextOf = async (told: string): Promise<string> =>
    (await prepare([text('hi')], told)).additionalContext?.content[0].text ?? '';

  it('is known again, whatever it quotes', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (told) => {
        expect(isSessionReferenceText(await contextOf(told))).toBe(true);
      }),
      { numRuns: Math.min(LAW_RUNS, 300) },
    );
  });

  it('is known again between white space', async () => {
    expect(isSessionReferenceText(`\n${await contextOf('x')}\n`)).toBe(true);
  });

  it.each<[string, (context: string) => string]>([
    ['words in front of it', (context) => `Look at this:\n${context}`],
    ['words behind it', (context) => `${context}\n\nWhat do you think?`],
    ['a part of it', (context) => context.slice(0, context.indexOf('</referenced-sessions>'))],
    ['two of them', (context) => `${context}\n${context}`],
    ['the tags alone', () => '<referenced-sessions>\n[]\n</referenced-sessions>'],
    ['its heading alone', () => '## Referenced sessions\n\nThe chapter on sessions.'],
    ['other data between the tags', (context) => context.replace(/\n\[\{.*\}\]\n/, '\n[{"x":1}]\n')],
    ['half a snapshot between the tags', (context) => context.replace(/"conversation"/, '"talk"')],
    ['a snapshot of nothing', (context) => context.replace(/"sessionId"/, '"id"')],
    ['broken data between the tags', (context) => context.replace(/\}\]\n/, '}\n')],
    [
      'its end before its beginning',
      () => '## Referenced sessions\n\n</referenced-sessions>\n\n<referenced-sessions>\n[{}]\nx',
    ],
    ['one without its closing line', (context) => context.slice(0, context.lastIndexOf('\n') + 1)],
    ['no data between the tags', (context) => context.replace(/\n\[\{.*\}\]\n/, '\n[]\n')],
  ])('is not %s', async (_, change) => {
    expect(isSessionReferenceText(change(await contextOf('x')))).toBe(false);
  });
});

describe('text', () => {
  it.each<[string, Write]>([
    ['OpenAI chat', toOpenAiChatMessages],
    ['AG-UI', toAgUiMessages],
    ['LangChain', toLangChainMessages],
  ])('that stands alone is a string for %s, which everybody takes', (_, write) => {
    expect(write({ content: [text('hi')] })).toMatchObject([{ content: 'hi' }]);
    expect(write({ content: [text('a'), text('b')] })).toMatchObject([{ content: [text('a'), text('b')] }]);
  });

  it.each(SHAPES)('of another type of block is refused as $name', async ({ write }) => {
    const error = await failureOf(() => write({ content: [{ type: 'note', text: 'hi' }] }));
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
    expect(await failureOf(() => write({ content: [{ type: 'text', text: 3 }] }))).toMatchObject({
      code: 'SESSION_REFERENCE_INVALID_REFERENCE',
    });
  });
});

describe('delivery', () => {
  it.each([
    [true, [['context', 'direct']]],
    [false, []],
  ])('appends both at once or neither (%s)', async (admitted, expected) => {
    const appended: (readonly string[])[] = [];
    const host = { admit: async () => admitted, append: (messages: readonly string[]) => void appended.push(messages) };
    expect(await deliverTogether(['context', 'direct'], host)).toBe(admitted);
    expect(appended).toEqual(expected);
  });

  it('appends nothing when the admission fails', async () => {
    const refusal = new Error('busy');
    let appended = false;
    const host = {
      admit: () => Promise.reject(refusal),
      append: () => {
        appended = true;
      },
    };
    await expect(deliverTogether(['message'], host)).rejects.toBe(refusal);
    expect(appended).toBe(false);
  });
});
