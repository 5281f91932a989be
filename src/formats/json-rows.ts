import { describeType, SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import { joinBytes } from './byte-source.ts';
import type { Row, RowLayout } from './format-reader.ts';
import { isBlankByte, JsonElements } from './json-elements.ts';
import { JsonLines, parseJson, requireParsable, type Warn } from './json-lines.ts';

/** Rows that became complete together. */
export interface RowBatch {
  readonly layout: RowLayout;
  readonly rows: readonly Row[];
  /** Bytes of the file that have been read. */
  readonly readBytes: number;
}

/** Bytes that are looked at to tell text from anything else. */
const HEAD_BYTES = 4096;

/**
 * Bytes into rows, whatever their layout: a JSON value per line, the elements of one array, or one value.
 *
 * @param chunks - of one file; a byte order mark is skipped.
 * @param warn - where what cannot be read is reported.
 * @throws SessionReferenceError `INVALID_LOG` when the file is empty or no JSON of any kind.
 */
export async function* readJsonRows(chunks: AsyncIterable<Uint8Array>, warn: Warn): AsyncGenerator<RowBatch> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head = await readHead(iterator);
    const first = firstSignificantByte(head);
    if (first === undefined) throw invalid('The file is empty.');
    if (head.includes(0)) throw invalid('The file is binary, not text.');
    const rest = { [Symbol.asyncIterator]: () => iterator };
    if (first === '[') yield* readElements(head, rest, warn);
    else if (first === '{' || /^\s*(?:data|event|id|:)/.test(decodeStart(head))) yield* readObjects(head, rest, warn);
    else if (holdsObjectLine(head)) yield* readLines(head, rest, warn);
    else throw invalid('The file is text, but neither JSON nor lines of JSON.');
  } finally {
    await iterator.return?.();
  }
}

/** Enough bytes to tell what a file is: with what stands behind all blank ones at its start. */
async function readHead(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let isBlank = true;
  while (length < HEAD_BYTES || isBlank) {
    const { done, value } = await iterator.next();
    if (done) break;
    parts.push(value);
    length += value.length;
    isBlank &&= value.every(isBlankByte);
    requireParsable(length);
  }
  return stripByteOrderMark(joinBytes(parts, length));
}

function stripByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The first text of a file, without the blank start. */
function decodeStart(head: Uint8Array): string {
  const start = head.findIndex((byte) => !isBlankByte(byte));
  return start < 0 ? '' : new TextDecoder().decode(head.subarray(start, start + HEAD_BYTES));
}

/** Whether a file that begins with something else has objects in its lines. */
function holdsObjectLine(head: Uint8Array): boolean {
  const lines = new TextDecoder().decode(head).split('\n');
  return lines.some((line, index) => {
    if (!/^\s*\{\s*"/.test(line)) return false;
    return index === lines.length - 1 || parseJson(line) !== undefined;
  });
}

function firstSignificantByte(head: Uint8Array): string | undefined {
  return /\S/.exec(decodeStart(head))?.[0];
}

async function* readElements(head: Uint8Array, rest: AsyncIterable<Uint8Array>, warn: Warn): AsyncGenerator<RowBatch> {
  const elements = new JsonElements(warn);
  let readBytes = head.length;
  yield { layout: 'array', rows: elements.add(head), readBytes };
  for await (const chunk of rest) {
    readBytes += chunk.length;
    yield { layout: 'array', rows: elements.add(chunk), readBytes };
  }
  elements.finish();
}

/** Lines or one value: the first line that is whole JSON tells lines, else all of it must be one value. */
async function* readObjects(head: Uint8Array, rest: AsyncIterable<Uint8Array>, warn: Warn): AsyncGenerator<RowBatch> {
  const parts = [head];
  let length = head.length;
  let isLines = startsWithLine(head);
  if (isLines === undefined) {
    for await (const chunk of rest) {
      parts.push(chunk);
      length += chunk.length;
      requireParsable(length);
      isLines = chunk.includes(0x0a) ? startsWithLine(joinBytes(parts, length)) : undefined;
      if (isLines !== undefined) break;
      yield { layout: 'value', rows: [], readBytes: length };
    }
  }
  const start = joinBytes(parts, length);
  if (isLines !== true) {
    yield* readValue(start, length, rest, warn);
    return;
  }
  yield* readLines(start, rest, warn);
}

/** Whether the first line with something in it is JSON; `undefined` while it is not complete. */
function startsWithLine(bytes: Uint8Array): boolean | undefined {
  for (let start = 0; ; ) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0) return undefined;
    const line = new TextDecoder().decode(bytes.subarray(start, end)).trim();
    if (line !== '') return !line.startsWith('{') || parseJson(line) !== undefined;
    start = end + 1;
  }
}

async function* readLines(start: Uint8Array, rest: AsyncIterable<Uint8Array>, warn: Warn): AsyncGenerator<RowBatch> {
  const lines = new JsonLines(warn);
  let readBytes = start.length;
  yield { layout: 'lines', rows: lines.add(start), readBytes };
  for await (const chunk of rest) {
    readBytes += chunk.length;
    yield { layout: 'lines', rows: lines.add(chunk), readBytes };
  }
  yield { layout: 'lines', rows: lines.finish(), readBytes };
}

async function* readValue(
  start: Uint8Array,
  length: number,
  rest: AsyncIterable<Uint8Array>,
  warn: Warn,
): AsyncGenerator<RowBatch> {
  const parts = [start];
  let readBytes = length;
  for await (const chunk of rest) {
    parts.push(chunk);
    readBytes += chunk.length;
    requireParsable(readBytes);
    // Must hand out something all the time: whoever takes it lets others run, and hears an abort.
    yield { layout: 'value', rows: [], readBytes };
  }
  const bytes = joinBytes(parts, readBytes);
  const value = parseJson(new TextDecoder().decode(bytes));
  if (isRecord(value)) {
    yield { layout: 'value', rows: [{ value, where: 'the file' }], readBytes };
    return;
  }
  if (value !== undefined) throw invalid(`The file is JSON, but ${describeType(value)}.`);
  // A list of lines whose first one is broken looks like one broken value: what can be read of it is.
  const found: RowBatch[] = [];
  const lines = new JsonLines(warn);
  found.push({ layout: 'lines', rows: [...lines.add(bytes), ...lines.finish()], readBytes });
  if (found.every(({ rows }) => rows.length === 0)) throw invalid('The file is no valid JSON.');
  yield* found;
}

function invalid(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}
