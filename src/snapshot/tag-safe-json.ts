/**
 * JSON that cannot close the frame it stands in, and in which everything that a model reads can also be seen.
 *
 * `<` is written `\u003c`, so no data can spell a tag. C0 and C1 controls, DEL, bidi controls, U+2028/2029 and the tag
 * characters U+E0000–E007F are written as `\u` escapes. ZWJ, ZWNJ and variation selectors stay. Parsing gives back
 * exactly the value.
 */

const UNSAFE = /[<\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\udb40[\udc00-\udc7f]/g;

/** @param value - plain data. */
export function stringifyTagSafe(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, escapeCodeUnits);
}

/** @param text - one or two code units. */
function escapeCodeUnits(text: string): string {
  let escaped = '';
  for (let index = 0; index < text.length; index += 1) {
    escaped += `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

/** Nothing but printable ASCII that is written as it is. */
const PLAIN = /^[ !#-;=-[\]-~]*$/;

/** The cost of a code unit below 256, in the UTF-8 bytes of its tag-safe JSON. */
const COSTS: readonly number[] = Array.from({ length: 256 }, (_, unit) => {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit === 0x08 || unit === 0x09 || unit === 0x0a || unit === 0x0c || unit === 0x0d) return 2;
  if (unit < 0x20 || unit === 0x3c || (unit >= 0x7f && unit <= 0x9f)) return 6;
  return unit < 0x80 ? 1 : 2;
});

/**
 * What the code point at `index` costs, in UTF-8 bytes of tag-safe JSON: 1 to 12.
 *
 * @param text - any string.
 * @param index - where the code point starts; a lone surrogate counts as one code point.
 */
export function serializedCodePointBytes(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x100) return COSTS[unit] ?? 0;
  if (unit < 0x800) return unit === 0x061c ? 6 : 2;
  if (unit < 0xd800 || unit > 0xdfff) return isVisible(unit) ? 3 : 6;
  if (!isPairAt(text, index)) return 6;
  return unit === 0xdb40 && text.charCodeAt(index + 1) < 0xdc80 ? 12 : 4;
}

function isVisible(unit: number): boolean {
  if (unit < 0x200e || unit > 0x2069) return true;
  return !(unit <= 0x200f || (unit >= 0x2028 && unit <= 0x202e) || unit >= 0x2066);
}

/**
 * Whether a surrogate pair stands at `index`.
 *
 * @param text - any string.
 * @param index - position in code units.
 */
export function isPairAt(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}

/**
 * The UTF-8 bytes that a text takes inside tag-safe JSON, quotes not counted; exact up to `limit`.
 *
 * @param text - any string.
 * @param limit - where to stop counting; the result is then some number above it.
 */
export function serializedTextBytes(text: string, limit: number): number {
  // Every code unit costs at least a byte, so a long text is over the limit before it is looked at.
  if (text.length > limit || PLAIN.test(text)) return text.length;
  let bytes = 0;
  for (let index = 0; index < text.length && bytes <= limit; index += isPairAt(text, index) ? 2 : 1) {
    bytes += serializedCodePointBytes(text, index);
  }
  return bytes;
}

/**
 * What a message takes in the JSON of a conversation besides its text, in UTF-8 bytes, a comma included.
 *
 * @param message - only its role counts.
 */
export function messageOverheadBytes(message: { readonly role: string }): number {
  return `{"role":"${message.role}","text":""},`.length;
}
