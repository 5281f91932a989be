import { isRecord, type UnknownRecord } from '../record.ts';
import type { SlicedWork } from '../slices.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { ReadContext } from './format-reader.ts';
import {
  type GeminiMessage,
  isAcknowledgement,
  isSummaryRecord,
  readGeminiText,
  writeGeminiMessages,
} from './gemini-cli-messages.ts';

/** One line of a Qwen Code session. */
export interface QwenRecord {
  readonly row: UnknownRecord;
  readonly where: string;
}

/**
 * Write the lines of a branch. A compression brings the whole history that the model sees from then on: a summary, and
 * the messages that were kept.
 *
 * @param records - in order.
 * @param writer - of the session.
 * @param warn - told about what cannot be read.
 */
export function* writeQwenRecords(
  records: readonly QwenRecord[],
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): SlicedWork<void> {
  let messages: GeminiMessage[] = [];
  for (const record of records) {
    const { row, where } = record;
    if (row.type === 'system' && row.subtype === 'chat_compression') {
      yield* writeGeminiMessages(messages, writer, warn);
      messages = [...startAnew(record, writer, warn)];
    } else if (row.type === 'system') messages.push({ record: { ...row, type: 'info' }, where });
    else messages.push(toGeminiMessage(record));
  }
  yield* writeGeminiMessages(messages, writer, warn);
}

/** @returns the messages that were kept. */
function startAnew(
  { row, where }: QwenRecord,
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): readonly GeminiMessage[] {
  const time = readTime(row.timestamp);
  const history = isRecord(row.systemPayload) ? row.systemPayload.compressedHistory : undefined;
  const [first, second, ...others] = Array.isArray(history) ? history.filter(isRecord) : [];
  const isAnswered = second !== undefined && isAcknowledgement(second);
  const summary = first === undefined ? '' : readGeminiText(first);
  if (first === undefined || !/\S/.test(summary) || (!isAnswered && !isSummaryRecord(first))) {
    warn('BROKEN_COMPACTION', where, 'A compression has no summary that can be read; it replaces nothing.');
    writer.other('compression', row, time);
    return [];
  }
  writer.summarize(summary, { time, id: readString(row.uuid) });
  const kept = isAnswered || second === undefined ? others : [second, ...others];
  return kept.map((record) => ({ record, where }));
}

/** Subtypes of the user's lines that a person typed; the others come from goals, timers and other agents. */
const TYPED: ReadonlySet<unknown> = new Set([undefined, 'mid_turn_user_message']);

function toGeminiMessage({ row, where }: QwenRecord): GeminiMessage {
  const { type, uuid, timestamp, message, subtype, systemPayload, agentId, provenance } = row;
  const isOfAgent = agentId !== undefined || (provenance !== undefined && provenance !== 'real_user');
  if (isOfAgent || (type === 'user' && !TYPED.has(subtype))) return { record: { ...row, type: 'info' }, where };
  const types = new Map<unknown, string>([
    ['assistant', 'gemini'],
    ['tool_result', 'user'],
  ]);
  const content = isRecord(message) ? message.parts : undefined;
  const displayContent = isRecord(systemPayload) ? readString(systemPayload.displayText) : undefined;
  return {
    record: { id: uuid, timestamp, type: types.get(type) ?? type, content, displayContent },
    where,
  };
}
