import type { SlicedWork } from '../slices.ts';
import type { ClaudeEntry } from './claude-code-rows.ts';
import { isName, toKey } from './claude-code-rows.ts';
import { readQueuedPrompt } from './claude-code-text.ts';
import { buildClaudeTree, type ClaudeTree } from './claude-code-tree.ts';
import type { ReadContext } from './format-reader.ts';
import { readBranch } from './message-tree.ts';

/** The lines of a session in the order in which its model saw them. */
export interface ClaudeBranch {
  readonly entries: readonly ClaudeEntry[];
  /** Prompts that were typed while the assistant was working and have no place in the tree but in the file. */
  readonly queued: ReadonlySet<ClaudeEntry>;
}

/**
 * The branch of a session that was active last.
 *
 * @param entries - the lines of the session, in order.
 * @param warn - told about a tree that is broken.
 */
export function* readClaudeBranch(
  entries: readonly ClaudeEntry[],
  warn: ReadContext['warn'],
): SlicedWork<ClaudeBranch> {
  const tree = yield* buildClaudeTree(entries, warn);
  yield;
  // What a sub-agent or a teammate keeps in a file of its own is a session like any other.
  const isMain = entries.some((entry) => entry.isSpeech && !entry.isAside)
    ? (entry: ClaudeEntry): boolean => !entry.isAside
    : (): boolean => true;
  const isTree = entries.some(({ parentKey }) => parentKey !== undefined && tree.has(parentKey));
  const branch = isTree ? yield* readActiveBranch(entries, tree, isMain, warn) : listInOrder(tree, isMain);
  yield;
  return { entries: branch, queued: findQueued(entries, tree, branch, isMain) };
}

type IsMain = (entry: ClaudeEntry) => boolean;

function listInOrder(tree: ClaudeTree, isMain: IsMain): ClaudeEntry[] {
  return [...tree.values()].map(({ message }) => message).filter(isMain);
}

function* readActiveBranch(
  entries: readonly ClaudeEntry[],
  tree: ClaudeTree,
  isMain: IsMain,
  warn: ReadContext['warn'],
): SlicedWork<ClaudeEntry[]> {
  const isCandidate = (entry: ClaudeEntry): boolean => entry.isSpeech && isMain(entry) && entry.row.isMeta !== true;
  const leaf = findLeaf(entries, tree, isCandidate);
  if (leaf === undefined) return [];
  yield;
  const end = findEnd(tree, leaf, (entry) => isMain(entry) && !isCandidate(entry));
  yield;
  return readBranch(tree, end, (message) => warn('BROKEN_TREE', leaf.where, message));
}

/** The last message that has no other message behind it. */
function findLeaf(entries: readonly ClaudeEntry[], tree: ClaudeTree, isCandidate: IsMain): ClaudeEntry | undefined {
  const answered = findAnswered(tree, isCandidate);
  const candidates = [...tree.values()].map(({ message }) => message).filter(isCandidate);
  const leaves = candidates.filter(({ key }) => !answered.has(key));
  const open = leaves.length > 0 ? leaves : candidates;
  const pin = findPin(entries, tree, isCandidate);
  if (pin === undefined) return findLast(open);
  const behind = listBehind(tree, pin.key);
  // What hung on the pinned message before it was pinned is what the user went back from.
  const newer = open.filter(({ key, position }) => position > pin.position && behind.has(key));
  return findLast(newer) ?? findAbove(tree, pin.key, isCandidate) ?? findLast(open);
}

function findLast(entries: readonly ClaudeEntry[]): ClaudeEntry | undefined {
  let last: ClaudeEntry | undefined;
  for (const entry of entries) {
    if (last === undefined || entry.position > last.position) last = entry;
  }
  return last;
}

/** Messages that have a message behind them, also where other lines stand between the two. */
function findAnswered(tree: ClaudeTree, isCandidate: IsMain): ReadonlySet<string> {
  const answered = new Set<string>();
  const seen = new Set<string>();
  for (const { parentId, message } of tree.values()) {
    if (!isCandidate(message)) continue;
    for (let key = parentId; key !== undefined && !seen.has(key); key = tree.get(key)?.parentId) {
      const parent = tree.get(key)?.message;
      if (parent !== undefined && isCandidate(parent)) {
        answered.add(key);
        break;
      }
      seen.add(key);
    }
  }
  return answered;
}

