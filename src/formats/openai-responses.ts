import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, hideText, toContentBlocks } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatSample } from './format-reader.ts';
import {
  type ListedConversation,
  MessageListReading,
  type MessageListRules,
  type WarnAboutMessage,
} from './message-list-reading.ts';

/** Items besides messages, as of 2026; those that end in `_call`, `_output` or `_response` need no mention. */
const OTHER_ITEMS: readonly unknown[] = [
  'reasoning',
  'item_reference',
  'mcp_list_tools',
  'mcp_approval_request',
  'program',
];
const COMPACTIONS: readonly unknown[] = ['compaction', 'compaction_summary'];
const TEXT_TYPES: readonly unknown[] = ['input_text', 'output_text', 'text', 'summary_text'];

/**
 * Items of the OpenAI Responses API: a list of them, a request body, a response, or the list of a conversation.
 *
 * Commentary between tool calls was shown to the user and stays. An encrypted compaction cannot be read, so what came
 * before it stays too.
 */
export const openaiResponsesReader: FormatReader = {
  format: 'openai-responses',
  title: 'OpenAI Responses',
  recognizes: ({ rows }: FormatSample) => !rows.some(isCodexHeader) && rows.some(isOfResponses),
  open: (context) => new MessageListReading(RULES, context),
};

const RULES: MessageListRules = { format: 'openai-responses', conversationOf, addMessage: addItem };

/** The first Codex logs were bare items behind a line of their own, which has no type and no role. */
function isCodexHeader(row: unknown): boolean {
  if (!isRecord(row)) return false;
  return 'record_type' in row || (typeof row.timestamp === 'string' && !('type' in row) && !('role' in row));
}

function isOfResponses(row: unknown): boolean {
  if (Array.isArray(row)) return row.some(isItem);
  if (!isRecord(row)) return false;
  if (row.object === 'response' && Array.isArray(row.output)) return true;
  if (row.object === 'list' && Array.isArray(row.data)) return row.data.some(isItem);
  return Array.isArray(row.input) ? row.input.some(isItem) : isItem(row);
}

function isItem(value: unknown): boolean {
  if (!isRecord(value) || 'stop_reason' in value) return false;
  const { type, content } = value;
  if (type === 'reasoning') return Array.isArray(value.summary);
  if (COMPACTIONS.includes(type)) return typeof value.encrypted_content === 'string';
  if (type === 'function_call' || type === 'function_call_output') return typeof value.call_id === 'string';
  if (typeof value.role !== 'string' || (type !== undefined && type !== 'message')) return false;
  const hasOwnParts = Array.isArray(content) && content.some(isOwnPart);
  return hasOwnParts || (type === 'message' && (typeof content === 'string' || Array.isArray(content)));
}

function isOwnPart(part: unknown): boolean {
  return isRecord(part) && typeof part.type === 'string' && /^(?:input|output)_(?:text|image|file)$/.test(part.type);
}

function conversationOf(row: UnknownRecord): ListedConversation | undefined {
  const isList = row.object === 'list' && Array.isArray(row.data);
  const isResponse = Array.isArray(row.output) && typeof row.type !== 'string';
  const isRequest = (Array.isArray(row.input) || typeof row.input === 'string') && typeof row.type !== 'string';
  if (!isList && !isResponse && !isRequest) return undefined;
  return {
    messages: [
      ...toItems(row.instructions, 'system'),
      ...toItems(row.input, 'user'),
      ...toItems(row.output, 'assistant'),
      ...toItems(row.data, 'user'),
    ],
    id: readString(row.id),
    createdAt: readTime(row.created_at),
    parentSession: readString(row.previous_response_id),
  };
}

/** Where the API takes items it also takes one text. */
function toItems(value: unknown, role: string): readonly unknown[] {
  if (typeof value === 'string') return [{ role, content: value }];
  return Array.isArray(value) ? value : [];
}

function addItem(item: UnknownRecord, conversation: ConversationWriter, warn: WarnAboutMessage): void {
  const { type } = item;
  if (type === 'message' || (type === undefined && typeof item.role === 'string')) {
    addMessage(item, conversation, warn);
    return;
  }
  if (COMPACTIONS.includes(type)) {
    addCompaction(item, conversation, warn);
    return;
  }
  if (typeof type === 'string' && type.endsWith('_output')) {
    conversation.toolResult(item);
    return;
  }
  conversation.other(typeof type === 'string' ? type : 'item', item);
  const isKnown = OTHER_ITEMS.includes(type) || (typeof type === 'string' && /_(?:call|response)$/.test(type));
  if (!isKnown) warn('UNKNOWN', 'The type of the item is not known.');
}

function addMessage(message: UnknownRecord, conversation: ConversationWriter, warn: WarnAboutMessage): void {
  const details = { id: readString(message.id), time: readTime(message.created_at) };
  const content = toContentBlocks(message.content, readPartText);
  switch (message.role) {
    case 'user':
      conversation.user(content, details);
      return;
    case 'assistant':
      // An `incomplete` answer is final: it was cut off and kept.
      conversation.assistant(message.status === 'in_progress' ? hideText(content) : content, details);
      return;
    case 'system':
    case 'developer':
      conversation.injected(content, 'system', details);
      return;
    default:
      conversation.other('message', message, details.time);
      warn('UNKNOWN', 'The role of the message is not known.');
  }
}

function readPartText(part: UnknownRecord): string | undefined {
  if (part.type === 'refusal' && typeof part.refusal === 'string') return part.refusal;
  return TEXT_TYPES.includes(part.type) && typeof part.text === 'string' ? part.text : undefined;
}

/** The API encrypts its summaries; the agents SDK may store one that can be read. */
function addCompaction(item: UnknownRecord, conversation: ConversationWriter, warn: WarnAboutMessage): void {
  const summary: ContentBlock[] = toContentBlocks(item.summary, readPartText);
  if (hasVisibleText(summary)) {
    conversation.summarize(summary);
    return;
  }
  conversation.other('compaction', item);
  warn('BROKEN_COMPACTION', 'The summary of a compaction is encrypted; the compaction stands for nothing.');
}
