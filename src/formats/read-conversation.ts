import { throwIfCancelled } from '../cancellation.ts';
import { pauseForOthers } from '../runtime.ts';
import type { SessionConversationSnapshot } from '../session/query.ts';
import { isRepeatable, toByteSource } from './byte-source.ts';
import { parseJson } from './json-lines.ts';
import type { ReadSessionsOptions } from './read-sessions.ts';
import { openLogScanner } from './scanning/open-log-scanner.ts';
import { ScannedConversation } from './scanning/scanned-conversation.ts';

/** How {@link readSessionConversation} reads. */
type ReadConversationOptions = Pick<ReadSessionsOptions, 'signal' | 'onProgress' | 'pause'>;

const NEWLINE = Uint8Array.of(0x0a);
const SLICE_MILLISECONDS = 8;

/** Bytes in a log for a code unit of text: six where everything is escaped. */
const BYTES_PER_UNIT = 6;
/** Bytes of texts that are kept at least, so that they do not have to be moved often. */
const MIN_KEPT_BYTES = 1 << 20;

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
  options?: ReadConversationOptions | null,
): Promise<SessionConversationSnapshot> {
  const run = options ?? {};
  if (isRepeatable(input)) {
    const keptBytes = Math.max(bytes * BYTES_PER_UNIT, MIN_KEPT_BYTES);
    const snapshot = await scan(input, bytes, keptBytes, run);
    if (snapshot !== undefined) return snapshot;
  }
  // A stream can be read only once, and a log whose newest messages were replaced ends with older ones.
  const snapshot = await scan(input, bytes, Number.POSITIVE_INFINITY, run);
  return snapshot as SessionConversationSnapshot;
}

/** What was read; `undefined` when more than the kept texts is wanted. */
async function scan(
  input: unknown,
  bytes: number,
  keptBytes: number,
  { signal, onProgress, pause = pauseForOthers }: ReadConversationOptions,
): Promise<SessionConversationSnapshot | undefined> {
  throwIfCancelled(signal);
  const { chunks, totalBytes } = toByteSource(input, signal, { reusesBuffer: true });
  const conversation = new ScannedConversation();
  const scanner = await openLogScanner({ listener: conversation, keptBytes });
  let readBytes = 0;
  let sliceEnd = Date.now() + SLICE_MILLISECONDS;
  for await (const chunk of chunks) {
    readBytes += chunk.length;
    scanner.add(chunk);
    if (Date.now() < sliceEnd) continue;
    onProgress?.({ readBytes, ...(totalBytes === undefined ? {} : { totalBytes }) });
    await pause();
    throwIfCancelled(signal);
    sliceEnd = Date.now() + SLICE_MILLISECONDS;
  }
  // What stands behind the last line break was perhaps cut off while it was written.
  if (parseJson(new TextDecoder().decode(scanner.rest())) !== undefined) scanner.add(NEWLINE);
  return conversation.finish(bytes, scanner);
}
