import type { SlicedWork } from '../slices.ts';
import { findEnd, findLeaf, type IsCounted } from './claude-code-leaf.ts';
import type { ClaudeEntry } from './claude-code-rows.ts';
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

function listInOrder(tree: ClaudeTree, isMain: IsCounted): ClaudeEntry[] {
  return [...tree.values()].map(({ message }) => message).filter(isMain);
}

function* readActiveBranch(
  entries: readonly ClaudeEntry[],
  tree: ClaudeTree,
  isMain: IsCounted,
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

/** A queued prompt belongs to the conversation when what stands before it in the file does. */
function findQueued(
  entries: readonly ClaudeEntry[],
  tree: ClaudeTree,
  branch: readonly ClaudeEntry[],
  isMain: IsCounted,
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
