/**
 * A position in one line of JSON, moved forward token by token without decoding anything: `ByteCursor` for WebAssembly,
 * where sixteen bytes are looked at in one go. Every function that expects something returns whether it was there; after
 * a `false` the position means nothing any more.
 */

export const QUOTE: u8 = 0x22;
export const COMMA: u8 = 0x2c;
export const COLON: u8 = 0x3a;
export const OPEN_BRACKET: u8 = 0x5b;
export const CLOSE_BRACKET: u8 = 0x5d;
export const OPEN_BRACE: u8 = 0x7b;
export const CLOSE_BRACE: u8 = 0x7d;
const NEWLINE: u8 = 0x0a;
const BACKSLASH: u8 = 0x5c;
const LETTER_U: u8 = 0x75;
const SPACE: u8 = 0x20;
const ZERO: u8 = 0x30;

/** Bytes of a vector. */
const WIDTH: usize = 16;
const MAX_SAFE_INTEGER: f64 = 9007199254740991;

let position: usize = 0;
let end: usize = 0;
/** Where the string that was passed last began and ended, quotes not counted. */
export let stringStart: usize = 0;
export let stringEnd: usize = 0;
/** Whether that string holds a backslash. */
export let isEscaped: bool = false;
/** The UTF-8 bytes that it stands for. */
export let stringBytes: usize = 0;

/** Move to another line. */
export function open(start: usize, lineEnd: usize): void {
  position = start;
  end = lineEnd;
}

/** Move behind the line. */
export function close(): void {
  position = end;
}

/** Where the next line break is; `limit` when there is none before it. Up to fifteen bytes behind it are looked at. */
export function findNewline(from: usize, limit: usize): usize {
  const newlines = i8x16.splat(NEWLINE);
  for (let at = from; at < limit; at += WIDTH) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), newlines));
    if (found !== 0) return min(at + <usize>ctz(found), limit);
  }
  return limit;
}

/** Skip white space and take one structural byte. */
export function take(byte: u8): bool {
  skipSpace();
  if (position >= end || load<u8>(position) !== byte) return false;
  position += 1;
  return true;
}

/** The next byte that is no white space; -1 at the end. */
export function peek(): i32 {
  skipSpace();
  return position < end ? <i32>load<u8>(position) : -1;
}

/** Pass a string. */
export function passString(): bool {
  if (!take(QUOTE)) return false;
  stringStart = position;
  isEscaped = false;
  let escapes: usize = 0;
  const quotes = i8x16.splat(QUOTE);
  const backslashes = i8x16.splat(BACKSLASH);
  let at = position;
  while (at < end) {
    const bytes = v128.load(at);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)));
    if (found === 0) {
      at += WIDTH;
      continue;
    }
    at += <usize>ctz(found);
    if (at >= end) return false;
    if (load<u8>(at) === QUOTE) {
      stringEnd = at;
      stringBytes = at - stringStart - escapes;
      position = at + 1;
      return true;
    }
    isEscaped = true;
    const length = lengthOfEscape(at);
    if (length === 0) return false;
    escapes += length - bytesOfEscape(at, length);
    at += length;
  }
  return false;
}

/** Bytes that an escape is written with, both halves of a pair together; 0 for a broken one. */
function lengthOfEscape(at: usize): usize {
  if (load<u8>(at + 1) !== LETTER_U) return 2;
  const unit = readHex(at + 2);
  if (unit < 0) return 0;
  return isHighSurrogate(unit) && isLowEscape(at + 6) ? 12 : 6;
}

/** UTF-8 bytes that an escape stands for. A lone surrogate is counted as what takes its place. */
function bytesOfEscape(at: usize, length: usize): usize {
  if (length === 2) return 1;
  if (length === 12) return 4;
  const unit = readHex(at + 2);
  return unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

/** Whether the string that was passed last is this word, written without escapes. */
export function isWord(word: string): bool {
  if (<i32>(stringEnd - stringStart) !== word.length || isEscaped) return false;
  const units = changetype<usize>(word);
  for (let index: usize = 0; index < stringEnd - stringStart; index += 1) {
    if (<u16>load<u8>(stringStart + index) !== load<u16>(units + (index << 1))) return false;
  }
  return true;
}

/** Pass a whole number that is not negative; -1 for anything else. */
export function passInteger(): f64 {
  skipSpace();
  const start = position;
  let value: f64 = 0;
  for (; position < end; position += 1) {
    const digit = load<u8>(position) - ZERO;
    if (digit > 9) break;
    value = value * 10 + <f64>digit;
  }
  const isInteger =
    position > start && value <= MAX_SAFE_INTEGER && !(position < end && isNumberPart(load<u8>(position)));
  return isInteger ? value : -1;
}

/** Pass any value. */
export function passValue(): bool {
  let depth: i32 = 0;
  do {
    const byte = peek();
    if (byte === QUOTE) {
      if (!passString()) return false;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
      position += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      position += 1;
    } else if (byte === COMMA || byte === COLON) {
      if (depth === 0) return false;
      position += 1;
    } else if (!passLiteral()) {
      return false;
    }
  } while (depth > 0);
  return depth === 0;
}

/** Whether the line ends like an object does. */
export function endsWithBrace(): bool {
  let last = end - 1;
  while (last > position && load<u8>(last) <= SPACE) last -= 1;
  return load<u8>(last) === CLOSE_BRACE;
}

function passLiteral(): bool {
  const start = position;
  while (position < end && isLiteralPart(load<u8>(position))) position += 1;
  return position > start;
}

function skipSpace(): void {
  while (position < end && load<u8>(position) <= SPACE) position += 1;
}

/** Letters, digits, signs and points: what numbers and `true`, `false`, `null` are written with. */
function isLiteralPart(byte: u8): bool {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45
  );
}

function isNumberPart(byte: u8): bool {
  return byte === 0x2e || byte === 0x45 || byte === 0x65;
}

function isHighSurrogate(unit: i32): bool {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether the escape of a low surrogate stands here. */
function isLowEscape(at: usize): bool {
  if (load<u8>(at) !== BACKSLASH || load<u8>(at + 1) !== LETTER_U) return false;
  const unit = readHex(at + 2);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Four hexadecimal digits; -1 for anything else. */
function readHex(at: usize): i32 {
  let value: i32 = 0;
  for (let index = at; index < at + 4; index += 1) {
    const digit = index < end ? hexDigit(load<u8>(index)) : -1;
    if (digit < 0) return -1;
    value = (value << 4) | digit;
  }
  return value;
}

function hexDigit(byte: u8): i32 {
  if (byte >= 0x30 && byte <= 0x39) return <i32>byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? <i32>letter - 0x57 : -1;
}
