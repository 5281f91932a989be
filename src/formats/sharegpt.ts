import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import { ConversationListReading } from './conversation-list-reading.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { toContentBlocks } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import type { FormatReader, FormatSample, ReadContext } from './format-reader.ts';

const USERS: readonly unknown[] = ['human', 'user'];
const ASSISTANTS: readonly unknown[] = ['gpt', 'chatgpt', 'bing', 'bard', 'assistant', 'model'];
const TOOLS: readonly unknown[] = ['tool', 'function_call', 'observation', 'function_response'];

/** Where the turns stand, in the order in which the names are tried. */
const TURN_FIELDS = ['conversations', 'items', 'messages'];

/**
 * Training data in the ShareGPT shape, `{ conversations: [{ from, value }] }`, and LLaMA-Factory's newer one, whose
 * content is a list of `{ type, value }`. One conversation per row; `abc_0` and `abc_1` stay two.
 */
export const sharegptReader: FormatReader = {
  format: 'sharegpt',
  title: 'ShareGPT',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isRecord(row) && readTurns(row)?.some(isTurn) === true),
  open: (context) => new ConversationListReading({ format: 'sharegpt', read: readConversation }, context),
};

function readTurns(row: UnknownRecord): readonly unknown[] | undefined {
  const field = TURN_FIELDS.find((name) => Array.isArray(row[name]));
  return field === undefined ? undefined : (row[field] as readonly unknown[]);
}

function isTurn(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (typeof value.from === 'string') return typeof value.value === 'string';
  return typeof value.role === 'string' && Array.isArray(value.content) && value.content.some(isValueBlock);
}

function isValueBlock(block: unknown): boolean {
  return isRecord(block) && typeof block.type === 'string' && typeof block.value === 'string' && !('text' in block);
}

function readConversation(
  row: UnknownRecord,
  where: string,
  warn: ReadContext['warn'],
): ConversationWriter | undefined {
  const turns = readTurns(row);
  if (turns === undefined) return undefined;
  const { id, system } = row;
  const conversation = new ConversationWriter('sharegpt', {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
    title: readString(row.title),
  });
  if (typeof system === 'string' && system !== '') conversation.injected(toContentBlocks(system), 'system');
  turns.forEach((turn, index) => {
    if (isRecord(turn)) addTurn(turn, conversation, `${where}.conversations[${index}]`, warn);
    else warn('UNREADABLE', `${where}.conversations[${index}]`, 'This is no message.');
  });
  return conversation;
}

function addTurn(
  turn: UnknownRecord,
  conversation: ConversationWriter,
  where: string,
  warn: ReadContext['warn'],
): void {
  const from = turn.from ?? turn.role;
  const content = readContent(turn);
  if (USERS.includes(from)) conversation.user(content);
  else if (ASSISTANTS.includes(from)) conversation.assistant(content);
  else if (from === 'system') conversation.injected(content, 'system');
  else if (TOOLS.includes(from)) conversation.toolResult(turn);
  else {
    conversation.other('message', turn);
    warn('UNKNOWN', where, 'The sender of the message is not known.');
  }
}

function readContent({ value, content }: UnknownRecord): ContentBlock[] {
  return value === undefined ? toContentBlocks(content, readBlockText) : toContentBlocks(value);
}

function readBlockText({ type, text, value }: UnknownRecord): string | undefined {
  const words = value ?? text;
  return type === 'text' && typeof words === 'string' ? words : undefined;
}
