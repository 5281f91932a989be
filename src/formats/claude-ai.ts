import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import { ConversationListReading } from './conversation-list-reading.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatSample, ReadContext } from './format-reader.ts';
import { readBranch, type TreeNode } from './message-tree.ts';

/** The parent of first messages; no message has this id. */
const ROOT_ID = '00000000-0000-4000-8000-000000000000';

/** What stands in `text` for tools and artifacts, between code fences or not. */
const PLACEHOLDER = /(?:```\s{0,4})?This block is not supported on your current device yet\.(?:\s{0,4}```)?/g;

/**
 * The `conversations.json` of a Claude.ai data export, whole or one conversation of it. Where messages name their
 * parents, the branch that was open last is read.
 */
export const claudeAiReader: FormatReader = {
  format: 'claude-ai',
  title: 'Claude.ai export',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isRecord(row) && Array.isArray(row.chat_messages)),
  open: (context) => new ConversationListReading({ format: 'claude-ai', read: readConversation }, context),
};

function readConversation(
  row: UnknownRecord,
  where: string,
  warn: ReadContext['warn'],
): ConversationWriter | undefined {
  if (!Array.isArray(row.chat_messages)) return undefined;
  const place = `${where}.chat_messages`;
  const messages = (row.chat_messages as readonly unknown[]).filter((message): message is UnknownRecord => {
    if (isRecord(message)) return true;
    warn('UNREADABLE', place, 'A message of the conversation is no object.');
    return false;
  });
  const conversation = new ConversationWriter('claude-ai', {
    id: readString(row.uuid),
    title: readString(row.name) ?? readString(row.title),
    createdAt: readTime(row.created_at),
  });
  for (const message of readActiveBranch(messages, row.current_leaf_message_uuid, place, warn)) {
    addMessage(message, conversation, place, warn);
  }
  return conversation;
}

function readActiveBranch(
  messages: readonly UnknownRecord[],
  activeId: unknown,
  where: string,
  warn: ReadContext['warn'],
): readonly UnknownRecord[] {
  if (!messages.some((message) => typeof message.parent_message_uuid === 'string')) return messages;
  const tree = new Map<string, TreeNode<UnknownRecord>>();
  for (const message of messages) {
    const { uuid, parent_message_uuid: parent } = message;
    if (typeof uuid !== 'string' || tree.has(uuid)) {
      warn('BROKEN_TREE', where, 'A message has no id, or one that another message has; it is left out.');
      continue;
    }
    const parentId = typeof parent === 'string' && parent !== ROOT_ID ? parent : undefined;
    tree.set(uuid, { parentId, time: readTime(message.created_at), message });
  }
  return readBranch(tree, activeId, (message) => warn('BROKEN_TREE', where, message));
}

function addMessage(
  message: UnknownRecord,
  conversation: ConversationWriter,
  where: string,
  warn: ReadContext['warn'],
): void {
  const details = { id: readString(message.uuid), time: readTime(message.created_at) };
  const content = [...readContent(message), ...readAttachments(message)];
  if (message.sender === 'human') conversation.user(content, details);
  else if (message.sender === 'assistant') conversation.assistant(content, details);
  else {
    conversation.other('message', message, details.time);
    warn('UNKNOWN', where, 'The sender of a message is not known.');
  }
}

/** `text` is the older field; beside blocks it holds placeholders for those that are not text. */
function readContent({ content, text }: UnknownRecord): ContentBlock[] {
  const blocks = toContentBlocks(content);
  const isComplete = hasVisibleText(blocks) || blocks.some(({ type }) => type !== 'text');
  if (isComplete || typeof text !== 'string') return blocks;
  return [{ type: 'text', text: text.replace(PLACEHOLDER, '') }];
}

function readAttachments(message: UnknownRecord): ContentBlock[] {
  return ['attachments', 'files'].flatMap((field) => {
    const value = message[field];
    return Array.isArray(value) && value.length > 0 ? [toHiddenBlock(field, value)] : [];
  });
}
