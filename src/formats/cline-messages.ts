import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import { readAnswer, readTypedText, removeElements, replaceElements } from './cline-text.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, hideText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { MessageDetails } from './session-log-builder.ts';

/** Reports something about the message at hand. */
export type WarnAboutMessage = (code: 'UNKNOWN' | 'BROKEN_COMPACTION', message: string) => void;

/**
 * Write a message of the history that Cline or Roo sends to the model.
 *
 * @param message - in the shape of the Anthropic API.
 * @param writer - of the session.
 * @param warn - told about what is not known.
 */
export function addApiMessage(message: UnknownRecord, writer: ConversationWriter, warn: WarnAboutMessage): void {
  const details = detailsOf(message);
  if (message.role === 'assistant') writer.assistant(readAnswer(message.content), details);
  else if (message.role === 'user') {
    addUser(toContentBlocks(message.content), readTypedText(message.content), message, writer);
  } else addUnknown(message, writer, warn);
}

/**
 * Write a message that Cline's SDK stored.
 *
 * @param message - with its metadata.
 * @param writer - of the session.
 * @param warn - told about what cannot be read.
 */
export function addSdkMessage(message: UnknownRecord, writer: ConversationWriter, warn: WarnAboutMessage): void {
  const details = detailsOf(message);
  const content = toContentBlocks(message.content);
  const metadata = isRecord(message.metadata) ? message.metadata : {};
  if (metadata.kind === 'compaction_summary') addSummary(message, content, metadata, writer, warn);
  else if (message.role === 'assistant') writer.assistant(content, details);
  else if (message.role === 'user') addUser(content, content.map(unwrapText), message, writer);
  else addUnknown(message, writer, warn);
}

/** Types of the display's lines that the user or the assistant said; the rest is about tools and requests. */
const DISPLAY_ROLES: ReadonlyMap<unknown, 'user' | 'assistant'> = new Map<unknown, 'user' | 'assistant'>([
  ['task', 'user'],
  ['user_feedback', 'user'],
  ['text', 'assistant'],
  ['completion_result', 'assistant'],
  ['followup', 'assistant'],
  ['plan_mode_respond', 'assistant'],
]);

/** Marks a result that comes with changed files. */
const CHANGES_MARK = 'HAS_CHANGES';

/**
 * Write a line of what Cline or Roo showed to the user.
 *
 * @param line - `{ ts, type, say | ask, text }`.
 * @param writer - of the session.
 */
export function addDisplayLine(line: UnknownRecord, writer: ConversationWriter): void {
  const kind = line.type === 'ask' ? line.ask : line.say;
  // Older versions do not mark the task. Every result is said first and then asked about, with the text said before or with none.
  const isQuestion = line.type === 'ask' && kind !== 'followup' && kind !== 'plan_mode_respond';
  const role = isQuestion ? undefined : writer.isEmpty && kind === 'text' ? 'user' : DISPLAY_ROLES.get(kind);
  const text = readString(line.text);
  const details = { time: readTime(line.ts) };
  if (role === undefined || text === undefined) {
    writer.other(readString(kind) ?? 'line', line, details.time);
    return;
  }
  if (role === 'user') writer.user([{ type: 'text', text }], details);
  else {
    const content = [{ type: 'text', text: readDisplayText(line.type === 'ask', text) }];
    writer.assistant(line.partial === true ? hideText(content) : content, details);
  }
}

/** Newer versions keep the question and its options as JSON. */
function readDisplayText(isAsked: boolean, text: string): string {
  if (!isAsked) return text.endsWith(CHANGES_MARK) ? text.slice(0, -CHANGES_MARK.length) : text;
  if (!text.startsWith('{')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return (isRecord(value) ? (readString(value.question) ?? readString(value.response)) : undefined) ?? text;
  } catch {
    return text;
  }
}

function addUser(
  content: readonly ContentBlock[],
  typed: readonly ContentBlock[],
  message: UnknownRecord,
  writer: ConversationWriter,
): void {
  const details = detailsOf(message);
  if (hasVisibleText(typed)) writer.user(content, { ...details, displayContent: typed });
  else if (content.some(({ type }) => type === 'tool_result')) writer.toolResult(message, details.time);
  else writer.injected(content, 'context', details);
}

function addSummary(
  message: UnknownRecord,
  content: readonly ContentBlock[],
  metadata: UnknownRecord,
  writer: ConversationWriter,
  warn: WarnAboutMessage,
): void {
  const details = detailsOf(message);
  const summary = hasVisibleText(content) ? content : toContentBlocks(readString(metadata.summary));
  if (hasVisibleText(summary)) {
    writer.summarize(summary, details);
    return;
  }
  warn('BROKEN_COMPACTION', 'A compaction has no summary that can be read; it replaces nothing.');
  writer.other('compaction', message, details.time);
}

function addUnknown(message: UnknownRecord, writer: ConversationWriter, warn: WarnAboutMessage): void {
  warn('UNKNOWN', 'The role of a message is not known.');
  writer.other('message', message, readTime(message.ts));
}

const TEAM_UPDATE = 'System-delivered teammate async run updates:';

/** The SDK wraps what was typed and puts notices, files and expanded commands beside it. */
function unwrapText(block: ContentBlock): ContentBlock {
  if (block.type !== 'text' || typeof block.text !== 'string' || !block.text.includes('<')) return block;
  const { text: whole } = block;
  let text = removeElements(whole, ['mode_notice', 'file_content', 'SYSTEM_NOTICE']);
  text = replaceElements(text, 'user_input', (body) => (body.trimStart().startsWith(TEAM_UPDATE) ? '' : body));
  text = replaceCommands(text);
  if (text === whole) return block;
  return text.trim() === '' ? toHiddenBlock('context', whole) : { type: 'text', text: text.trim() };
}

/** A command is sent as what it stands for; `/name arguments` is what was typed. */
function replaceCommands(text: string): string {
  if (!text.includes('<user_command')) return text;
  const around = removeElements(text, ['user_command']).trim();
  return replaceElements(text, 'user_command', (body, attributes) => {
    const name = /slash="([^"]{1,200})"/.exec(attributes)?.[1];
    if (name === undefined) return body;
    return around === '' ? `/${name} ${body.trim()}` : `/${name}`;
  });
}

function detailsOf(message: UnknownRecord): MessageDetails {
  return { time: readTime(message.ts), id: readString(message.id) };
}
