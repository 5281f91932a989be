import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import { ConversationListReading } from './conversation-list-reading.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, hideText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatSample, ReadContext } from './format-reader.ts';
import { readBranch, type TreeNode } from './message-tree.ts';

/** What an answer folds away: reasoning, tools, code it ran. Inside, everything is escaped as HTML. */
const DETAILS = /<details type="(?:reasoning|tool_calls|code_interpreter)"/g;
const DETAILS_END = '</details>';

/**
 * Chats that Open WebUI exported: an array of them, or one `chat`. What is read is the branch that was open; the
 * answers' own record of their output comes before their page text, in which reasoning and tools are mixed in.
 */
export const openWebuiReader: FormatReader = {
  format: 'open-webui',
  title: 'Open WebUI',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isRecord(row) && readHistory(row) !== undefined),
  open: (context) => new ConversationListReading({ format: 'open-webui', read: readConversation }, context),
};

interface ChatHistory {
  readonly chat: UnknownRecord;
  readonly currentId: unknown;
  readonly messages: UnknownRecord;
}

function readHistory(row: UnknownRecord): ChatHistory | undefined {
  const chat = isRecord(row.chat) ? row.chat : row;
  const { history } = chat;
  if (!isRecord(history) || !isRecord(history.messages)) return undefined;
  return { chat, currentId: history.currentId, messages: history.messages };
}

function readConversation(
  row: UnknownRecord,
  where: string,
  warn: ReadContext['warn'],
): ConversationWriter | undefined {
  const history = readHistory(row);
  if (history === undefined) return undefined;
  const { chat, currentId, messages } = history;
  const conversation = new ConversationWriter('open-webui', {
    id: readString(row.id) ?? readString(chat.id),
    title: readString(row.title) ?? readString(chat.title),
    createdAt: readTime(row.created_at) ?? readTime(chat.timestamp),
  });
  const place = `${where}.history.messages`;
  const tree = readTree(messages, place, warn);
  for (const message of readBranch(tree, currentId, (text) => warn('BROKEN_TREE', place, text))) {
    addMessage(message, conversation, place, warn);
  }
  return conversation;
}

function readTree(
  messages: UnknownRecord,
  where: string,
  warn: ReadContext['warn'],
): Map<string, TreeNode<UnknownRecord>> {
  const tree = new Map<string, TreeNode<UnknownRecord>>();
  for (const [id, message] of Object.entries(messages)) {
    if (!isRecord(message)) warn('UNREADABLE', where, 'A message of the chat is no object.');
    else tree.set(id, { parentId: readString(message.parentId), time: readTime(message.timestamp), message });
  }
  return tree;
}

function addMessage(
  message: UnknownRecord,
  conversation: ConversationWriter,
  where: string,
  warn: ReadContext['warn'],
): void {
  const details = { id: readString(message.id), time: readTime(message.timestamp) };
  switch (message.role) {
    case 'user':
      conversation.user([...toContentBlocks(message.content), ...readFiles(message)], details);
      return;
    case 'assistant':
      // Only an answer that was never finished says so; those of importers say nothing.
      conversation.assistant(message.done === false ? hideText(readAnswer(message)) : readAnswer(message), details);
      return;
    case 'system':
      conversation.injected(toContentBlocks(message.content), 'system', details);
      return;
    case 'tool':
      conversation.toolResult(message, details.time);
      return;
    default:
      conversation.other('message', message, details.time);
      warn('UNKNOWN', where, 'The role of a message is not known.');
  }
}

function readAnswer(message: UnknownRecord): ContentBlock[] {
  const output: readonly unknown[] = Array.isArray(message.output) ? message.output : [];
  const said = output.flatMap((item) => {
    if (!isRecord(item)) return [];
    if (item.type === 'message') return toContentBlocks(item.content, readOutputText);
    return [toHiddenBlock(readString(item.type) ?? 'item', item)];
  });
  if (hasVisibleText(said)) return [...said, ...readFiles(message)];
  const content = toContentBlocks(message.content).map((block) => {
    return block.type === 'text' && typeof block.text === 'string' ? withoutDetails(block.text) : block;
  });
  return [...said, ...content, ...readFiles(message)];
}

function readOutputText({ type, text }: UnknownRecord): string | undefined {
  return (type === 'output_text' || type === 'text') && typeof text === 'string' ? text : undefined;
}

/** Must take time in proportion to the text: every search begins where the last one ended. */
function withoutDetails(text: string): ContentBlock {
  let visible = '';
  let end = 0;
  DETAILS.lastIndex = 0;
  for (let found = DETAILS.exec(text); found !== null; found = DETAILS.exec(text)) {
    visible += text.slice(end, found.index);
    const closing = text.indexOf(DETAILS_END, found.index);
    end = closing < 0 ? text.length : closing + DETAILS_END.length;
    DETAILS.lastIndex = end;
  }
  return { type: 'text', text: end === 0 ? text : (visible + text.slice(end)).trim() };
}

function readFiles({ files }: UnknownRecord): ContentBlock[] {
  return Array.isArray(files) && files.length > 0 ? [toHiddenBlock('files', files)] : [];
}
