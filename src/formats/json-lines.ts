import { SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import { joinBytes } from './byte-source.ts';
import type { ReadWarningCode, Row } from './format-reader.ts';

/** Reports something that is not read as it stands. */
export type Warn = (code: ReadWarningCode, where: string, message: string) => void;

const NEWLINE = 0x0a;

/** No JavaScript engine makes a longer string, and JSON is parsed from one string. */
const MAX_VALUE_BYTES = 500_000_000;

/**
 * Bytes into lines into rows. A line of more than 500 MB is refused with `INVALID_LOG`. Lines that are blank are skipped, lines that are no JSON object are reported. The `data:`
 * of server-sent events is taken off, and their other fields are skipped.
 */
export class JsonLines {
  readonly #decoder = new TextDecoder();
  readonly #warn: Warn;
  #rest: Uint8Array[] = [];
  #restBytes = 0;
  #line = 0;

  /** @param warn - where lines that cannot be read are reported. */
  constructor(warn: Warn) {
    this.#warn = warn;
  }

  /**
   * Take the next bytes.
   *
   * @returns the rows of the lines that are complete now.
   */
  add(chunk: Uint8Array): Row[] {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) {
      this.#rest.push(chunk);
      this.#restBytes += chunk.length;
      requireParsable(this.#restBytes);
      return [];
    }
    const text = this.#decode(chunk.subarray(0, end));
    this.#rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    this.#restBytes = chunk.length - end - 1;
    return this.#parse(text.split('\n'), false);
  }

  /** There are no more bytes: the row of the last line, when it has no line break. */
  finish(): Row[] {
    const text = this.#decode(new Uint8Array(0));
    this.#rest = [];
    return text === '' ? [] : this.#parse([text], true);
  }

  #decode(end: Uint8Array): string {
    // Must be whole lines in one piece: a character that a chunk cuts is whole again, and decoding is fastest this way.
    const parts = end.length > 0 ? [...this.#rest, end] : this.#rest;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return length === 0 ? '' : this.#decoder.decode(joinBytes(parts, length));
  }

  #parse(lines: readonly string[], isLast: boolean): Row[] {
    const rows: Row[] = [];
    for (const raw of lines) {
      this.#line += 1;
      const line = stripEventField(raw.trim());
      if (line === '') continue;
      const where = `line ${this.#line}`;
      const value = parseJson(line);
      if (isRecord(value)) rows.push({ value, where });
      else if (value !== undefined) this.#warn('UNREADABLE', where, 'The line is JSON, but no object.');
      else if (isLast) this.#warn('TORN', where, 'The last line was cut off while it was written.');
      else this.#warn('UNREADABLE', where, 'The line is no JSON.');
    }
    return rows;
  }
}

/**
 * Refuse a JSON value that no engine could parse.
 *
 * @param bytes - that it has so far.
 * @throws SessionReferenceError `INVALID_LOG`.
 */
export function requireParsable(bytes: number): void {
  if (bytes <= MAX_VALUE_BYTES) return;
  const message = 'The file holds a JSON value that is too large to be parsed.';
  throw new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}

/** The value of a JSON text, or `undefined` for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Server-sent events (WHATWG HTML, 9.2): the data is JSON here, and everything else of an event is not needed. */
function stripEventField(line: string): string {
  if (line.startsWith('data:')) return line.slice('data:'.length).trimStart();
  return /^(?:event|id|retry)?:/.test(line) ? '' : line;
}
