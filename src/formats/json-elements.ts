import { joinBytes } from './byte-source.ts';
import type { Row } from './format-reader.ts';
import { parseJson, requireParsable, type Warn } from './json-lines.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * The elements of one JSON array, each parsed by itself as soon as its bytes are there: an export of thousands of
 * conversations is never one string, and one broken element costs no other.
 *
 * Only brackets, quotes and commas are looked at, which in UTF-8 are bytes that no other character contains.
 */
export class JsonElements {
  readonly #warn: Warn;
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #index = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isClosed = false;
  #hasMore = false;

  /** @param warn - where elements that cannot be read are reported. */
  constructor(warn: Warn) {
    this.#warn = warn;
  }

  /** Whether the array was closed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Take the next bytes, of which the first ever begin with the array's bracket.
   *
   * @returns the elements that are complete now.
   */
  add(chunk: Uint8Array): Row[] {
    const rows: Row[] = [];
    let start = 0;
    let index = 0;
    for (; index < chunk.length && !this.#isClosed; index += 1) {
      const byte = chunk[index] ?? 0;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
        continue;
      }
      if (byte === QUOTE) {
        this.#isInString = true;
      } else if (isOpening(byte)) {
        this.#depth += 1;
        if (this.#depth === 1) start = index + 1;
      } else if (isClosing(byte)) {
        this.#depth -= 1;
        this.#isClosed = this.#depth === 0;
      }
      if (!this.#isClosed && (byte !== COMMA || this.#depth !== 1)) continue;
      this.#take(chunk.subarray(start, index), rows);
      start = index + 1;
    }
    if (this.#isClosed) this.#lookBehind(chunk, index);
    else if (start < chunk.length) this.#keep(chunk.subarray(start));
    return rows;
  }

  /** There are no more bytes. What was begun and not closed is reported. */
  finish(): void {
    if (this.#isClosed) return;
    this.#warn('TORN', `[${this.#index}]`, 'The file ends inside its list.');
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part);
    this.#partBytes += part.length;
    requireParsable(this.#partBytes);
  }

  /** A list in each line, for instance: what is not read is told, once. */
  #lookBehind(chunk: Uint8Array, end: number): void {
    if (this.#hasMore || chunk.subarray(end).every(isBlankByte)) return;
    this.#hasMore = true;
    this.#warn('UNREADABLE', 'the file', 'There is something behind the list that the file begins with.');
  }

  #take(end: Uint8Array, rows: Row[]): void {
    const parts = [...this.#parts, end];
    this.#parts = [];
    this.#partBytes = 0;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const text = new TextDecoder().decode(joinBytes(parts, length));
    // An empty array has no element, and a trailing comma makes none.
    if (this.#isClosed && text.trim() === '') return;
    const where = `[${this.#index}]`;
    this.#index += 1;
    const value = parseJson(text);
    if (value === undefined) this.#warn('UNREADABLE', where, 'The element is no JSON.');
    else rows.push({ value, where });
  }
}

/**
 * Whether a byte is white space in JSON.
 *
 * @param byte - of a file.
 */
export function isBlankByte(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isOpening(byte: number): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isClosing(byte: number): boolean {
  return byte === 0x5d || byte === 0x7d;
}
