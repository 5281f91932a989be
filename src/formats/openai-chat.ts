import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { readTextBlock, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatSample } from './format-reader.ts';
import {
  type ListedConversation,
  MessageListReading,
  type MessageListRules,
  type WarnAboutMessage,
} from './message-list-reading.ts';

const ROLES: readonly unknown[] = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];
const CONTENT_TYPES: readonly unknown[] = ['text', 'refusal', 'image_url', 'input_audio', 'file', 'audio', 'video_url'];

/** Keys of formats whose messages look the same but stand in something else. */
const FOREIGN_KEYS = ['parts', 'history', 'threadId', 'chat_messages', 'projectHash', 'folders', 'type'];

/** Fields of an answer that are not its visible text. */
const HIDDEN_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details', 'tool_calls', 'function_call', 'audio'];

/**
 * Messages of the OpenAI chat completions API, and every plain list of `{ role, content }`: an array, a request body, an
 * answer with `choices`, or a file of training examples with one conversation on each line.
 *
 * A plain list may have been written for Anthropic, AI SDK 3 or Cline as well; its conversation is the same.
 */
export const openaiChatReader: FormatReader = {
  format: 'openai-chat',
  title: 'OpenAI chat',
  recognizes,
  open: (context) => new MessageListReading(RULES, context),
};

const RULES: MessageListRules = { format: 'openai-chat', conversationOf, addMessage };

function recognizes({ rows }: FormatSample): boolean {
  return fits(rows, isOfOpenAi);
}

/** The first object must fit, and most of the others: a file with some broken lines is still of this format. */
function fits(values: readonly unknown[], isFitting: (value: unknown) => boolean): boolean {
  const candidates = values.filter((value) => Array.isArray(value) || isRecord(value));
  const fitting = candidates.filter(isFitting);
  return fitting.length > 0 && fitting[0] === candidates[0] && fitting.length * 2 > candidates.length;
}

function isOfOpenAi(row: unknown): boolean {
  if (Array.isArray(row)) return fits(row, isMessage);
  if (!isRecord(row) || FOREIGN_KEYS.some((key) => key in row)) return false;
  const { messages, choices } = row;
  if (Array.isArray(messages)) return fits(messages, isMessage);
  if (Array.isArray(choices)) return choices.some((choice) => isRecord(choice) && isMessage(choice.message));
  return isMessage(row);
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || !ROLES.includes(value.role) || FOREIGN_KEYS.some((key) => key in value)) return false;
  const { content } = value;
  if (Array.isArray(content)) return content.every(isContentPart);
  return typeof content === 'string' || content === null || Array.isArray(value.tool_calls) || 'function_call' in value;
}

function isContentPart(part: unknown): boolean {
  return typeof part === 'string' || (isRecord(part) && CONTENT_TYPES.includes(part.type));
}

function conversationOf(row: UnknownRecord): ListedConversation | undefined {
  const hasMessages = Array.isArray(row.messages);
  if (!hasMessages && !Array.isArray(row.choices)) return undefined;
  const asked: readonly unknown[] = hasMessages ? (row.messages as readonly unknown[]) : [];
  return {
    messages: [...asked, ...readAnswer(row.choices)],
    id: readString(row.id),
    title: readString(row.title),
    createdAt: readTime(row.created) ?? readTime(row.created_at) ?? readTime(row.createdAt),
  };
}

/** Choices are alternatives: the conversation went on with the first. */
function readAnswer(choices: unknown): readonly unknown[] {
  const [first] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
  return isRecord(first) && first.message !== undefined ? [first.message] : [];
}

function addMessage(message: UnknownRecord, conversation: ConversationWriter, warn: WarnAboutMessage): void {
  const id = readString(message.id);
  const details = {
    id,
    time: readTime(message.created_at) ?? readTime(message.createdAt) ?? readTime(message.timestamp),
  };
  switch (message.role) {
    case 'user':
      conversation.user(readContent(message), details);
      return;
    case 'assistant':
      conversation.assistant([...readContent(message), ...readHiddenFields(message)], details);
      return;
    case 'system':
    case 'developer':
      conversation.injected(readContent(message), 'system', details);
      return;
    case 'tool':
    case 'function':
      conversation.toolResult(message, details.time);
      return;
    default:
      conversation.other('message', message, details.time);
      warn('UNKNOWN', 'The role of the message is not known.');
  }
}

/** A refusal is what the user saw; it stands in a field of its own or in the content. */
function readContent({ content, refusal }: UnknownRecord): ContentBlock[] {
  const blocks = toContentBlocks(content, readPartText);
  return typeof refusal === 'string' ? [...blocks, { type: 'text', text: refusal }] : blocks;
}

function readPartText(part: UnknownRecord): string | undefined {
  const isRefusal = part.type === 'refusal' && typeof part.refusal === 'string';
  return isRefusal ? (part.refusal as string) : readTextBlock(part);
}

function readHiddenFields(message: UnknownRecord): ContentBlock[] {
  const hidden: ContentBlock[] = [];
  for (const field of HIDDEN_FIELDS) {
    const value = message[field];
    if (value !== undefined && value !== null) hidden.push(toHiddenBlock(field, value));
  }
  return hidden;
}
