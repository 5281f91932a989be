import { isRecord } from '../record.ts';
import type { SlicedWork } from '../slices.ts';
import { type ClaudeEntry, isName, toKey } from './claude-code-rows.ts';
import type { ReadContext } from './format-reader.ts';
import type { TreeNode } from './message-tree.ts';

/** The lines of a session that have a place in its tree, by key. */
export type ClaudeTree = Map<string, TreeNode<ClaudeEntry>>;

/** Messages that a compaction kept: they stand before it in the file, and behind its summary for the model. */
interface KeptMessages {
  readonly boundaryKey: string;
  readonly anchorKey: string;
  readonly keys: readonly string[];
}

/**
 * The lines of a session as a tree, with every compaction between what it summed up and what it kept.
 *
 * @param entries - the lines, in order.
 * @param warn - told about what does not fit.
 */
export function* buildClaudeTree(entries: readonly ClaudeEntry[], warn: ReadContext['warn']): SlicedWork<ClaudeTree> {
  const tree = joinDuplicates(entries);
  yield;
  const kept = listKeptMessages(entries, tree, warn);
  yield;
  linkBoundaries(entries, tree, kept);
  yield;
  moveKeptMessages(tree, kept);
  return tree;
}

/**
 * Whether a line is the end of what a compaction summed up.
 *
 * @param entry - a line.
 */
export function isBoundary({ row }: ClaudeEntry): boolean {
  return row.type === 'system' && row.subtype === 'compact_boundary';
}

/** Lines that were written again: the first text counts, and the last place. */
function joinDuplicates(entries: readonly ClaudeEntry[]): ClaudeTree {
  const tree: ClaudeTree = new Map();
  for (const entry of entries) {
    if (!entry.isLinked) continue;
    const first = tree.get(entry.key);
    // Must move to the end where the first one cannot be read: without parents the order of the file counts.
    if (first !== undefined && !hasContent(first.message)) tree.delete(entry.key);
    const message = first !== undefined && hasContent(first.message) ? first.message : entry;
    tree.set(entry.key, { parentId: entry.parentKey, time: entry.position, message });
  }
  return tree;
}

/** Whether there is something to read, if a message should be there at all. */
export function hasContent({ row, isSpeech }: ClaudeEntry): boolean {
  return !isSpeech || (isRecord(row.message) && row.message.content !== undefined);
}

function listKeptMessages(
  entries: readonly ClaudeEntry[],
  tree: ClaudeTree,
  warn: ReadContext['warn'],
): readonly KeptMessages[] {
  const summaries = new Map<string | undefined, string>();
  for (const { row, parentKey, key } of entries) {
    if (row.isCompactSummary === true) summaries.set(parentKey, key);
  }
  const kept: KeptMessages[] = [];
  // Lists are as long as the file; a segment is only two ends, so that many of them could cost far more.
  let steps = tree.size * 4;
  for (const entry of entries) {
    const metadata = isBoundary(entry) ? entry.row.compactMetadata : undefined;
    if (!isRecord(metadata)) continue;
    const { preservedMessages: messages, preservedSegment: segment } = metadata;
    let keys: string[] = [];
    if (isRecord(messages) && Array.isArray(messages.uuids)) keys = messages.uuids.filter(isName).map(toKey);
    else if (isRecord(segment)) keys = walkSegment(segment, tree, steps);
    steps -= keys.length;
    const found = [...new Set(keys)].filter((key) => tree.has(key));
    if (found.length < keys.length || steps < 0) {
      warn('BROKEN_COMPACTION', entry.where, 'Some messages that a compaction kept are not in the file.');
    }
    const anchorUuid = [messages, segment]
      .map((source) => (isRecord(source) ? source.anchorUuid : undefined))
      .find(isName);
    const anchorKey = anchorUuid === undefined ? entry.key : toKey(anchorUuid);
    const isAtSummary = anchorKey !== entry.key && tree.has(anchorKey) && !found.includes(anchorKey);
    const summaryKey = isAtSummary ? anchorKey : (summaries.get(entry.key) ?? entry.key);
    if (found.length > 0) kept.push({ boundaryKey: entry.key, anchorKey: summaryKey, keys: found });
  }
  return kept;
}

/** The messages between two ends, by their parents. */
function walkSegment(segment: { readonly [field: string]: unknown }, tree: ClaudeTree, steps: number): string[] {
  const { headUuid, tailUuid } = segment;
  if (!isName(headUuid) || !isName(tailUuid)) return [];
  const headKey = toKey(headUuid);
  const keys: string[] = [];
  for (let key: string | undefined = toKey(tailUuid); key !== undefined; key = tree.get(key)?.parentId) {
    keys.push(key);
    if (key === headKey) return keys.reverse();
    if (keys.length > steps) break;
  }
  return keys;
}

/** What a compaction summed up stands before it in the log; the file has no parent there. */
function linkBoundaries(entries: readonly ClaudeEntry[], tree: ClaudeTree, kept: readonly KeptMessages[]): void {
  const keptBy = new Map(kept.map(({ boundaryKey, keys }) => [boundaryKey, keys]));
  let previousKey: string | undefined;
  for (const entry of entries) {
    if (entry.isSpeech && !entry.isAside) previousKey = entry.key;
    const node = tree.get(entry.key);
    if (!isBoundary(entry) || node === undefined || node.parentId !== undefined) continue;
    const { logicalParentUuid } = entry.row;
    const logicalKey = isName(logicalParentUuid) ? toKey(logicalParentUuid) : undefined;
    const keys = keptBy.get(entry.key) ?? [];
    let parentId = logicalKey !== undefined && tree.has(logicalKey) ? logicalKey : previousKey;
    // Must go around what is moved behind the summary: the way up would come back to the boundary.
    if (parentId !== undefined && keys.includes(parentId)) parentId = tree.get(keys[0] ?? '')?.parentId;
    if (parentId !== undefined) tree.set(entry.key, { ...node, parentId });
  }
}

function moveKeptMessages(tree: ClaudeTree, kept: readonly KeptMessages[]): void {
  const lastOf = new Map<string, string>();
  const parentOf = new Map<string, string>();
  for (const { anchorKey, keys } of kept) {
    let parentKey = anchorKey;
    for (const key of keys) {
      parentOf.set(key, parentKey);
      parentKey = key;
    }
    lastOf.set(anchorKey, parentKey);
  }
  if (kept.length === 0) return;
  for (const [key, node] of tree) {
    const parentId = parentOf.get(key) ?? (node.parentId === undefined ? undefined : lastOf.get(node.parentId));
    if (parentId !== undefined && parentId !== key) tree.set(key, { ...node, parentId });
  }
}
