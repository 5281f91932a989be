import { isRecord, type UnknownRecord } from '../record.ts';
import type { ClineRow } from './cline-task.ts';
import { hasVisibleText, toContentBlocks } from './foreign-content.ts';

/** What became of a message of a task. */
export type RooFate = 'live' | 'summary' | 'summed-up' | 'condensed' | 'truncated' | 'marker' | 'broken-summary';

/**
 * Whether a value is a message with fields that only Roo adds.
 *
 * @param row - of a file.
 */
export function isRooMessage(row: unknown): boolean {
  if (!isRecord(row) || typeof row.role !== 'string') return false;
  const { isSummary, condenseId, condenseParent, isTruncationMarker, truncationId, truncationParent, ts } = row;
  if (typeof isSummary === 'boolean' || typeof isTruncationMarker === 'boolean') return true;
  if ([condenseId, condenseParent, truncationId, truncationParent].some((id) => typeof id === 'string')) return true;
  return typeof ts === 'number' && ('content' in row || row.type === 'reasoning') && !('id' in row);
}

/**
 * What became of the messages of a task: the last summary stands for what came before it. Where there is none, messages
 * that were condensed or truncated are gone as long as what replaced them is there; a rewind can take it away.
 *
 * @param messages - in order.
 * @returns one for each message.
 */
export function readFates(messages: readonly ClineRow[]): readonly RooFate[] {
  const isReadable = ({ row }: ClineRow): boolean =>
    row.isSummary === true && hasVisibleText(toContentBlocks(row.content));
  const last = messages.reduce((found, message, index) => (isReadable(message) ? index : found), -1);
  const summaries = new Set(messages.flatMap((message) => (isReadable(message) ? [message.row.condenseId] : [])));
  const markers = new Set(messages.flatMap(({ row }) => (row.isTruncationMarker === true ? [row.truncationId] : [])));
  return messages.map((message, index) => {
    const { row } = message;
    if (row.isTruncationMarker === true) return 'marker';
    if (index === last) return 'summary';
    if (index < last) return 'summed-up';
    if (row.isSummary === true) return 'broken-summary';
    if (hasParent(row, 'truncationParent', markers)) return 'truncated';
    return last < 0 && hasParent(row, 'condenseParent', summaries) ? 'condensed' : 'live';
  });
}

function hasParent(row: UnknownRecord, field: string, parents: ReadonlySet<unknown>): boolean {
  return typeof row[field] === 'string' && parents.has(row[field]);
}
