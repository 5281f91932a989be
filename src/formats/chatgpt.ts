import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import { ConversationListReading } from './conversation-list-reading.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { hideText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatSample, ReadContext } from './format-reader.ts';
import { readBranch, type TreeNode } from './message-tree.ts';

/** Content that is shown as the words of a message; there are a dozen other types for what goes on behind them. */
const VISIBLE_CONTENT: readonly unknown[] = ['text', 'multimodal_text'];

/** Channels of an answer that the page folds away. */
const HIDDEN_CHANNELS: readonly unknown[] = ['analysis', 'commentary'];

/**
 * The `conversations.json` of a ChatGPT data export, whole or one conversation of it. What is read is the branch that
 * was shown last; custom instructions, memory, tools and reasoning are no part of the conversation.
 */
export const chatgptReader: FormatReader = {
  format: 'chatgpt',
  title: 'ChatGPT export',
  recognizes: ({ rows }: FormatSample) => rows.some(isConversation),
  open: (context) => new ConversationListReading({ format: 'chatgpt', read: readConversation }, context),
};

function isConversation(row: unknown): boolean {
  if (!isRecord(row) || !isRecord(row.mapping)) return false;
  if ('current_node' in row || 'conversation_id' in row) return true;
  return Object.values(row.mapping).some((node) => isRecord(node) && 'message' in node && 'parent' in node);
}

function readConversation(
  row: UnknownRecord,
  where: string,
  warn: ReadContext['warn'],
): ConversationWriter | undefined {
  if (!isRecord(row.mapping)) return undefined;
  const conversation = new ConversationWriter('chatgpt', {
    id: readString(row.conversation_id) ?? readString(row.id),
    title: readString(row.title),
    createdAt: readTime(row.create_time),
  });
  const tree = readTree(row.mapping, where, warn);
  const branch = readBranch(tree, row.current_node, (message) => warn('BROKEN_TREE', `${where}.mapping`, message));
  for (const message of branch) {
    if (isRecord(message)) addMessage(message, conversation, where, warn);
  }
  return conversation;
}

/** Must go by the keys of the mapping: a message may have another id than its node. */
function readTree(mapping: UnknownRecord, where: string, warn: ReadContext['warn']): Map<string, TreeNode<unknown>> {
  const tree = new Map<string, TreeNode<unknown>>();
  for (const [id, node] of Object.entries(mapping)) {
    if (!isRecord(node)) {
      warn('UNREADABLE', `${where}.mapping`, 'A node of the conversation is no object.');
      continue;
    }
    const { message, parent } = node;
    const time = isRecord(message) ? readTime(message.create_time) : undefined;
    tree.set(id, { parentId: readString(parent), time, message });
  }
  return tree;
}

function addMessage(
  message: UnknownRecord,
  conversation: ConversationWriter,
  where: string,
  warn: ReadContext['warn'],
): void {
  const author = isRecord(message.author) ? message.author : {};
  const details = { id: readString(message.id), time: readTime(message.create_time) };
  const content = readContent(message.content);
  switch (author.role) {
    case 'user':
      if (isHidden(message)) conversation.injected(hideText(content), 'hidden', details);
      else conversation.user(content, details);
      return;
    case 'assistant': {
      const isFinal = !isHidden(message) && message.status !== 'in_progress' && isForEveryone(message);
      conversation.assistant(isFinal ? content : hideText(content), details);
      return;
    }
    case 'system':
      conversation.injected(content, 'system', details);
      return;
    case 'tool':
      conversation.toolResult(message, details.time);
      return;
    default:
      conversation.other('message', message, details.time);
      warn('UNKNOWN', `${where}.mapping`, 'The role of a message is not known.');
  }
}

function isHidden({ metadata, content }: UnknownRecord): boolean {
  if (!isRecord(content) || !VISIBLE_CONTENT.includes(content.content_type)) return true;
  if (!isRecord(metadata)) return false;
  return metadata.is_visually_hidden_from_conversation === true || metadata.is_user_system_message === true;
}

/** Whether it was said to the user, and not to a tool. */
function isForEveryone({ recipient, channel }: UnknownRecord): boolean {
  return (recipient === undefined || recipient === null || recipient === 'all') && !HIDDEN_CHANNELS.includes(channel);
}

/** Parts that are no strings are images, files and sound. */
function readContent(content: unknown): ContentBlock[] {
  if (!isRecord(content)) return [];
  if (!Array.isArray(content.parts)) return [toHiddenBlock('content', content)];
  return toContentBlocks(content.parts, () => undefined);
}
