import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { hideText, toContentBlocks } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { readNewestBranch, type TreeNode } from './message-tree.ts';
import { SessionNames } from './session-names.ts';

/** The parent of first messages; newer versions have `null`. */
const ROOT_ID = '00000000-0000-0000-0000-000000000000';

/**
 * A conversation that LibreChat exported, flat or as a tree, or the rows of its messages. An export does not say which
 * branch was open, so the newest answer is taken each time, as LibreChat's own page does.
 */
export const librechatReader: FormatReader = {
  format: 'librechat',
  title: 'LibreChat',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isMessage(row) || isConversation(row)),
  open: (context) => new LibreChatReading(context),
};

function isMessage(value: unknown): boolean {
  return isRecord(value) && typeof value.messageId === 'string' && typeof value.isCreatedByUser === 'boolean';
}

function isConversation(value: unknown): value is UnknownRecord {
  if (!isRecord(value) || typeof value.conversationId !== 'string') return false;
  const messages = listMessages(value);
  return messages?.some(isMessage) === true || (messages !== undefined && 'endpoint' in value);
}

function listMessages({ messages, messagesTree }: UnknownRecord): readonly unknown[] | undefined {
  if (Array.isArray(messages)) return messages;
  return Array.isArray(messagesTree) ? messagesTree : undefined;
}

class LibreChatReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  readonly #loose = new Map<string | undefined, { readonly where: string; readonly messages: unknown[] }>();

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('librechat', context);
  }

  add({ value, where }: Row): SessionLog[] {
    const messages = isRecord(value) ? listMessages(value) : undefined;
    if (isRecord(value) && messages !== undefined) return [this.#read(value, messages, where)];
    if (isRecord(value) && isMessage(value)) this.#collect(value, where);
    else this.#context.warn('UNREADABLE', where, 'This is neither a conversation nor a message of LibreChat.');
    return [];
  }

  finish(): SessionLog[] {
    return [...this.#loose].map(([conversationId, { messages, where }]) => {
      return this.#read({ conversationId }, messages, where);
    });
  }

  #collect(message: UnknownRecord, where: string): void {
    const id = readString(message.conversationId);
    const loose = this.#loose.get(id);
    if (loose === undefined) this.#loose.set(id, { where, messages: [message] });
    else loose.messages.push(message);
  }

  #read(row: UnknownRecord, messages: readonly unknown[], where: string): SessionLog {
    const { warn } = this.#context;
    const conversation = new ConversationWriter('librechat', {
      id: readString(row.conversationId),
      title: readString(row.title),
      createdAt: readTime(row.createdAt),
    });
    const tree = flattenTree(messages, `${where}.messages`, warn);
    const branch = readNewestBranch(tree, (message) => warn('BROKEN_TREE', `${where}.messages`, message));
    for (const message of branch) addMessage(message, conversation);
    return conversation.build(this.#names, where);
  }
}

/** Messages of an export stand side by side or inside their parents. Must not recurse: trees are thousands deep. */
function flattenTree(
  messages: readonly unknown[],
  where: string,
  warn: ReadContext['warn'],
): Map<string, TreeNode<UnknownRecord>> {
  const tree = new Map<string, TreeNode<UnknownRecord>>();
  const open = [{ siblings: messages, parentId: undefined as string | undefined, next: 0 }];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const message = level.siblings[level.next];
    level.next += 1;
    if (level.next > level.siblings.length) open.pop();
    else if (!isRecord(message)) warn('UNREADABLE', where, 'A message of the conversation is no object.');
    else {
      const id = readString(message.messageId) ?? `unnamed ${tree.size}`;
      if (tree.has(id)) warn('BROKEN_TREE', where, 'Two messages have the same id; the later one is left out.');
      else
        tree.set(id, { parentId: level.parentId ?? readParent(message), time: readTime(message.createdAt), message });
      if (Array.isArray(message.children)) open.push({ siblings: message.children, parentId: id, next: 0 });
    }
  }
  return tree;
}

function readParent({ parentMessageId }: UnknownRecord): string | undefined {
  const id = readString(parentMessageId);
  return id === ROOT_ID ? undefined : id;
}

/** `unfinished` marks an answer that was saved while it was still being written. */
function addMessage(message: UnknownRecord, conversation: ConversationWriter): void {
  const details = { id: readString(message.messageId), time: readTime(message.createdAt) };
  const content = Array.isArray(message.content)
    ? toContentBlocks(message.content, readBlockText)
    : toContentBlocks(message.text);
  if (message.error === true) conversation.other('error', withoutChildren(message), details.time);
  else if (isOfUser(message)) conversation.user(content, details);
  else conversation.assistant(message.unfinished === true ? hideText(content) : content, details);
}

/** What was written below a message is read by itself, and would make an event thousands of levels deep. */
function withoutChildren({ children: _, ...message }: UnknownRecord): UnknownRecord {
  return message;
}

function isOfUser({ isCreatedByUser, sender }: UnknownRecord): boolean {
  return typeof isCreatedByUser === 'boolean' ? isCreatedByUser : readString(sender)?.toLowerCase() === 'user';
}

function readBlockText({ type, text }: UnknownRecord): string | undefined {
  if (type !== 'text') return undefined;
  const value = isRecord(text) ? text.value : text;
  return readString(value);
}
