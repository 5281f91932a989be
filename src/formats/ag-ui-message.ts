import { isRecord, type UnknownRecord } from '../record.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hideText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { WarnAboutMessage } from './message-list-reading.ts';

/**
 * Whether a value is surely an AG-UI message: most of them look like messages of the OpenAI chat API.
 *
 * @param value - of unknown shape.
 */
export function isAgUiMessage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (value.role === 'activity') return typeof value.activityType === 'string';
  if (value.role === 'tool') return typeof value.toolCallId === 'string' && typeof value.content === 'string';
  return value.role === 'assistant' && Array.isArray(value.toolCalls) && value.toolCalls.some(isToolCall);
}

function isToolCall(call: unknown): boolean {
  return isRecord(call) && call.type === 'function' && isRecord(call.function);
}

/**
 * Write one AG-UI message.
 *
 * @param message - of unknown shape.
 * @param conversation - it belongs to.
 * @param warn - told when it is no message, or of an unknown role.
 * @param isFinished - whether its text is whole; text that is not is kept where nobody quotes it. Default: it is.
 */
export function addAgUiMessage(
  message: unknown,
  conversation: ConversationWriter,
  warn: WarnAboutMessage,
  isFinished = true,
): void {
  if (!isRecord(message)) {
    warn('UNREADABLE', 'This is no message.');
    return;
  }
  const details = { id: readString(message.id), time: readTime(message.timestamp) };
  const blocks = toContentBlocks(message.content);
  const content = isFinished ? blocks : hideText(blocks);
  switch (message.role) {
    case 'user':
      conversation.user(content, details);
      return;
    case 'assistant':
      conversation.assistant([...content, ...readToolCalls(message)], details);
      return;
    case 'system':
    case 'developer':
      conversation.injected(content, 'system', details);
      return;
    case 'tool':
      conversation.toolResult(message, details.time);
      return;
    case 'activity':
    case 'reasoning':
      conversation.other(message.role, message, details.time);
      return;
    default:
      conversation.other('message', message, details.time);
      warn('UNKNOWN', 'The role of the message is not known.');
  }
}

function readToolCalls({ toolCalls }: UnknownRecord): ReturnType<typeof toContentBlocks> {
  return Array.isArray(toolCalls) && toolCalls.length > 0 ? [toHiddenBlock('tool-calls', toolCalls)] : [];
}
