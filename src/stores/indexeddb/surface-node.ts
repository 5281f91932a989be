import { isRecord } from '../../record.ts';
import { runAtOnce } from '../../slices.ts';
import type { ConversationUnit } from '../../snapshot/projection.ts';
import type { Utf8Counter } from '../../snapshot/utf8-length.ts';
import { SpoiledSession } from './failures.ts';
import type { SurfacePage } from './schema.ts';

/** What a node shows of itself: a role, and a text where it has one. */
export type NodeRole = 'u' | 'a' | 'c' | '-';

/**
 * One event on a surface.
 *
 * A node that was appended is anchored at its own seq, and one that replaced others at the anchor of the first of them.
 * So anchors ascend along the surface however much was replaced, and can be keys of pages; seqs do not.
 */
export interface StoredNode {
  readonly anchor: number;
  readonly seq: number;
  readonly role: NodeRole;
  /** Of the user's and the assistant's messages, and of checkpoints until they are written. */
  readonly text?: string | undefined;
}

/**
 * The node of an event.
 *
 * @param seq - of the event.
 * @param anchor - where it stands.
 * @param unit - what of it can be seen.
 */
export function toNode(seq: number, anchor: number, unit: ConversationUnit | undefined): StoredNode {
  if (unit === undefined) return { anchor, seq, role: '-' };
  const role = unit.checkpoint ? 'c' : unit.role === 'user' ? 'u' : 'a';
  return { anchor, seq, role, text: unit.text };
}

/**
 * How much room a node takes in a page, in code units; about what it takes on disk.
 *
 * @param node - any node.
 */
export function nodeSize({ role, text = '' }: StoredNode): number {
  return NODE_OVERHEAD + (hasPageText(role) ? text.length : 0);
}

const NODE_OVERHEAD = 12;

/**
 * Nodes as a page.
 *
 * @param nodes - at least one; consecutive.
 * @param counter - counts their bytes.
 */
export function packNodes(nodes: readonly StoredNode[], counter: Utf8Counter): SurfacePage {
  const anchors: number[] = [];
  const seqs: number[] = [];
  const texts: string[] = [];
  let roles = '';
  const before = counter.total();
  for (const { anchor, seq, role, text } of nodes) {
    anchors.push(anchor);
    seqs.push(seq);
    roles += role;
    if (text === undefined || !hasPageText(role)) continue;
    texts.push(text);
    if (counter.isShort(text)) counter.addShort(text);
    else runAtOnce(counter.add(text));
  }
  return { first: anchors[0] ?? 0, anchors, seqs, roles, texts, bytes: counter.total() - before };
}

/**
 * The nodes of a page.
 *
 * @param value - what is stored.
 * @throws SpoiledSession when it is no page.
 */
export function unpackNodes(value: unknown): StoredNode[] {
  const { anchors, seqs, roles, texts } = parsePage(value);
  const nodes: StoredNode[] = [];
  let textIndex = 0;
  for (let index = 0; index < anchors.length; index += 1) {
    const role = (roles[index] ?? '-') as NodeRole;
    const text = hasPageText(role) ? texts[textIndex++] : undefined;
    nodes.push({ anchor: anchors[index] ?? 0, seq: seqs[index] ?? 0, role, text });
  }
  return nodes;
}

/**
 * What is stored, as a page.
 *
 * @param value - anything.
 * @throws SpoiledSession when it is no page.
 */
export function parsePage(value: unknown): SurfacePage {
  if (!isRecord(value)) throw spoiled();
  const { first, anchors, seqs, roles, texts, bytes } = value;
  const isComplete =
    typeof first === 'number' &&
    typeof bytes === 'number' &&
    typeof roles === 'string' &&
    isArrayOf(anchors, 'number', roles.length) &&
    isArrayOf(seqs, 'number', roles.length) &&
    isArrayOf(texts, 'string', countTexts(roles));
  if (!isComplete) throw spoiled();
  return value as unknown as SurfacePage;
}

/**
 * How many texts of a page are those of messages.
 *
 * @param roles - of a page.
 */
export function countTexts(roles: string): number {
  let count = 0;
  for (const role of roles) if (hasPageText(role)) count += 1;
  return count;
}

/**
 * How many checkpoints a page has.
 *
 * @param roles - of a page.
 */
export function countCheckpoints(roles: string): number {
  let count = 0;
  for (const role of roles) if (role === 'c') count += 1;
  return count;
}

function hasPageText(role: string): boolean {
  return role === 'u' || role === 'a';
}

function isArrayOf(value: unknown, type: 'number' | 'string', length: number): boolean {
  return Array.isArray(value) && value.length === length && value.every((entry) => typeof entry === type);
}

function spoiled(): SpoiledSession {
  return new SpoiledSession('A part of its conversation is damaged.');
}
