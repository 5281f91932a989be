import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';

/** The visible text of one foreign block; `undefined` when it is not visible text. */
export type ReadBlockText = (block: UnknownRecord) => string | undefined;

/** The visible text of a block `{ type: 'text', text }`, which most formats share. */
export const readTextBlock: ReadBlockText = ({ type, text }) =>
  type === 'text' && typeof text === 'string' ? text : undefined;

/**
 * Foreign content as content blocks: visible text as text blocks, everything else as blocks that nobody quotes.
 *
 * @param content - a string, a block, or an array of either; strings stand for text wherever they are.
 * @param readText - which blocks are visible text, and what it is. Default: {@link readTextBlock}.
 */
export function toContentBlocks(content: unknown, readText: ReadBlockText = readTextBlock): ContentBlock[] {
  if (content === null || content === undefined) return [];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) => toContentBlock(block, readText));
}

/**
 * Text that was never finished, as blocks that nobody quotes.
 *
 * @param blocks - of a message that was still being written.
 */
export function hideText(blocks: readonly ContentBlock[]): ContentBlock[] {
  return blocks.map((block) => (block.type === 'text' ? { ...block, type: 'unfinished-text' } : block));
}

/**
 * Something that is no content block, as one that nobody quotes.
 *
 * @param type - any but `text`.
 * @param value - what is kept.
 */
export function toHiddenBlock(type: string, value: unknown): ContentBlock {
  return { type, value };
}

/**
 * Whether any of the blocks is text that can be seen.
 *
 * @param blocks - content blocks.
 */
export function hasVisibleText(blocks: readonly ContentBlock[]): boolean {
  return blocks.some(({ type, text }) => type === 'text' && typeof text === 'string' && /\S/.test(text));
}

function toContentBlock(block: unknown, readText: ReadBlockText): ContentBlock {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (!isRecord(block)) return toHiddenBlock('unknown', block);
  const text = readText(block);
  if (text !== undefined) return block.type === 'text' && block.text === text ? asBlock(block) : { type: 'text', text };
  const isHidden = typeof block.type === 'string' && block.type !== 'text';
  return isHidden ? asBlock(block) : toHiddenBlock('unknown', block);
}

/** Must have a string `type`: the callers have looked. */
function asBlock(block: UnknownRecord): ContentBlock {
  return block as unknown as ContentBlock;
}
