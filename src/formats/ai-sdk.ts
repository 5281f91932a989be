import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import { isSessionReferenceSource } from '../snapshot/recognize-context.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, hideText, readTextBlock, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatSample, ReadContext } from './format-reader.ts';
import {
  type ListedConversation,
  MessageListReading,
  type MessageListRules,
  type WarnAboutMessage,
} from './message-list-reading.ts';
import { readBranch, type TreeNode } from './message-tree.ts';

/** Parts that only the AI SDK's `ModelMessage` has; its text and image parts look like those of others. */
const MODEL_PARTS: readonly unknown[] = ['tool-call', 'tool-result', 'tool-approval-request', 'tool-approval-response'];

/**
 * Messages of the Vercel AI SDK, versions 3 to 7: `UIMessage` with `parts`, `ModelMessage` with typed `content`, as a
 * bare array, the request body of `useChat`, rows of a chat database, or the tree that assistant-ui exports.
 *
 * Text that was still streaming is not read; text of an answer that was stopped after it was committed is.
 */
export const aiSdkReader: FormatReader = {
  format: 'ai-sdk',
  title: 'AI SDK',
  recognizes: ({ rows }: FormatSample) => rows.some(isOfAiSdk),
  open: (context) => new MessageListReading(RULES, context),
};

const RULES: MessageListRules = {
  format: 'ai-sdk',
  conversationOf,
  addMessage,
  conversationIdOf: ({ chatId }) => readString(chatId),
  idOfFile,
};

function isOfAiSdk(row: unknown): boolean {
  if (Array.isArray(row)) return row.some(isMessage);
  if (!isRecord(row)) return false;
  if (Array.isArray(row.messages)) return row.messages.some((item) => isMessage(item) || isTreeItem(item));
  return isMessage(row);
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || typeof value.role !== 'string') return false;
  if (Array.isArray(value.parts)) return value.parts.length === 0 || value.parts.some(isTypedPart);
  if (value.role === 'data' || Array.isArray(value.toolInvocations) || Array.isArray(value.experimental_attachments))
    return true;
  return Array.isArray(value.content) && value.content.some(isModelPart);
}

/** Parts of Gemini messages have no type. */
function isTypedPart(part: unknown): boolean {
  return isRecord(part) && typeof part.type === 'string';
}

function isModelPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  return MODEL_PARTS.includes(part.type) || (part.type === 'file' && typeof part.mediaType === 'string');
}

function isTreeItem(value: unknown): boolean {
  return isRecord(value) && 'parentId' in value && isRecord(value.message) && typeof value.message.role === 'string';
}

function conversationOf(row: UnknownRecord, where: string, warn: ReadContext['warn']): ListedConversation | undefined {
  if (!Array.isArray(row.messages)) return undefined;
  const messages = row.messages.some(isTreeItem) ? readTree(row.messages, row.headId, where, warn) : row.messages;
  return { messages, id: readString(row.id), title: readString(row.title), createdAt: readTime(row.createdAt) };
}

/** assistant-ui exports `{ headId, messages: [{ parentId, message }] }`; a head that does not exist is the last message. */
function readTree(
  items: readonly unknown[],
  headId: unknown,
  where: string,
  warn: ReadContext['warn'],
): readonly unknown[] {
  const tree = new Map<string, TreeNode<UnknownRecord>>();
  let last: string | undefined;
  for (const item of items) {
    if (!isRecord(item) || !isRecord(item.message) || typeof item.message.id !== 'string') {
      warn('UNREADABLE', `${where}.messages`, 'An item of the tree has no message with an id.');
      continue;
    }
    last = item.message.id;
    tree.set(last, { parentId: readString(item.parentId), time: undefined, message: item.message });
  }
  const activeId = typeof headId === 'string' && tree.has(headId) ? headId : last;
  return readBranch(tree, activeId, (message) => warn('BROKEN_TREE', `${where}.messages`, message));
}

function addMessage(message: UnknownRecord, conversation: ConversationWriter, warn: WarnAboutMessage): void {
  const metadata = isRecord(message.metadata) ? message.metadata : {};
  const details = { id: readString(message.id), time: readTime(message.createdAt) ?? readTime(metadata.createdAt) };
  switch (message.role) {
    case 'user':
      if (isReference(message, metadata)) conversation.reference(readContent(message), details);
      else conversation.user(readContent(message), details);
      return;
    case 'assistant':
      conversation.assistant(isRunning(message) ? hideText(readContent(message)) : readContent(message), details);
      return;
    case 'system':
      conversation.injected(readContent(message), 'system', details);
      return;
    case 'tool':
    case 'function':
      conversation.toolResult(message, details.time);
      return;
    case 'data':
      conversation.other('data', message, details.time);
      return;
    default:
      conversation.other('message', message, details.time);
      warn('UNKNOWN', 'The role of the message is not known.');
  }
}

/** The provenance that `toAiSdkUiMessages` and `toAiSdkModelMessages` write. */
function isReference({ providerOptions }: UnknownRecord, metadata: UnknownRecord): boolean {
  const options = isRecord(providerOptions) ? providerOptions : {};
  return isSessionReferenceSource(metadata.sessionReference) || isSessionReferenceSource(options.sessionReference);
}

/** Since version 5 text is in the parts only; version 4 has it in `content` too, and before there are no parts. */
function readContent(message: UnknownRecord): ContentBlock[] {
  const parts = Array.isArray(message.parts) ? toContentBlocks(message.parts, readPartText) : [];
  const content = hasVisibleText(parts) || isStreaming(message.parts) ? [] : toContentBlocks(message.content);
  const attachments = message.experimental_attachments ?? message.attachments;
  if (!Array.isArray(attachments) || attachments.length === 0) return [...parts, ...content];
  return [...parts, ...content, toHiddenBlock('attachments', attachments)];
}

function readPartText(part: UnknownRecord): string | undefined {
  return part.state === 'streaming' ? undefined : readTextBlock(part);
}

function isStreaming(parts: unknown): boolean {
  return Array.isArray(parts) && parts.some((part) => isRecord(part) && part.state === 'streaming');
}

/** assistant-ui marks a message that is still being written. */
function isRunning({ status }: UnknownRecord): boolean {
  return isRecord(status) && status.type === 'running';
}

/** The AI SDK's documentation stores each chat as `<id>.json`; a name without a digit is no id but a word. */
function idOfFile(fileName: string): string | undefined {
  const stem = fileName.replace(/\.[^.]*$/, '');
  return /^[\w-]{8,64}$/.test(stem) && /\d/.test(stem) ? stem : undefined;
}
