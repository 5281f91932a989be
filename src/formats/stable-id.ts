import type { FormatName } from './format-reader.ts';

/** The prime and the starting point of 32-bit FNV-1a, and another point to start from. */
const PRIME = 0x01000193;
const FIRST_OFFSET = 0x811c9dc5;
const SECOND_OFFSET = 0x9ce48422;

/**
 * An id for a session of which the format keeps none: the same content always gets the same id.
 *
 * @param format - stands in front of the id.
 * @param content - what tells the session from others.
 * @returns the format and 64 bits in hex, for instance `ai-sdk-0f3a96c5d1e2b784`: two hashes in the way of FNV-1a, over
 *   UTF-16 code units.
 */
export function stableSessionId(format: FormatName, content: string): string {
  let first = FIRST_OFFSET;
  let second = SECOND_OFFSET;
  for (let index = 0; index < content.length; index += 1) {
    const unit = content.charCodeAt(index);
    first = Math.imul(first ^ unit, PRIME);
    // Must be turned: two hashes that differ in their start only would collide together.
    second = Math.imul(((second << 5) | (second >>> 27)) ^ unit, PRIME);
  }
  return `${format}-${toHex(first)}${toHex(second)}`;
}

function toHex(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, '0');
}
