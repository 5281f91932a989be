import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, toContentBlocks } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatSample } from './format-reader.ts';
import {
  type ListedConversation,
  MessageListReading,
  type MessageListRules,
  type WarnAboutMessage,
} from './message-list-reading.ts';
import type { MessageDetails } from './session-log-builder.ts';

/** Content blocks that no other format of role and content has. */
const OWN_BLOCKS: readonly unknown[] = [
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
  'search_result',
  'container_upload',
  'compaction',
];

/** The last words of the request by which the SDK's tool runner has a history summarized (anthropic-sdk-typescript). */
const SUMMARY_REQUEST = 'You have been working on the task described above but have not yet completed it.';

/**
 * Messages of the Anthropic Messages API: an array, a request body, one answer, or a file with a conversation per line.
 *
 * A `compaction` block stands for everything before it. So does the user message `<summary>…</summary>` with which the
 * SDK's tool runner begins anew.
 */
export const anthropicReader: FormatReader = {
  format: 'anthropic',
  title: 'Anthropic Messages',
  recognizes: ({ rows }: FormatSample) => rows.some(isOfAnthropic),
  open: (context) => new MessageListReading(RULES, context),
};

const RULES: MessageListRules = {
  format: 'anthropic',
  conversationOf,
  addMessage,
  idOfOnly: ({ type, id }) => (type === 'message' && typeof id === 'string' ? id : undefined),
};

function isOfAnthropic(row: unknown): boolean {
  if (Array.isArray(row)) return row.some(isMessage);
  if (!isRecord(row)) return false;
  if (!Array.isArray(row.messages)) return isMessage(row);
  const hasSystem = typeof row.system === 'string' || (Array.isArray(row.system) && row.system.every(isRecord));
  return row.messages.some(hasSystem ? isPlainMessage : isMessage);
}

function isPlainMessage(value: unknown): boolean {
  return isRecord(value) && (value.role === 'user' || value.role === 'assistant') && 'content' in value;
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || !isPlainMessage(value) || !Array.isArray(value.content)) return false;
  return (value.type === 'message' && 'stop_reason' in value) || value.content.some(isOwnBlock);
}

function isOwnBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  const { type, source } = block;
  if (OWN_BLOCKS.includes(type) || (typeof type === 'string' && type.endsWith('_tool_result'))) return true;
  if ((type !== 'image' && type !== 'document') || !isRecord(source)) return false;
  return typeof source.media_type === 'string' || typeof source.url === 'string' || typeof source.file_id === 'string';
}

function conversationOf(row: UnknownRecord): ListedConversation | undefined {
  if (!Array.isArray(row.messages)) return undefined;
  const system = row.system === undefined || row.system === null ? [] : [{ role: 'system', content: row.system }];
  return {
    messages: [...system, ...(row.messages as readonly unknown[])],
    id: readString(row.id),
    title: readString(row.title),
    createdAt: readTime(row.created_at),
  };
}

function addMessage(message: UnknownRecord, conversation: ConversationWriter, warn: WarnAboutMessage): void {
  const id = readString(message.id);
  const details = { id, time: readTime(message.created_at) };
  const content = toContentBlocks(message.content);
  switch (message.role) {
    case 'user':
      addUserMessage(content, conversation, details);
      return;
    case 'assistant':
      if (message.stop_reason === 'refusal') conversation.other('refusal', message, details.time);
      else addAssistantMessage(content, conversation, details, warn);
      return;
    case 'system':
      conversation.injected(content, 'system', details);
      return;
    default:
      conversation.other('message', message, details.time);
      warn('UNKNOWN', 'The role of the message is not known.');
  }
}

/** What a user wrote beside the result of a tool is the user's own. */
function addUserMessage(
  content: readonly ContentBlock[],
  conversation: ConversationWriter,
  details: MessageDetails,
): void {
  const results = content.filter(isToolResult);
  for (const result of results) conversation.toolResult(result, details.time);
  const words = results.length === 0 ? content : content.filter((block) => !isToolResult(block));
  if (words.length === 0 && results.length > 0) return;
  if (!conversation.isEmpty || !isSummary(words)) {
    if (isSummaryRequest(words)) conversation.injected(words, 'compaction-request', details);
    else conversation.user(words, details);
    return;
  }
  conversation.summarize(words, details);
}

function isToolResult({ type }: ContentBlock): boolean {
  return type.endsWith('tool_result');
}

/** Only where nothing stands before it: anywhere else it is something that the user typed. */
function isSummary(words: readonly ContentBlock[]): boolean {
  const text = readOnlyText(words)?.trim();
  return text?.startsWith('<summary>') === true && text.endsWith('</summary>');
}

function isSummaryRequest(words: readonly ContentBlock[]): boolean {
  const text = readOnlyText(words);
  return text?.startsWith(SUMMARY_REQUEST) === true && text.includes('<summary>');
}

function readOnlyText([only, ...others]: readonly ContentBlock[]): string | undefined {
  return others.length === 0 && only?.type === 'text' && typeof only.text === 'string' ? only.text : undefined;
}

function addAssistantMessage(
  content: readonly ContentBlock[],
  conversation: ConversationWriter,
  details: MessageDetails,
  warn: WarnAboutMessage,
): void {
  let rest: ContentBlock[] = [];
  for (const block of content) {
    const summary = block.type === 'compaction' ? toContentBlocks(block.content) : undefined;
    if (summary === undefined || !hasVisibleText(summary)) {
      if (summary !== undefined) warn('BROKEN_COMPACTION', 'A compaction has no summary; it stands for nothing.');
      rest.push(block);
      continue;
    }
    if (rest.length > 0) conversation.assistant(rest, details);
    rest = [];
    conversation.summarize(summary, details);
  }
  if (rest.length > 0 || content.length === 0) conversation.assistant(rest, details);
}
