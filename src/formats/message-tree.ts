/** A message of a conversation that branches where it was edited or answered again. */
export interface TreeNode<Message> {
  readonly parentId: string | undefined;
  /** Unix time in milliseconds. */
  readonly time: number | undefined;
  readonly message: Message;
}

/** The messages of a tree by id, in the order of the file. */
export type MessageTree<Message> = ReadonlyMap<string, TreeNode<Message>>;

/** Reports a parent that does not exist, or a cycle. */
export type WarnAboutTree = (message: string) => void;

/**
 * The branch that ends at a message, root first. In linear time and without recursion: branches are thousands deep.
 *
 * @param tree - all messages.
 * @param activeId - the last message of the branch. Where there is no such message: the newest that has no answer.
 * @param warn - told once about a parent that does not exist, and about a cycle; the branch begins there.
 */
export function readBranch<Message>(tree: MessageTree<Message>, activeId: unknown, warn: WarnAboutTree): Message[] {
  const isKnown = typeof activeId === 'string' && tree.has(activeId);
  let id: string | undefined = isKnown ? activeId : findNewestLeaf(tree);
  const branch: Message[] = [];
  const seen = new Set<string>();
  while (id !== undefined) {
    if (seen.has(id)) {
      warn('A message is its own ancestor; the conversation begins after it.');
      break;
    }
    seen.add(id);
    const node = tree.get(id);
    if (node === undefined) {
      warn('The parent of a message does not exist; the conversation begins with that message.');
      break;
    }
    branch.push(node.message);
    id = node.parentId;
  }
  return branch.reverse();
}

/**
 * The branch that a reader sees who always takes the newest answer, root first: from the newest root down.
 *
 * @param tree - all messages.
 * @param warn - as for {@link readBranch}.
 */
export function readNewestBranch<Message>(tree: MessageTree<Message>, warn: WarnAboutTree): Message[] {
  const newestChildren = new Map<string | undefined, { readonly id: string; readonly time: number }>();
  let hasOrphans = false;
  for (const [id, { parentId, time = Number.NEGATIVE_INFINITY }] of tree) {
    const isOrphan = parentId !== undefined && !tree.has(parentId);
    hasOrphans ||= isOrphan;
    const level = isOrphan ? undefined : parentId;
    const newest = newestChildren.get(level);
    if (newest === undefined || time >= newest.time) newestChildren.set(level, { id, time });
  }
  if (hasOrphans) warn('The parent of a message does not exist; the message was taken as the first of a conversation.');
  let next = newestChildren.get(undefined);
  // Must not loop: a branch from a root down has no cycle, and a tree without a root is nothing but cycles.
  if (next === undefined) return readBranch(tree, undefined, warn);
  const branch: Message[] = [];
  while (next !== undefined) {
    const node = tree.get(next.id);
    if (node !== undefined) branch.push(node.message);
    next = newestChildren.get(next.id);
  }
  return branch;
}

/** The newest message without an answer, the last of them in the file where times are equal or missing. */
function findNewestLeaf<Message>(tree: MessageTree<Message>): string | undefined {
  const parents = new Set<string | undefined>();
  for (const { parentId } of tree.values()) parents.add(parentId);
  let newest: string | undefined;
  let newestTime = Number.NEGATIVE_INFINITY;
  let last: string | undefined;
  for (const [id, { time = Number.NEGATIVE_INFINITY }] of tree) {
    last = id;
    if (parents.has(id) || time < newestTime) continue;
    newest = id;
    newestTime = time;
  }
  // In a tree of nothing but cycles everything has an answer.
  return newest ?? last;
}
