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

/**
 * The bytes of an input, as a stream.
 *
 * @param input - what a caller passed.
 * @throws SessionReferenceError `INVALID_LOG` when it is nothing that holds bytes.
 */
export function toByteSource(input: unknown): ByteSource {
  if (typeof input === 'string') return fromBytes(new TextEncoder().encode(input));
  if (input instanceof ArrayBuffer) return fromBytes(new Uint8Array(input));
  if (ArrayBuffer.isView(input)) return fromBytes(new Uint8Array(input.buffer, input.byteOffset, input.byteLength));
  if (isBlob(input)) return { chunks: readStream(input.stream()), totalBytes: input.size };
  if (isStream(input)) return { chunks: readStream(input) };
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

async function* sliceBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}

/** Must not be `for await` over the stream itself: not every browser can. */
async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // A stream hands out pieces of any size, and one look at the clock per piece must be enough.
      for (let start = 0; start < value.length; start += CHUNK_BYTES) yield value.subarray(start, start + CHUNK_BYTES);
    }
  } finally {
    // Must not wait: a source that hangs would hang its reader, too.
    reader.cancel().catch(() => undefined);
  }
}

function isBlob(input: unknown): input is Blob {
  return typeof Blob === 'function' && input instanceof Blob;
}

function isStream(input: unknown): input is ReadableStream<Uint8Array> {
  return typeof ReadableStream === 'function' && input instanceof ReadableStream;
}
