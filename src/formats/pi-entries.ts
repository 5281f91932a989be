import { isRecord, type UnknownRecord } from '../record.ts';
import type { SlicedWork } from '../slices.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hideText, toContentBlocks } from './foreign-content.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { ReadContext } from './format-reader.ts';

/** One line of a pi session. */
export interface PiEntry {
  readonly row: UnknownRecord;
  readonly where: string;
  /** Number of the line in its session, the header being 0. */
  readonly position: number;
}

/** Entries that are about the session and not part of its conversation. */
const OTHER_TYPES: ReadonlySet<unknown> = new Set([
  'custom',
  'label',
  'leaf',
  'model_change',
  'session_info',
  'thinking_level_change',
]);

/** Messages to the model that no person typed. */
const INJECTED_ROLES: ReadonlySet<unknown> = new Set(['bashExecution', 'custom', 'branchSummary', 'hookMessage']);

/** An answer that ended so was left unfinished. */
const UNFINISHED: ReadonlySet<unknown> = new Set(['aborted', 'error']);

/**
 * Write the entries of a branch. The last compaction stands for what came before it, but for the messages it kept,
 * which stand before it in the file and behind it for the model. Earlier compactions are not repeated.
 *
 * @param branch - the entries, in order.
 * @param writer - of the session.
 * @param warn - told about what cannot be read.
 */
export function* writePiBranch(
  branch: readonly PiEntry[],
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): SlicedWork<void> {
  const last = findLastCompaction(branch);
  const compaction = branch[last];
  const start = compaction === undefined ? 0 : findFirstKept(branch, compaction.row, last);
  for (const [index, entry] of branch.entries()) {
    yield;
    // What comes first is the summary, then what was kept, then what was said since.
    if (index === start && compaction !== undefined) addCompaction(compaction, writer, warn);
    if (index === last) continue;
    if (entry.row.type !== 'compaction') addEntry(entry, writer, warn);
    else if (index < start || compaction === undefined) addCompaction(entry, writer, warn);
    else addOther(entry, writer, warn);
  }
}

function findLastCompaction(branch: readonly PiEntry[]): number {
  for (let index = branch.length - 1; index >= 0; index -= 1) {
    const row = branch[index]?.row;
    if (row?.type === 'compaction' && hasSummary(row)) return index;
  }
  return -1;
}

function hasSummary({ summary }: UnknownRecord): boolean {
  return typeof summary === 'string' && /\S/.test(summary);
}

/** Where nothing was kept, the compaction itself. Version 1 has no ids and counts lines. */
function findFirstKept(branch: readonly PiEntry[], compaction: UnknownRecord, last: number): number {
  const { firstKeptEntryId: id, firstKeptEntryIndex: line } = compaction;
  const index = branch.findIndex(({ row, position }) => {
    return typeof id === 'string' ? row.id === id : typeof line === 'number' && position >= line;
  });
  return index < 0 || index > last ? last : index;
}

function addCompaction({ row, where }: PiEntry, writer: ConversationWriter, warn: ReadContext['warn']): void {
  const details = { time: readTime(row.timestamp), id: readString(row.id) };
  if (typeof row.summary === 'string' && hasSummary(row)) {
    writer.summarize(row.summary, details);
    return;
  }
  warn('BROKEN_COMPACTION', where, 'A compaction has no summary; it replaces nothing.');
  writer.other('compaction', row, details.time);
}

function addEntry(entry: PiEntry, writer: ConversationWriter, warn: ReadContext['warn']): void {
  const { row, where } = entry;
  const details = { time: readTime(row.timestamp), id: readString(row.id) };
  if (row.type === 'message' && isRecord(row.message)) addMessage(entry, row.message, writer, warn);
  else if (row.type === 'message') {
    warn('UNREADABLE', where, 'An entry has no message.');
    writer.other('message', row, details.time);
  } else if (row.type === 'branch_summary') {
    writer.injected(toContentBlocks(row.summary), 'branch-summary', details);
  } else if (row.type === 'custom_message') {
    writer.injected(toContentBlocks(row.content), 'custom', details);
  } else addOther(entry, writer, warn);
}

function addOther({ row, where }: PiEntry, writer: ConversationWriter, warn: ReadContext['warn']): void {
  const isKnown = OTHER_TYPES.has(row.type) || row.type === 'compaction';
  if (!isKnown) warn('UNKNOWN', where, 'The type of an entry is not known.');
  writer.other(isKnown ? String(row.type) : 'entry', row, readTime(row.timestamp));
}

function addMessage(
  { row, where }: PiEntry,
  message: UnknownRecord,
  writer: ConversationWriter,
  warn: ReadContext['warn'],
): void {
  const { role } = message;
  const details = { time: readTime(message.timestamp) ?? readTime(row.timestamp), id: readString(row.id) };
  const content = toContentBlocks(message.content);
  if (role === 'user') writer.user(content, details);
  else if (role === 'assistant') {
    writer.assistant(UNFINISHED.has(message.stopReason) ? hideText(content) : content, details);
  } else if (role === 'toolResult') writer.toolResult(message, details.time);
  else if (role === 'compactionSummary' && hasSummary(message)) writer.summarize(String(message.summary), details);
  else if (INJECTED_ROLES.has(role)) writer.injected(content, String(role), details);
  else {
    warn('UNKNOWN', where, 'The role of a message is not known.');
    writer.other('message', row, details.time);
  }
}
