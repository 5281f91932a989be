import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { writeGeminiMessages } from './gemini-cli-messages.ts';
import { GeminiSession } from './gemini-cli-session.ts';
import { SessionNames } from './session-names.ts';

/**
 * A session of the Gemini CLI: one JSON document up to version 0.38, lines since, or a checkpoint that `/chat save`
 * wrote. Lines are replayed: messages are written again, rewound, and replaced by a compaction.
 */
export const geminiCliReader: FormatReader = {
  format: 'gemini-cli',
  title: 'Gemini CLI',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isSession(row) || isRecordOfGemini(row) || isContent(row)),
  open: (context) => new GeminiReading(context),
};

function isSession(row: unknown): row is UnknownRecord {
  if (!isRecord(row)) return false;
  return typeof row.sessionId === 'string' && typeof row.projectHash === 'string';
}

function isRecordOfGemini(row: unknown): boolean {
  return isRecord(row) && row.type === 'gemini' && 'content' in row && typeof row.id === 'string';
}

/** A turn of the Gemini API, whose parts have no type. */
function isContent(row: unknown): boolean {
  if (!isRecord(row)) return false;
  if (Array.isArray(row.history)) return row.history.some(isContent);
  if (row.role !== 'user' && row.role !== 'model') return false;
  const { parts } = row;
  return Array.isArray(parts) && parts.length > 0 && parts.every((part) => isRecord(part) && part.type === undefined);
}

class GeminiReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  #session: GeminiSession | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('gemini-cli', context);
  }

  *add({ value, where }: Row): Iterable<SessionLog | undefined> {
    if (!isRecord(value)) {
      this.#context.warn('UNREADABLE', where, 'This is no line of a Gemini CLI session.');
      return;
    }
    const { messages, history } = value;
    const whole = Array.isArray(messages) ? messages : history;
    if (Array.isArray(whole) && !('$set' in value)) {
      yield* this.finish();
      const session = new GeminiSession(where, this.#context.warn);
      session.describe(value);
      session.replaceAll(whole, where);
      yield yield* this.#build(session);
      return;
    }
    const id = isSession(value) ? value.sessionId : undefined;
    if (id !== undefined && this.#session?.id !== undefined && this.#session.id !== id) yield* this.finish();
    this.#session ??= new GeminiSession(where, this.#context.warn);
    if (isSession(value)) this.#session.describe(value);
    else this.#session.replay(value, where);
  }

  *finish(): Iterable<SessionLog | undefined> {
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined) yield yield* this.#build(session);
  }

  *#build(session: GeminiSession): SlicedWork<SessionLog> {
    const { id, title, createdAt, where } = session;
    const writer = new ConversationWriter('gemini-cli', { title, createdAt });
    const { replaced, messages, dropped } = session.read();
    yield* writeGeminiMessages([...replaced, ...messages], writer, this.#context.warn);
    for (const { record } of dropped) writer.other('dropped', record, readTime(record.timestamp));
    return writer.build(this.#names, where, id);
  }
}
