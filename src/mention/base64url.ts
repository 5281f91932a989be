/**
 * Base64url without padding (RFC 4648 §5). Here because the core runs where `atob` does not exist, and because `atob`
 * accepts what a canonical form must refuse.
 */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** @param bytes - any bytes. */
export function encodeBase64Url(bytes: Uint8Array): string {
  const characters: string[] = [];
  for (let index = 0; index < bytes.length; index += 3) {
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    const length = Math.min(4, bytes.length - index + 1);
    for (let position = 0; position < length; position += 1) {
      characters.push(ALPHABET.charAt((group >> (18 - 6 * position)) & 63));
    }
  }
  return characters.join('');
}

/**
 * The bytes of an unpadded base64url text, or `undefined` when a character or the length does not fit. Bits that the
 * last character has too many are not looked at: whoever needs the canonical form encodes again and compares.
 *
 * @param text - anything.
 */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let bitCount = 0;
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = sextetOf(text.charCodeAt(index));
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    bitCount += 6;
    if (bitCount < 8) continue;
    bitCount -= 8;
    bytes[length] = (bits >> bitCount) & 0xff;
    length += 1;
  }
  return bytes;
}

/** Whether a UTF-16 code unit belongs to the alphabet. */
export function isBase64UrlCodeUnit(unit: number): boolean {
  return sextetOf(unit) >= 0;
}

function sextetOf(unit: number): number {
  if (unit >= 0x41 && unit <= 0x5a) return unit - 0x41;
  if (unit >= 0x61 && unit <= 0x7a) return unit - 0x61 + 26;
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30 + 52;
  if (unit === 0x2d) return 62;
  return unit === 0x5f ? 63 : -1;
}
