import { isRecord, type UnknownRecord } from '../record.ts';
import { isSessionReferenceSource } from '../snapshot/recognize-context.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { LangChainMessage } from './langchain-message.ts';
import type { WarnAboutMessage } from './message-list-reading.ts';

/** What agent-chat-ui puts in front of the ids of messages that it does not show. */
const HIDDEN_ID = 'do-not-render-';

/** A `RemoveMessage` with this id removes all messages before it. */
const REMOVE_ALL = '__remove_all__';

/** A summary of the beginning of a thread, and the last message that it stands for. */
interface ThreadSummary {
  readonly text: string;
  readonly lastId: string | undefined;
}

/**
 * Write the messages of one state of a thread.
 *
 * @param messages - of the state.
 * @param values - the state; a summary of earlier messages stands beside them.
 * @param conversation - to write into.
 * @param warn - told about messages of unknown kinds.
 */
export function writeLangGraphMessages(
  messages: readonly LangChainMessage[],
  values: UnknownRecord,
  conversation: ConversationWriter,
  warn: WarnAboutMessage,
): void {
  const live = withoutRemoved(messages);
  const summary = readSummary(values);
  const last = summary?.lastId === undefined ? -1 : live.findIndex(({ fields }) => fields.id === summary.lastId);
  // The messages that a summary stands for are mostly gone; then it stands in front of the others.
  if (summary !== undefined && last < 0) conversation.summarize(summary.text);
  live.forEach((message, index) => {
    addMessage(message, conversation, warn);
    if (summary !== undefined && index === last) conversation.summarize(summary.text);
  });
}

function withoutRemoved(messages: readonly LangChainMessage[]): readonly LangChainMessage[] {
  const removed = new Set<unknown>();
  let start = 0;
  messages.forEach(({ kind, fields }, index) => {
    if (kind !== 'remove') return;
    if (fields.id === REMOVE_ALL) start = index + 1;
    else if (typeof fields.id === 'string') removed.add(fields.id);
  });
  return messages.filter(({ kind, fields }, index) => index >= start && kind !== 'remove' && !removed.has(fields.id));
}

/** `summary` is what LangGraph's own recipe keeps; `running_summary` is that of LangMem's `SummarizationNode`. */
function readSummary({ summary, context }: UnknownRecord): ThreadSummary | undefined {
  if (isVisible(summary)) return { text: summary, lastId: undefined };
  const running = isRecord(context) ? context.running_summary : undefined;
  const fields = isRecord(running) && isRecord(running.kwargs) ? running.kwargs : running;
  if (!isRecord(fields) || !isVisible(fields.summary)) return undefined;
  const { last_summarized_message_id: lastId } = fields;
  return { text: fields.summary, lastId: readString(lastId) };
}

function isVisible(text: unknown): text is string {
  return typeof text === 'string' && /\S/.test(text);
}

function addMessage(
  { kind, fields }: LangChainMessage,
  conversation: ConversationWriter,
  warn: WarnAboutMessage,
): void {
  const id = readString(fields.id);
  const details = { id, time: readTime(fields.created_at) };
  const content = toContentBlocks(fields.content);
  const { tool_calls: calls } = fields;
  if (id?.startsWith(HIDDEN_ID) === true) {
    conversation.other('hidden', fields, details.time);
    return;
  }
  switch (kind) {
    case 'human':
      if (isReference(fields)) conversation.reference(content, details);
      else conversation.user(content, details);
      return;
    case 'ai':
      conversation.assistant(
        Array.isArray(calls) && calls.length > 0 ? [...content, toHiddenBlock('tool-calls', calls)] : content,
        details,
      );
      return;
    case 'tool':
      conversation.toolResult(fields, details.time);
      return;
    case 'system':
      conversation.injected(content, 'system', details);
      return;
    default:
      conversation.other('message', fields, details.time);
      warn('UNKNOWN', 'The type of a message is not known.');
  }
}

/** The provenance that `toLangChainMessages` writes. */
function isReference({ additional_kwargs: extra }: UnknownRecord): boolean {
  return isRecord(extra) && isSessionReferenceSource(extra.sessionReference);
}
