import type { SnapshotRecord } from '../reference.ts';
import type { SlicedWork } from '../slices.ts';
import { fitProtectedTexts } from './fair-share.ts';
import type { ConversationUnit } from './projection.ts';
import { messageOverheadBytes, serializedTextBytes, stringifyTagSafe } from './tag-safe-json.ts';
import { sumUtf8Lengths, utf8Length } from './utf8-length.ts';

/** What of a reference object does not depend on the budget. */
export interface ReferenceFields {
  readonly sessionId: string;
  readonly label: string;
  readonly cwd: string | null;
  readonly capturedThroughSeq: number | null;
}

/** One reference as the model sees it, in this order of keys. */
export interface ReferenceObject extends ReferenceFields {
  readonly conversation: readonly RetainedMessage[];
}

/** One quoted message. */
export interface RetainedMessage {
  readonly role: ConversationUnit['role'];
  readonly text: string;
}

/** What was kept and left out. */
export type RetentionRecord = Pick<
  SnapshotRecord,
  'compacted' | 'originalMessages' | 'retainedMessages' | 'omittedMessages' | 'omittedBytes' | 'truncated'
>;

/** Messages that are known to be left out without having been read. */
export interface UnreadMessages {
  readonly messages: number;
  /** UTF-8 bytes of their texts. */
  readonly bytes: number;
}

/** The part of a conversation that fits, and what that left out. */
export interface RetainedConversation {
  readonly reference: ReferenceObject;
  readonly record: RetentionRecord;
}

/** Everything was read. */
export const NOTHING_UNREAD: UnreadMessages = { messages: 0, bytes: 0 };

/**
 * Keep as much of a conversation as fits into a budget: checkpoints and the newest message first, then the newest of
 * the others without a gap. When the protected messages alone are too long, their texts share the room.
 *
 * Every text is measured at most once for its escapes, only as far as it can still fit, and at most once for its
 * length when it is left out: time and memory are linear in the source.
 *
 * @param fields - the fixed fields.
 * @param units - the projected conversation, oldest first. Where older messages were not read, it holds every
 *   checkpoint and more of the newest messages than fit.
 * @param maxBytes - the most UTF-8 bytes of the reference object's tag-safe JSON.
 * @param unread - what was not read.
 * @returns `undefined` when the fixed fields alone do not fit.
 */
export function* retainConversation(
  fields: ReferenceFields,
  units: readonly ConversationUnit[],
  maxBytes: number,
  unread: UnreadMessages = NOTHING_UNREAD,
): SlicedWork<RetainedConversation | undefined> {
  const fixedBytes = utf8Length(stringifyTagSafe(toReference(fields, [])));
  if (fixedBytes > maxBytes) return undefined;
  // Messages are counted with a comma each, of which the first has none.
  const room = maxBytes - fixedBytes + 1;
  const protectedUnits = units.filter((unit, index) => isProtected(unit, index, units));
  const protectedBytes = messagesBytes(protectedUnits, room);
  const firstKept = protectedBytes > room ? units.length : findFirstKept(units, room - protectedBytes);
  const texts = protectedBytes > room ? yield* fitProtectedTexts(protectedUnits, room) : undefined;

  const conversation: RetainedMessage[] = [];
  const dropped: string[] = [];
  let omittedBytes = unread.bytes;
  for (const [index, unit] of units.entries()) {
    const fitted = texts?.get(unit);
    if (fitted !== undefined) {
      conversation.push({ role: unit.role, text: fitted.text });
      omittedBytes += fitted.omittedBytes;
    } else if (texts === undefined && (index >= firstKept || isProtected(unit, index, units))) {
      conversation.push({ role: unit.role, text: unit.text });
    } else {
      dropped.push(unit.text);
    }
  }
  omittedBytes += yield* sumUtf8Lengths(dropped);
  return {
    reference: toReference(fields, conversation),
    record: toRecord(units, unread, conversation.length, omittedBytes),
  };
}

function isProtected(unit: ConversationUnit, index: number, units: readonly ConversationUnit[]): boolean {
  return unit.checkpoint || index === units.length - 1;
}

function messagesBytes(units: readonly ConversationUnit[], limit: number): number {
  let bytes = 0;
  for (const unit of units) {
    bytes += messageOverheadBytes(unit);
    if (bytes <= limit) bytes += serializedTextBytes(unit.text, limit - bytes);
    if (bytes > limit) break;
  }
  return bytes;
}

/** The index of the oldest message that still fits, walking from the newest; protected ones are paid for already. */
function findFirstKept(units: readonly ConversationUnit[], room: number): number {
  let left = room;
  for (let index = units.length - 1; index >= 0; index -= 1) {
    const unit = units[index];
    if (unit === undefined || isProtected(unit, index, units)) continue;
    left -= messagesBytes([unit], left);
    if (left < 0) return index + 1;
  }
  return 0;
}

function toReference(fields: ReferenceFields, conversation: readonly RetainedMessage[]): ReferenceObject {
  const { sessionId, label, cwd, capturedThroughSeq } = fields;
  return { sessionId, label, cwd, capturedThroughSeq, conversation };
}

function toRecord(
  units: readonly ConversationUnit[],
  unread: UnreadMessages,
  retainedMessages: number,
  omittedBytes: number,
): RetentionRecord {
  const originalMessages = units.length + unread.messages;
  const omittedMessages = originalMessages - retainedMessages;
  return {
    compacted: units.some((unit) => unit.checkpoint),
    originalMessages,
    retainedMessages,
    omittedMessages,
    omittedBytes,
    truncated: omittedMessages > 0 || omittedBytes > 0,
  };
}
