import { type ClaudeEntry, isName, toKey } from './claude-code-rows.ts';
import type { ClaudeTree } from './claude-code-tree.ts';

/** Whether a line counts for what is looked for. */
export type IsCounted = (entry: ClaudeEntry) => boolean;

/**
 * The message that the conversation stands at: where the user went, or the last that has no other behind it.
 *
 * @param entries - the lines of the session, in order.
 * @param tree - the same lines.
 * @param isCandidate - whether a line is a message of the conversation.
 */
export function findLeaf(
  entries: readonly ClaudeEntry[],
  tree: ClaudeTree,
  isCandidate: IsCounted,
): ClaudeEntry | undefined {
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
function findAnswered(tree: ClaudeTree, isCandidate: IsCounted): ReadonlySet<string> {
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
function findPin(entries: readonly ClaudeEntry[], tree: ClaudeTree, isCandidate: IsCounted): Pin | undefined {
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

function findAbove(tree: ClaudeTree, startKey: string, isCandidate: IsCounted): ClaudeEntry | undefined {
  const seen = new Set<string>();
  for (let key: string | undefined = startKey; key !== undefined && !seen.has(key); key = tree.get(key)?.parentId) {
    const entry = tree.get(key)?.message;
    if (entry !== undefined && isCandidate(entry)) return entry;
    seen.add(key);
  }
  return undefined;
}

/**
 * The last line behind the last message: an expanded command, a prompt that was queued.
 *
 * @param tree - the lines.
 * @param leaf - the last message.
 * @param isBehind - whether a line can follow a message without being one.
 */
export function findEnd(tree: ClaudeTree, leaf: ClaudeEntry, isBehind: IsCounted): string {
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
