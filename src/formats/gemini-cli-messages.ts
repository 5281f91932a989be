import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { ReadContext } from './format-reader.ts';

/** A message of a Gemini CLI session, and where it stood. */
export interface GeminiMessage {
  readonly record: UnknownRecord;
  readonly where: string;
}

/** Lines that the tool shows to the user; the model is not told. */
const NOTICES: ReadonlySet<unknown> = new Set(['info', 'error', 'warning']);

const CONTEXT_STARTS = ['<session_context>', '<hook_context>'];

/** The model is made to say so about context and about the summary of a compaction. */
const ACKNOWLEDGEMENT = /^Got it\. Thanks for the (?:additional )?context!$/;

/**
 * Write the messages of a session. The summary of a compaction stands for everything before it.
 *
 * @param messages - in order.
 * @param writer - of the session.
 * @param warn - told about what is not known.
 */
export function* writeGeminiMessages(
  messages: readonly GeminiMessage[],
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): SlicedWork<void> {
  let isAfterContext = false;
  for (const [index, { record, where }] of messages.entries()) {
    yield;
    const type = typeOf(record);
    const isAnswered = typeOf(messages[index + 1]?.record) === 'gemini';
    if (type === 'user') isAfterContext = addUser(record, where, isAnswered, writer, warn);
    else if (type === 'gemini') {
      addAnswer(record, isAfterContext, writer);
      isAfterContext = false;
    } else {
      if (!NOTICES.has(type)) warn('UNKNOWN', where, 'The type of a message is not known.');
      writer.other(readString(type) ?? 'message', record, readTime(record.timestamp));
    }
  }
}

/**
 * Whether a message is the summary of a compaction, readable or not.
 *
 * @param record - the message.
 */
export function isSummaryRecord(record: UnknownRecord): boolean {
  if (typeOf(record) !== 'user') return false;
  return findSummary(toContentBlocks(record.content ?? record.parts, readPartText)) !== undefined;
}

/**
 * Whether a message is what the model is made to say about context or a summary.
 *
 * @param record - the message.
 */
export function isAcknowledgement(record: UnknownRecord): boolean {
  return typeOf(record) === 'gemini' && ACKNOWLEDGEMENT.test(readGeminiText(record).trim());
}

/**
 * The visible text of a message.
 *
 * @param record - the message.
 */
export function readGeminiText(record: UnknownRecord): string {
  return textOf(toContentBlocks(record.content ?? record.parts, readPartText));
}

/** Checkpoints of the tool have the roles of the API. */
function typeOf(record: UnknownRecord | undefined): unknown {
  if (record === undefined || record.type !== undefined) return record?.type;
  return record.role === 'model' ? 'gemini' : record.role;
}

/** @returns whether it was context or a summary, to which the model has something set to say. */
function addUser(
  record: UnknownRecord,
  where: string,
  isAnswered: boolean,
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): boolean {
  const details = { time: readTime(record.timestamp), id: readString(record.id) };
  const content = toContentBlocks(record.content ?? record.parts, readPartText);
  const summary = findSummary(content);
  if (summary !== undefined) {
    if (isEmptySummary(summary)) {
      warn('BROKEN_COMPACTION', where, 'A compaction has no summary; it replaces nothing.');
      writer.other('compaction', record, details.time);
    } else writer.summarize(content, details);
    return true;
  }
  const shown = toContentBlocks(record.displayContent, readPartText);
  const words = (hasVisibleText(shown) ? shown : content).map(hideContext);
  if (hasFunctionResponse(content) && !hasVisibleText(words)) writer.toolResult(record, details.time);
  else if (!hasVisibleText(words) && hasVisibleText(content)) {
    writer.injected(content, 'context', details);
    return true;
  } else if (isCommand(words, isAnswered)) writer.injected(content, 'command', details);
  else writer.user(content, { ...details, displayContent: words });
  return false;
}

function addAnswer(record: UnknownRecord, isAfterContext: boolean, writer: ConversationWriter): void {
  const details = { time: readTime(record.timestamp), id: readString(record.id) };
  const content = toContentBlocks(record.content ?? record.parts, readPartText);
  if (isAfterContext && ACKNOWLEDGEMENT.test(textOf(content).trim())) {
    writer.other('acknowledgement', record, details.time);
    return;
  }
  const hidden = ['thoughts', 'toolCalls'].flatMap((field) => {
    const value = record[field];
    return Array.isArray(value) && value.length > 0 ? [toHiddenBlock(field, value)] : [];
  });
  writer.assistant([...content, ...hidden], details);
}

function readPartText({ text, thought, type }: UnknownRecord): string | undefined {
  const isText = type === undefined || type === 'text';
  return isText && typeof text === 'string' && thought !== true ? text : undefined;
}

function hasFunctionResponse(content: readonly ContentBlock[]): boolean {
  return content.some(({ value }) => isRecord(value) && 'functionResponse' in value);
}

function hideContext(block: ContentBlock): ContentBlock {
  const isContext = block.type === 'text' && CONTEXT_STARTS.some((start) => startsWith(block.text, start));
  return isContext ? toHiddenBlock('context', block.text) : block;
}

function startsWith(text: unknown, start: string): boolean {
  return typeof text === 'string' && text.trimStart().startsWith(start);
}

/** A command of the tool. One with arguments may be one that the user defined: then the model answers it. */
function isCommand(words: readonly ContentBlock[], isAnswered: boolean): boolean {
  const text = textOf(words).trim();
  if (!text.startsWith('/') && !text.startsWith('?')) return false;
  return !isAnswered || !/\s/.test(text);
}

function findSummary(content: readonly ContentBlock[]): string | undefined {
  const text = textOf(content);
  return startsWith(text, '<state_snapshot>') ? text : undefined;
}

function isEmptySummary(summary: string): boolean {
  return !/\S/.test(summary.replace(/<\/?state_snapshot>/g, ''));
}

function textOf(content: readonly ContentBlock[]): string {
  return content.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n');
}
