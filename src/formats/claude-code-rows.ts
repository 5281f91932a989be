import { isRecord, type UnknownRecord } from '../record.ts';
import type { Row } from './format-reader.ts';

/** One line of a Claude Code session. */
export interface ClaudeEntry {
  readonly row: UnknownRecord;
  readonly where: string;
  /** Place in the file. */
  readonly position: number;
  /** Unique in the file, also where lines have no uuid or share one. */
  readonly key: string;
  readonly parentKey: string | undefined;
  /** Of the user or the assistant; everything else is about the conversation or beside it. */
  readonly isSpeech: boolean;
  /** Written by a sub-agent or a teammate. */
  readonly isAside: boolean;
  /** Whether it has a place in the tree; metadata has not. */
  readonly isLinked: boolean;
}

/** Lines that are about a session and not part of its conversation. */
const METADATA_TYPES: ReadonlySet<unknown> = new Set([
  'custom-title',
  'ai-title',
  'agent-name',
  'tag',
  'last-prompt',
  'queue-operation',
  'permission-mode',
  'mode',
  'pr-link',
  'content-replacement',
  'progress',
]);

/**
 * Whether a value is a line that only Claude Code writes.
 *
 * @param value - of a file.
 */
export function isClaudeRow(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (Array.isArray(value.loglines)) return value.loglines.some(isRecord);
  const { type, uuid, message } = value;
  const hasSession = readSessionId(value) !== undefined;
  switch (type) {
    case 'user':
    case 'assistant':
      return (hasSession || typeof uuid === 'string') && isRecord(message) && 'content' in message;
    case 'attachment':
      return isRecord(value.attachment) && typeof value.attachment.type === 'string';
    case 'system':
      return hasSession && typeof uuid === 'string' && typeof value.subtype === 'string';
    case 'summary':
      return typeof value.leafUuid === 'string' && typeof value.summary === 'string';
    case 'file-history-snapshot':
      return isRecord(value.snapshot);
    default:
      return hasSession && METADATA_TYPES.has(type);
  }
}

/**
 * A line as part of a session.
 *
 * @param row - the line.
 * @param where - of the line, for warnings.
 * @param position - of the line in the file.
 */
export function toClaudeEntry(row: UnknownRecord, where: Row['where'], position: number): ClaudeEntry {
  const { type, uuid, parentUuid, isSidechain, teamName, parent_tool_use_id: parentTool } = row;
  const isSpeech = type === 'user' || type === 'assistant';
  return {
    row,
    where,
    position,
    key: isName(uuid) ? toKey(uuid) : `line:${position}`,
    parentKey: isName(parentUuid) ? toKey(parentUuid) : undefined,
    isSpeech,
    isAside: isSidechain === true || typeof teamName === 'string' || typeof parentTool === 'string',
    isLinked: isSpeech || isName(parentUuid) || (isName(uuid) && type !== 'attachment' && type !== 'queue-operation'),
  };
}

/**
 * The id of the session a line is of; what the SDK prints spells it another way than what it stores.
 *
 * @param row - the line.
 */
export function readSessionId({ sessionId, session_id: printedId }: UnknownRecord): string | undefined {
  return [sessionId, printedId].find(isName);
}

/**
 * The key of the line with a uuid.
 *
 * @param uuid - as the file has it.
 */
export function toKey(uuid: string): string {
  return `uuid:${uuid}`;
}

/** @param value - of unknown type. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
