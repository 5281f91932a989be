import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, toContentBlocks } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { SessionNames } from './session-names.ts';

/** A session file of Goose: a header, and a message per line; or one document with a `conversation`, as it is exported. */
export const gooseReader: FormatReader = {
  format: 'goose',
  title: 'Goose',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isHeader(row)) || rows.some(isOwnMessage),
  open: (context) => new GooseReading(context),
};

function isHeader(row: unknown): row is UnknownRecord {
  if (!isRecord(row) || typeof row.working_dir !== 'string') return false;
  return 'description' in row || 'message_count' in row || 'extension_data' in row || Array.isArray(row.conversation);
}

const OWN_BLOCKS: ReadonlySet<unknown> = new Set(['toolRequest', 'toolResponse', 'toolConfirmationRequest']);

function isOwnMessage(row: unknown): boolean {
  if (!isRecord(row) || typeof row.role !== 'string' || typeof row.created !== 'number') return false;
  return Array.isArray(row.content) && row.content.some((block) => isRecord(block) && OWN_BLOCKS.has(block.type));
}

interface OpenSession {
  readonly header: UnknownRecord;
  readonly where: string;
  readonly messages: { readonly row: UnknownRecord; readonly where: string }[];
}

class GooseReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  #open: OpenSession | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('goose', context);
  }

  *add({ value, where }: Row): Iterable<SessionLog | undefined> {
    if (isHeader(value)) {
      yield* this.finish();
      this.#open = { header: value, where, messages: [] };
      const { conversation, messages } = value;
      for (const message of [conversation, messages].find(Array.isArray) ?? []) this.#addMessage(message, where);
    } else this.#addMessage(value, where);
  }

  *finish(): Iterable<SessionLog | undefined> {
    const session = this.#open;
    this.#open = undefined;
    if (session !== undefined) yield yield* this.#read(session);
  }

  #addMessage(row: unknown, where: string): void {
    if (!isRecord(row) || typeof row.role !== 'string') {
      this.#context.warn('UNREADABLE', where, 'This is no message of Goose.');
      return;
    }
    this.#open ??= { header: {}, where, messages: [] };
    this.#open.messages.push({ row, where });
  }

  *#read({ header, messages, where }: OpenSession): SlicedWork<SessionLog> {
    const writer = new ConversationWriter('goose', {
      title: readString(header.description) ?? readString(header.name),
      cwd: readString(header.working_dir),
      createdAt: readTime(header.created_at) ?? readTime(messages[0]?.row.created),
      parentSession: readString(header.parent_session_id),
    });
    let isCompacted = false;
    for (const { row, where: place } of messages) {
      yield;
      isCompacted = addMessage(row, isCompacted, writer, (message) => this.#context.warn('UNKNOWN', place, message));
    }
    return writer.build(this.#names, where, readString(header.id) ?? this.#readFileName());
  }

  #readFileName(): string | undefined {
    const { sessionId, fileName } = this.#context;
    return sessionId === undefined ? /([^/\\]{1,200})\.jsonl?$/.exec(fileName ?? '')?.[1] : undefined;
  }
}

/**
 * A compaction hides what it summed up from the agent, and its summary from the user.
 *
 * @returns whether messages before the next one were hidden from the agent and no summary came yet.
 */
function addMessage(
  row: UnknownRecord,
  isCompacted: boolean,
  writer: ConversationWriter,
  warn: (message: string) => void,
): boolean {
  const { role, content, metadata } = row;
  const details = { time: readTime(row.created), id: readString(row.id) };
  const blocks = toContentBlocks(content);
  const isForAgent = !isRecord(metadata) || metadata.agentVisible !== false;
  const isForUser = !isRecord(metadata) || metadata.userVisible !== false;
  if (!isForUser && isForAgent && isCompacted && hasVisibleText(blocks)) {
    writer.summarize(blocks, details);
    return false;
  }
  if (!isForUser) writer.injected(blocks, 'hidden', details);
  else if (role === 'assistant') writer.assistant(blocks, details);
  else if (role === 'user') {
    const isResult = blocks.some(({ type }) => type === 'toolResponse') && !hasVisibleText(blocks);
    if (isResult) writer.toolResult(row, details.time);
    else writer.user(blocks, details);
  } else {
    warn('The role of a message is not known.');
    writer.other('message', row, details.time);
  }
  return isCompacted || !isForAgent;
}
