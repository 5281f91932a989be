import { describeType, SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';

/**
 * The message's content, detached from what was passed in.
 *
 * @param content - what a caller passed as content blocks.
 * @throws SessionReferenceError `INVALID_REFERENCE` when it is no array, or holds what cannot be copied.
 */
export function copyContent(content: unknown): ContentBlock[] {
  if (!Array.isArray(content))
    throw invalid(`The content must be an array of content blocks, not ${describeType(content)}.`);
  let copy: readonly unknown[];
  try {
    copy = structuredClone(content) as readonly unknown[];
  } catch (cause) {
    throw invalid('The content holds something that cannot be copied; it must be plain data.', cause);
  }
  // Must visit holes as well, which a plain `map` leaves out.
  return Array.from(copy, (block, index) => {
    if (!isRecord(block)) throw invalid(`Content block ${index} must be an object, not ${describeType(block)}.`);
    if (typeof block.type !== 'string') {
      throw invalid(`The type of content block ${index} must be a string, not ${describeType(block.type)}.`);
    }
    return block as unknown as ContentBlock;
  });
}

function invalid(message: string, cause?: unknown): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message, { cause });
}
