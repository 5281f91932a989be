import type { FormatName } from './format-reader.ts';

/**
 * An id for a session of which the format keeps none: the same content always gets the same id.
 *
 * @param format - stands in front of the id.
 * @param content - what tells the session from others.
 * @returns for instance `ai-sdk-85944171f73967e8`: the format and 64 bits of FNV-1a over the UTF-16 code units.
 */
export function stableSessionId(format: FormatName, content: string): string {
  // The 64-bit state in four parts of 16 bits, the lowest first: products stay exact in 32-bit arithmetic.
  let [part0, part1, part2, part3] = [0x2325, 0x8422, 0x9ce4, 0xcbf2];
  for (let index = 0; index < content.length; index += 1) {
    part0 ^= content.charCodeAt(index);
    // Times the prime 0x100000001b3, that is 2^40 + 0x1b3.
    const product0 = part0 * 0x1b3;
    const product1 = part1 * 0x1b3 + (product0 >>> 16);
    const product2 = part2 * 0x1b3 + (part0 << 8) + (product1 >>> 16);
    const product3 = part3 * 0x1b3 + (part1 << 8) + (product2 >>> 16);
    part0 = product0 & 0xffff;
    part1 = product1 & 0xffff;
    part2 = product2 & 0xffff;
    part3 = product3 & 0xffff;
  }
  return `${format}-${[part3, part2, part1, part0].map((part) => part.toString(16).padStart(4, '0')).join('')}`;
}
