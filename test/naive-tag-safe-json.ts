/**
 * The tag-safe JSON of DESIGN §6 and §7, written from the contract alone and slowly: the yardstick that the library's
 * own measuring is held against.
 */

const ESCAPED = /^[<\p{Cc}\p{Bidi_Control}\u2028\u2029\u{e0000}-\u{e007f}]$/u;

/** @param value - plain data. */
export function naiveTagSafeJson(value: unknown): string {
  return Array.from(JSON.stringify(value), (codePoint) =>
    ESCAPED.test(codePoint) ? escapeUnits(codePoint) : codePoint,
  ).join('');
}

/** @param text - any string; a lone surrogate counts 3. */
export function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** @param text - measured as it stands in tag-safe JSON, without the quotes. */
export function serializedBytes(text: string): number {
  return utf8Bytes(naiveTagSafeJson(text)) - 2;
}

function escapeUnits(codePoint: string): string {
  const units = Array.from({ length: codePoint.length }, (_, index) => codePoint.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
