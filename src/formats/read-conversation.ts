import { throwIfCancelled } from '../cancellation.ts';
import { SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import { pauseForOthers } from '../runtime.ts';
import type { SessionConversationSnapshot } from '../session/query.ts';
import type { SessionEvent, SessionHeader, SurfaceEvent } from '../session/session.ts';
import { SurfaceFold } from '../session/surface.ts';
import { type ConversationUnit, projectEvent } from '../snapshot/projection.ts';
import { utf8Length } from '../snapshot/utf8-length.ts';
import { joinBytes, toByteSource } from './byte-source.ts';
import { HarnessRowScanner } from './harness-row-scanner.ts';
import { parseJson } from './json-lines.ts';
import type { ReadSessionsOptions } from './read-sessions.ts';
import { type StoredText, TextArena } from './text-arena.ts';

/** A row that was understood without parsing it: a surface event, and where its text was put away. */
interface ScannedEvent extends SurfaceEvent, StoredText {
  readonly type: 'user' | 'assistant' | 'checkpoint' | 'hidden';
  readonly data: undefined;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
}

/** A row that was parsed. */
interface ParsedEvent extends SurfaceEvent {
  readonly data: { readonly unit: ConversationUnit | undefined };
}

const NEWLINE = 0x0a;
const SLICE_MILLISECONDS = 8;

/**
 * The end of the conversation in a deepseek-harness log, straight from its bytes: rows that cannot be quoted are not
 * decoded, let alone parsed, and of the others only what is wanted. For `SessionQuery.readConversation` of a host that
 * keeps logs as files.
 *
 * Reads what `readSessions` reads, but is less forgiving: rows must be in the order of their seq.
 *
 * @param input - a Blob or File, a stream, or bytes: one log.
 * @param bytes - how much text is wanted, in UTF-8 bytes; older messages are only counted.
 * @param options - `signal`, `onProgress` and `pause` of {@link ReadSessionsOptions}.
 * @throws SessionReferenceError `INVALID_LOG`, naming the seq or the line that does not fit, and `CANCELLED`.
 */
export async function readSessionConversation(
  input: unknown,
  bytes: number,
  options: Pick<ReadSessionsOptions, 'signal' | 'onProgress' | 'pause'> = {},
): Promise<SessionConversationSnapshot> {
  const { signal, onProgress, pause = pauseForOthers } = options;
  throwIfCancelled(signal);
  const { chunks, totalBytes } = toByteSource(input, signal);
  const conversation = new ScannedConversation();
  let readBytes = 0;
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  let sliceEnd = Date.now() + SLICE_MILLISECONDS;
  for await (const chunk of chunks) {
    readBytes += chunk.length;
    const isComplete = chunk.includes(NEWLINE);
    rest.push(chunk);
    restBytes += chunk.length;
    if (isComplete) {
      const block = joinBytes(rest, restBytes);
      const end = block.lastIndexOf(NEWLINE) + 1;
      conversation.addLines(block, end);
      rest = end < block.length ? [block.subarray(end)] : [];
      restBytes = block.length - end;
    }
    if (Date.now() < sliceEnd) continue;
    onProgress?.({ readBytes, ...(totalBytes === undefined ? {} : { totalBytes }) });
    await pause();
    throwIfCancelled(signal);
    sliceEnd = Date.now() + SLICE_MILLISECONDS;
  }
  conversation.addLastLine(joinBytes(rest, restBytes));
  return conversation.finish(bytes);
}

class ScannedConversation {
  readonly #scanner = new HarnessRowScanner();
  readonly #arena = new TextArena();
  readonly #fold = new SurfaceFold();
  #header: SessionHeader | undefined;
  #hasSeqs: boolean | undefined;
  #line = 0;

  addLines(bytes: Uint8Array, end: number): void {
    for (let start = 0; start < end; ) {
      const lineEnd = bytes.indexOf(NEWLINE, start);
      this.#addLine(bytes, start, lineEnd);
      start = lineEnd + 1;
    }
  }

  /** What stands behind the last line break was perhaps cut off while it was written. */
  addLastLine(bytes: Uint8Array): void {
    if (parseJson(new TextDecoder().decode(bytes)) !== undefined) this.#addLine(bytes, 0, bytes.length);
  }

  finish(wanted: number): SessionConversationSnapshot {
    const newestFirst: ConversationUnit[] = [];
    let left = wanted;
    let messages = 0;
    let bytes = 0;
    const surface = this.#fold.surface();
    for (let index = surface.length - 1; index >= 0; index -= 1) {
      const event = surface[index] as ScannedEvent | ParsedEvent;
      if (event.data === undefined ? event.type === 'hidden' : event.data.unit === undefined) continue;
      if (left < 0 && !isCheckpoint(event)) {
        messages += 1;
        bytes += event.data === undefined ? event.bytes : utf8Length(event.data.unit?.text ?? '');
        continue;
      }
      const unit = event.data === undefined ? this.#toUnit(event) : event.data.unit;
      if (unit === undefined) continue;
      newestFirst.push(unit);
      if (!unit.checkpoint) left -= unit.text.length;
    }
    if (this.#header === undefined) throw invalid('The log has no header.');
    const { capturedThroughSeq } = this.#fold;
    return { session: this.#header, capturedThroughSeq, units: newestFirst.reverse(), unread: { messages, bytes } };
  }

  #addLine(bytes: Uint8Array, start: number, end: number): void {
    this.#line += 1;
    const kind = this.#scanner.scan(bytes, start, end);
    if (kind === 'parse') {
      this.#parseLine(new TextDecoder().decode(bytes.subarray(start, end)));
      return;
    }
    this.#expect(this.#scanner.seq);
    if (kind === 'passed') this.#fold.pass(this.#scanner.count);
    else this.#fold.append(this.#toEvent(kind, bytes));
  }

  #toEvent(kind: ScannedEvent['type'], bytes: Uint8Array): ScannedEvent {
    const { hasText, textStart, textEnd, textBytes, isEscaped } = this.#scanner;
    const seq = this.#nextSeq;
    if (kind === 'hidden' || !hasText || textStart === textEnd) {
      return { type: 'hidden', seq, data: undefined, segment: 0, start: 0, end: 0, isEscaped: false, bytes: 0 };
    }
    const start = this.#arena.store(bytes, textStart, textEnd);
    const end = start + textEnd - textStart;
    const { segment } = this.#arena;
    const event: ScannedEvent = { type: kind, seq, data: undefined, segment, start, end, isEscaped, bytes: textBytes };
    if (isVisible(bytes[textStart] ?? 0) || /\S/.test(this.#toUnit(event).text)) return event;
    return { ...event, type: 'hidden' };
  }

  #toUnit(event: ScannedEvent): ConversationUnit {
    const text = this.#arena.decode(event);
    if (text === undefined) throw invalid('A message of the log is no valid JSON.');
    return { role: event.type === 'assistant' ? 'assistant' : 'user', text, checkpoint: event.type === 'checkpoint' };
  }

  #parseLine(line: string): void {
    if (line.trim() === '') return;
    const row = parseJson(line);
    // A line that cannot be read costs that line, as in `readSessions`.
    if (!isRecord(row) || typeof row.type !== 'string') return;
    if (row.type === 'session') {
      this.#addHeader(row);
      return;
    }
    const seq = typeof row.seq === 'number' ? row.seq : -1;
    this.#expect(seq);
    const event = { ...row, seq: this.#nextSeq } as unknown as SessionEvent;
    this.#fold.apply([{ ...event, data: { unit: projectEvent(event) } }]);
  }

  #addHeader(row: { readonly [field: string]: unknown }): void {
    if (this.#header !== undefined) throw invalid('The file holds more than one session.');
    const { type: _, version = 0, id = '', createdAt = 0, ...rest } = row;
    this.#header = { ...rest, version, id, createdAt } as SessionHeader;
  }

  get #nextSeq(): number {
    return (this.#fold.capturedThroughSeq ?? -1) + 1;
  }

  #expect(seq: number): void {
    this.#hasSeqs ??= seq >= 0;
    if (!this.#hasSeqs && seq < 0) return;
    if (seq === this.#nextSeq) return;
    throw invalid(
      `The log has a gap: seq ${this.#nextSeq} was expected, ${seq < 0 ? 'none' : `seq ${seq}`} was found.`,
    );
  }
}

function isCheckpoint(event: ScannedEvent | ParsedEvent): boolean {
  return event.data === undefined ? event.type === 'checkpoint' : event.data.unit?.checkpoint === true;
}

/** Printable ASCII other than a backslash, behind which a line break can hide. */
function isVisible(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f && byte !== 0x5c;
}

function invalid(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}
