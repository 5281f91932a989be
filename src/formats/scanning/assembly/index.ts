/**
 * The scanner of logs as a WebAssembly module. Its memory holds a table of what was found, and behind it the bytes:
 * texts that are kept, one behind the other, then those that were not looked at yet. What is kept moves to the front
 * over what was looked at, so that the memory stays as small as the texts, a piece of the file and its longest line.
 */
import { findNewline } from './cursor';
import { count, HIDDEN, hasText, PASSED, scanRow, seq, textBytes, textEnd, textStart, UNREAD } from './rows';

// The layout of an entry, in bytes: see log-scanner.ts.
const KIND: usize = 0;
const SEQ: usize = 8;
const COUNT: usize = 16;
const TEXT: usize = 24;
const LENGTH: usize = 32;
const BYTES: usize = 40;
const ENTRY_BYTES: usize = 48;

const MAX_ENTRIES: i32 = 2048;
const PAGE_BYTES: usize = 1 << 16;
/** Addresses beyond this would be negative numbers on the other side. */
const MAX_ADDRESS: usize = 0x7fff0000;
/** A vector that begins at the last byte reaches this far behind it. */
const SLACK_BYTES: usize = 16;

/** Where the table begins. */
export const table: usize = memory.data(<i32>ENTRY_BYTES * MAX_ENTRIES, 16);
/** Where the kept texts begin: behind everything that the module itself keeps. */
export const texts: usize = __heap_base;

let keptBytes: usize = MAX_ADDRESS;
let forgottenBytes: f64 = 0;
/** Where the kept texts end. */
let kept: usize = texts;
/** The bytes that were not looked at yet. */
let start: usize = texts;
let end: usize = texts;
/** No line break stands before this. */
let searched: usize = texts;
let entries: i32 = 0;

/** Say how many bytes of the newest texts have to be kept at least. */
export function keep(bytes: usize): void {
  keptBytes = bytes;
}

/**
 * Make room for the next piece of the file.
 *
 * @param length - of the piece.
 * @returns where it has to be written; 0 when there is no room.
 */
export function append(length: usize): usize {
  // Must not overflow: addresses have 32 bits.
  if (length > MAX_ADDRESS || end + length + SLACK_BYTES > MAX_ADDRESS) return 0;
  const needed = end + length + SLACK_BYTES;
  const available = <usize>memory.size() * PAGE_BYTES;
  if (needed > available && memory.grow(<i32>((needed - available + PAGE_BYTES - 1) / PAGE_BYTES)) < 0) return 0;
  const place = end;
  end += length;
  return place;
}

/**
 * Look at whole lines: until there are no more, the table is full, or one has to be parsed, which is the last entry then.
 *
 * @returns how many entries the table has.
 */
export function scan(): i32 {
  entries = 0;
  while (entries < MAX_ENTRIES) {
    const line = start;
    const lineEnd = findNewline(searched, end);
    searched = lineEnd;
    if (lineEnd === end) return entries;
    start = lineEnd + 1;
    searched = start;
    const kind = scanRow(line, lineEnd);
    if (kind === UNREAD) {
      addEntry(UNREAD, <f64>line, lineEnd - line, 0);
      return entries;
    }
    if (kind === PASSED) addPassed();
    else addMessage(kind);
  }
  return entries;
}

/** Close the gap between the kept texts and the bytes that were not looked at yet, because their line is not whole. */
export function compact(): void {
  const textBytes = kept - texts;
  // Must be many, or moving the others would cost more than reading them did.
  if (textBytes / 2 > keptBytes) {
    memory.copy(texts, kept - keptBytes, keptBytes);
    forgottenBytes += <f64>(textBytes - keptBytes);
    kept = texts + keptBytes;
  }
  const rest = end - start;
  memory.copy(kept, start, rest);
  searched = kept + (searched - start);
  start = kept;
  end = kept + rest;
}

/** Bytes of the texts that are not kept any more. */
export function forgotten(): f64 {
  return forgottenBytes;
}

/** Where the bytes begin that were not looked at. */
export function restStart(): usize {
  return start;
}

/** Where they end. */
export function restEnd(): usize {
  return end;
}

/** Events that cannot be on the surface follow each other by the hundred, and are one entry. */
function addPassed(): void {
  if (entries > 0) {
    const last = table + ENTRY_BYTES * <usize>(entries - 1);
    const lastSeq = load<f64>(last, SEQ);
    const lastCount = load<f64>(last, COUNT);
    const follows = lastSeq < 0 ? seq < 0 : seq === lastSeq + lastCount;
    if (load<f64>(last, KIND) === <f64>PASSED && follows) {
      store<f64>(last, lastCount + <f64>count, COUNT);
      return;
    }
  }
  addEntry(PASSED, 0, 0, 0);
}

function addMessage(kind: i32): void {
  if (kind === HIDDEN || !hasText || textStart === textEnd) {
    addEntry(HIDDEN, 0, 0, 0);
    return;
  }
  const length = textEnd - textStart;
  memory.copy(kept, textStart, length);
  addEntry(kind, forgottenBytes + <f64>(kept - texts), length, textBytes);
  kept += length;
}

function addEntry(kind: i32, text: f64, length: usize, bytes: usize): void {
  const entry = table + ENTRY_BYTES * <usize>entries;
  store<f64>(entry, <f64>kind, KIND);
  store<f64>(entry, seq, SEQ);
  store<f64>(entry, <f64>count, COUNT);
  store<f64>(entry, text, TEXT);
  store<f64>(entry, <f64>length, LENGTH);
  store<f64>(entry, <f64>bytes, BYTES);
  entries += 1;
}
