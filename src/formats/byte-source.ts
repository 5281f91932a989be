import { untilCancelled } from '../cancellation.ts';
import { describeType, SessionReferenceError } from '../error.ts';

/** Anything that a file can come as. */
export type ByteInput = Blob | ReadableStream<Uint8Array> | ArrayBuffer | ArrayBufferView | string;

/** Bytes piece by piece, and how many there will be. */
export interface ByteSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Missing where nobody knows beforehand. */
  readonly totalBytes?: number;
}

/** Bytes of a buffer that are looked at in one go. */
const CHUNK_BYTES = 1 << 18;
/** Bytes that are read in one go where the buffer is reused. */
const REUSED_BYTES = 1 << 20;

/**
 * The bytes of an input, as a stream.
 *
 * @param input - what a caller passed.
 * @param signal - ends waiting for a stream, even for one that hands out nothing.
 * @param options - `reusesBuffer`: a piece may be overwritten as soon as the next one is asked for, which makes reading
 *   a file about twice as fast. Default: pieces stay what they are.
 * @throws SessionReferenceError `INVALID_LOG` when it is nothing that holds bytes; while it is read, `INVALID_LOG` when
 *   it fails, and `CANCELLED`.
 */
export function toByteSource(
  input: unknown,
  signal?: AbortSignal,
  options: { readonly reusesBuffer?: boolean } = {},
): ByteSource {
  const openStream = options.reusesBuffer ? openReusingReader : openReader;
  if (typeof input === 'string') return fromBytes(new TextEncoder().encode(input));
  if (input instanceof ArrayBuffer) return fromBytes(new Uint8Array(input));
  if (ArrayBuffer.isView(input)) return fromBytes(new Uint8Array(input.buffer, input.byteOffset, input.byteLength));
  if (isBlob(input)) return { chunks: readStream(() => openStream(input.stream()), signal), totalBytes: input.size };
  if (isStream(input)) return { chunks: readStream(() => openStream(input), signal) };
  const message = `A file must be a Blob, a stream, bytes or text, not ${describeType(input)}.`;
  throw new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}

/**
 * Whether an input holds bytes; anything else is taken for a parsed value.
 *
 * @param input - what a caller passed.
 */
export function holdsBytes(input: unknown): input is ByteInput {
  return (
    typeof input === 'string' ||
    input instanceof ArrayBuffer ||
    ArrayBuffer.isView(input) ||
    isBlob(input) ||
    isStream(input)
  );
}

/**
 * All of a source in one piece.
 *
 * @param chunks - from {@link toByteSource}.
 * @param maxBytes - more than this is refused.
 * @throws SessionReferenceError `INVALID_LOG` when there is more.
 */
export async function readAll(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
  }
  return joinBytes(parts, length);
}

/**
 * @param parts - in order.
 * @param length - their bytes together.
 */
export function joinBytes(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** What is refused for its size, in words. */
export function tooLarge(maxBytes: number): SessionReferenceError {
  const message = `The file is too large to be read in one piece: more than ${Math.floor(maxBytes / 1_000_000)} MB.`;
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}

function fromBytes(bytes: Uint8Array): ByteSource {
  return { chunks: sliceBytes(bytes), totalBytes: bytes.length };
}

/**
 * Bytes in pieces that hold a thread for about a millisecond.
 *
 * @param bytes - in one piece.
 */
export async function* sliceBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}

/** Whether an input can be read a second time. */
export function isRepeatable(input: unknown): boolean {
  return !isStream(input);
}

/** Hands out the next piece of a stream. */
interface PieceReader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(): Promise<void>;
}

/** Must not be `for await` over the stream itself: not every browser can. */
async function* readStream(open: () => PieceReader, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = open();
  try {
    for (;;) {
      const reading = reader.read().catch((cause: unknown) => {
        throw invalid('The file could not be read to its end.', cause);
      });
      const { done, value } = await untilCancelled(reading, signal);
      if (done) return;
      // A stream hands out pieces of any size, and one look at the clock per piece must be enough.
      yield* sliceBytes(toBytes(value));
    }
  } finally {
    // Must not wait: a source that hangs would hang its reader, too.
    reader.cancel().catch(() => undefined);
  }
}

function openReader(stream: ReadableStream<unknown>): PieceReader {
  try {
    return stream.getReader();
  } catch (cause) {
    throw invalid('The stream is being read by something else.', cause);
  }
}

/** Files read into a buffer that is handed back and forth; what cannot do that reads as ever. */
function openReusingReader(stream: ReadableStream<unknown>): PieceReader {
  let reader: ReadableStreamBYOBReader;
  try {
    reader = (stream as ReadableStream<Uint8Array<ArrayBuffer>>).getReader({ mode: 'byob' });
  } catch {
    return openReader(stream);
  }
  let buffer = new ArrayBuffer(REUSED_BYTES);
  return {
    async read() {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (value !== undefined) buffer = value.buffer;
      return { done, value };
    },
    cancel: () => reader.cancel(),
  };
}

function toBytes(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw invalid(`A stream of a file must hand out bytes, not ${describeType(value)}.`);
}

function invalid(message: string, cause?: unknown): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message, { cause });
}

function isBlob(input: unknown): input is Blob {
  return typeof Blob === 'function' && input instanceof Blob;
}

function isStream(input: unknown): input is ReadableStream<Uint8Array> {
  return typeof ReadableStream === 'function' && input instanceof ReadableStream;
}
