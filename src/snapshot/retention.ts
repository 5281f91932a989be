import type { SnapshotRecord } from '../reference.ts';
import type { SlicedWork } from '../slices.ts';
import { type FittedText, fitProtectedTexts } from './fair-share.ts';
import type { ConversationUnit, NewestUnits } from './projection.ts';
import { messageOverheadBytes, serializedTextBytes, stringifyTagSafe } from './tag-safe-json.ts';
import { Utf8Counter, utf8Length } from './utf8-length.ts';

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

/** The part of a conversation that fits, and what that left out. */
export interface RetainedConversation {
  readonly reference: ReferenceObject;
  readonly record: RetentionRecord;
}

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
 * @param unread - older messages that were not read, and are left out.
 * @returns `undefined` when the fixed fields alone do not fit.
 */
export function* retainConversation(
  fields: ReferenceFields,
  units: readonly ConversationUnit[],
  maxBytes: number,
  unread: NewestUnits['unread'],
): SlicedWork<RetainedConversation | undefined> {
  // Must come first: what is far too long may be more than a string can hold once it is escaped.
  if (fields.sessionId.length + fields.label.length + (fields.cwd ?? '').length > maxBytes) return undefined;
  const fixedBytes = utf8Length(stringifyTagSafe(toReference(fields, [])));
  if (fixedBytes > maxBytes) return undefined;
  // Messages are counted with a comma each, of which the first has none.
  const room = maxBytes - fixedBytes + 1;
  const protectedUnits = selectProtected(units);
  const protectedBytes = messagesBytes(protectedUnits, room);
  const texts = protectedBytes > room ? yield* fitProtectedTexts(protectedUnits, room) : undefined;
  const firstKept = texts === undefined ? findFirstKept(units, room - protectedBytes) : units.length;

  const conversation: RetainedMessage[] = [];
  const counter = new Utf8Counter();
  let omittedBytes = unread.bytes;
  let protectedIndex = 0;
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index] as ConversationUnit;
    let fitted: FittedText | undefined;
    if (isProtected(units, index)) {
      fitted = texts === undefined ? { text: unit.text, omittedBytes: 0 } : texts[protectedIndex];
      protectedIndex += 1;
    }
    if (index >= firstKept || fitted !== undefined) {
      conversation.push({ role: unit.role, text: fitted?.text ?? unit.text });
      omittedBytes += fitted?.omittedBytes ?? 0;
    } else if (counter.isShort(unit.text)) {
      counter.addShort(unit.text);
      if (counter.isSliceDone()) yield;
    } else {
      yield* counter.add(unit.text);
    }
  }
  omittedBytes += counter.total();
  return {
    reference: toReference(fields, conversation),
    record: toRecord(units, unread, conversation.length, omittedBytes),
  };
}

function isProtected(units: readonly ConversationUnit[], index: number): boolean {
  return index === units.length - 1 || units[index]?.checkpoint === true;
}

function selectProtected(units: readonly ConversationUnit[]): ConversationUnit[] {
  const selected: ConversationUnit[] = [];
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index];
    if (unit !== undefined && isProtected(units, index)) selected.push(unit);
  }
  return selected;
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
    if (unit === undefined || isProtected(units, index)) continue;
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
  unread: NewestUnits['unread'],
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