interface Pin {
  readonly key: string;
  /** Whether the user went there; otherwise it is where the conversation stood when the line was written. */
  readonly isExplicit: boolean;
  /** Of the line in the file. */
  readonly position: number;
}

/** Newer versions write down which message the conversation stands at; a compaction takes that back. */
function findPin(entries: readonly ClaudeEntry[], tree: ClaudeTree, isCandidate: IsMain): Pin | undefined {
  let pin: Pin | undefined;
  for (const entry of entries) {
    const { row } = entry;
    if (row.subtype === 'compact_boundary') pin = undefined;
    else if (row.type === 'last-prompt' && 'leafUuid' in row) {
      const { leafUuid, explicit } = row;
      if (isName(leafUuid)) {
        pin = { key: toKey(leafUuid), isExplicit: explicit === true, position: entry.position };
      } else if (explicit === true) pin = undefined;
    } else if (pin !== undefined && !pin.isExplicit && isCandidate(entry)) pin = undefined;
  }
  return pin !== undefined && tree.has(pin.key) ? pin : undefined;
}

function listBehind(tree: ClaudeTree, startKey: string): ReadonlySet<string> {
  const children = new Map<string, string[]>();
  for (const [key, { parentId }] of tree) {
    if (parentId === undefined) continue;
    const siblings = children.get(parentId);
    if (siblings === undefined) children.set(parentId, [key]);
    else siblings.push(key);
  }
  const behind = new Set([startKey]);
  // A set is walked in the order of insertion, and hands out what is added on the way.
  for (const key of behind) {
    for (const child of children.get(key) ?? []) behind.add(child);
  }
  return behind;
}

function findAbove(tree: ClaudeTree, startKey: string, isCandidate: IsMain): ClaudeEntry | undefined {
  const seen = new Set<string>();
  for (let key: string | undefined = startKey; key !== undefined && !seen.has(key); key = tree.get(key)?.parentId) {
    const entry = tree.get(key)?.message;
    if (entry !== undefined && isCandidate(entry)) return entry;
    seen.add(key);
  }
  return undefined;
}

/** The last line behind the last message: an expanded command, a prompt that was queued. */
function findEnd(tree: ClaudeTree, leaf: ClaudeEntry, isBehind: IsMain): string {
  const lastChildren = new Map<string, ClaudeEntry>();
  for (const { parentId, message } of tree.values()) {
    if (parentId === undefined || !isBehind(message)) continue;
    const last = lastChildren.get(parentId);
    if (last === undefined || message.position > last.position) lastChildren.set(parentId, message);
  }
  const seen = new Set([leaf.key]);
  let { key } = leaf;
  for (let next = lastChildren.get(key); next !== undefined && !seen.has(next.key); next = lastChildren.get(key)) {
    key = next.key;
    seen.add(key);
  }
  return key;
}

/** A queued prompt belongs to the conversation when what stands before it in the file does. */
function findQueued(
  entries: readonly ClaudeEntry[],
  tree: ClaudeTree,
  branch: readonly ClaudeEntry[],
  isMain: IsMain,
): ReadonlySet<ClaudeEntry> {
  const isOnBranch = new Map(branch.map(({ key }) => [key, true]));
  const queued = new Set<ClaudeEntry>();
  let before: string | undefined;
  for (const entry of entries) {
    if (entry.isLinked) {
      if (isMain(entry)) before = entry.key;
    } else if (isMain(entry) && readQueuedPrompt(entry.row) !== undefined) {
      if (before === undefined || leadsToBranch(before, tree, isOnBranch)) queued.add(entry);
    }
  }
  return queued;
}

/** Results of tools that ran side by side are dead ends of the tree, but not of the conversation. */
function leadsToBranch(startKey: string, tree: ClaudeTree, isOnBranch: Map<string, boolean>): boolean {
  const passed: string[] = [];
  let key: string | undefined = startKey;
  let answer: boolean | undefined;
  while (key !== undefined && answer === undefined) {
    answer = isOnBranch.get(key);
    const node = tree.get(key);
    if (answer !== undefined || node === undefined || node.message.row.type === 'assistant') break;
    passed.push(key);
    // Must be known before the next step: a cycle ends here.
    isOnBranch.set(key, false);
    key = isWords(node.message) ? undefined : node.parentId;
  }
  for (const one of passed) isOnBranch.set(one, answer === true);
  return answer === true;
}

function isWords({ row }: ClaudeEntry): boolean {
  return row.type === 'user' && !('toolUseResult' in row);
}
