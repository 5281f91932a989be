/**
 * A position in the bytes of JSON, moved forward token by token without decoding anything. Every method that expects
 * something returns whether it was there; after a `false` the position means nothing any more.
 *
 * Structure is found in bytes that are ASCII, and strings are jumped over with native searches for quotes and
 * backslashes, so that long texts cost next to nothing.
 */
export class ByteCursor {
  bytes: Uint8Array = new Uint8Array(0);
  position = 0;
  end = 0;
  /** Where the string that was passed last began and ended, quotes not counted. */
  stringStart = 0;
  stringEnd = 0;
  /** Whether that string holds a backslash. */
  isEscaped = false;
  /** The UTF-8 bytes that it stands for. */
  stringBytes = 0;
  #nextBackslash = -1;

  /** Move to another piece of the same or of other bytes. */
  open(bytes: Uint8Array, start: number, end: number): void {
    // Backslashes that were found ahead are still ahead while the bytes are the same.
    if (bytes !== this.bytes || start < this.position) this.#nextBackslash = -1;
    this.bytes = bytes;
    this.position = start;
    this.end = end;
  }

  /** Skip white space and take one structural byte. */
  take(byte: number): boolean {
    this.#skipSpace();
    if (this.position >= this.end || this.bytes[this.position] !== byte) return false;
    this.position += 1;
    return true;
  }

  /** The next byte that is no white space; -1 at the end. */
  peek(): number {
    this.#skipSpace();
    return this.position < this.end ? (this.bytes[this.position] ?? -1) : -1;
  }

  /** Pass a string. */
  passString(): boolean {
    if (!this.take(QUOTE)) return false;
    const { bytes, position: start, end } = this;
    this.stringStart = start;
    this.isEscaped = false;
    // Must look at the first bytes one by one: most strings are keys, and a native search costs as much as fifty bytes.
    const near = Math.min(start + NEAR_BYTES, end);
    for (let index = start; index < near; index += 1) {
      const byte = bytes[index];
      if (byte === QUOTE) return this.#endString(index, index - start);
      if (byte === BACKSLASH) return this.#passEscaped(index, index - start);
    }
    const quote = this.#find(QUOTE, near);
    if (this.#nextBackslash < near) this.#nextBackslash = this.#find(BACKSLASH, near);
    if (this.#nextBackslash < quote) return this.#passEscaped(this.#nextBackslash, this.#nextBackslash - start);
    return quote < end && this.#endString(quote, quote - start);
  }

  /** Pass the rest of a string from its first backslash on, and count what its escapes stand for. */
  #passEscaped(from: number, bytesBefore: number): boolean {
    const { bytes, end } = this;
    this.isEscaped = true;
    let count = bytesBefore;
    for (let index = from; index < end; ) {
      const byte = bytes[index];
      if (byte === QUOTE) return this.#endString(index, count);
      if (byte !== BACKSLASH) {
        count += 1;
        index += 1;
      } else if (bytes[index + 1] !== LETTER_U) {
        count += 1;
        index += 2;
      } else {
        const unit = readHex(bytes, index + 2, end);
        if (unit < 0) return false;
        const isPair = isHighSurrogate(unit) && isLowEscape(bytes, index + 6, end);
        count += isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
        index += isPair ? 12 : 6;
      }
    }
    return false;
  }

  #endString(end: number, decodedBytes: number): boolean {
    this.stringEnd = end;
    this.stringBytes = decodedBytes;
    this.position = end + 1;
    return true;
  }

  /** Whether the string that was passed last is this word, written without escapes. */
  isWord(word: Uint8Array): boolean {
    const length = this.stringEnd - this.stringStart;
    if (length !== word.length || this.isEscaped) return false;
    for (let index = 0; index < length; index += 1) {
      if (this.bytes[this.stringStart + index] !== word[index]) return false;
    }
    return true;
  }

  /** Pass a whole number that is not negative; -1 for anything else. */
  passInteger(): number {
    this.#skipSpace();
    let value = 0;
    const start = this.position;
    for (; this.position < this.end; this.position += 1) {
      const digit = (this.bytes[this.position] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    const isInteger =
      this.position > start && value <= Number.MAX_SAFE_INTEGER && !isNumberPart(this.bytes[this.position]);
    return isInteger ? value : -1;
  }

  /** Pass any value. */
  passValue(): boolean {
    let depth = 0;
    do {
      const byte = this.peek();
      if (byte === QUOTE) {
        if (!this.passString()) return false;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
        this.position += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1;
        this.position += 1;
      } else if (byte === COMMA || byte === COLON) {
        if (depth === 0) return false;
        this.position += 1;
      } else if (!this.#passLiteral()) {
        return false;
      }
    } while (depth > 0);
    return depth === 0;
  }

  #passLiteral(): boolean {
    const start = this.position;
    while (this.position < this.end && isLiteralPart(this.bytes[this.position] ?? 0)) this.position += 1;
    return this.position > start;
  }

  #skipSpace(): void {
    while (this.position < this.end && (this.bytes[this.position] ?? 0) <= SPACE) this.position += 1;
  }

  #find(byte: number, from: number): number {
    const found = this.bytes.indexOf(byte, from);
    return found < 0 ? Number.MAX_SAFE_INTEGER : found;
  }
}

/** Bytes of a string that are looked at before a native search is worth its call. */
const NEAR_BYTES = 48;

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const SPACE = 0x20;
const ZERO = 0x30;

/** Letters, digits, signs and points: what numbers and `true`, `false`, `null` are written with. */
function isLiteralPart(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45
  );
}

function isNumberPart(byte: number | undefined): boolean {
  return byte === 0x2e || byte === 0x45 || byte === 0x65;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether the escape of a low surrogate stands here. */
function isLowEscape(bytes: Uint8Array, start: number, end: number): boolean {
  if (bytes[start] !== BACKSLASH || bytes[start + 1] !== LETTER_U) return false;
  const unit = readHex(bytes, start + 2, end);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Four hexadecimal digits; -1 for anything else. */
function readHex(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < start + 4; index += 1) {
    const digit = index < end ? hexDigit(bytes[index] ?? 0) : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
