import { gunzipSync, type UnzipFileInfo, unzipSync } from 'fflate';
import { SessionReferenceError } from '../error.ts';
import { joinBytes, readAll, toByteSource } from './byte-source.ts';

/** Unpacks bytes: all frames of them. */
export type Decompress = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** One file: the input itself, or what was packed in it. */
export interface OpenedFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly fileName: string | undefined;
  /** Its name inside an archive. */
  readonly member?: string;
}

/** The most bytes of a packed file, and of what comes out of it; both are held in memory. */
const MAX_PACKED_BYTES = 1_000_000_000;
const MAX_UNPACKED_BYTES = 2_000_000_000;

/** The first bytes of what can be unpacked (RFC 1952, RFC 8878, PKWARE APPNOTE). */
const MAGIC = { gzip: [0x1f, 0x8b], zstd: [0x28, 0xb5, 0x2f, 0xfd], zip: [0x50, 0x4b, 0x03, 0x04] } as const;

/** Members of an archive that can hold sessions. */
const MEMBER = /\.jsonl?$/i;

/**
 * The files in an input: itself, or what gzip, zstd or zip packed.
 *
 * @param chunks - the input's bytes.
 * @param fileName - its name, where it is known.
 * @param decompressZstd - needed for zstd.
 * @throws SessionReferenceError `INVALID_LOG` for what cannot be unpacked.
 */
export async function* openFiles(
  chunks: AsyncIterable<Uint8Array>,
  fileName: string | undefined,
  decompressZstd: Decompress | undefined,
): AsyncGenerator<OpenedFile> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await readStart(iterator);
  const whole = restart(head, iterator);
  if (startsWith(head, MAGIC.zip)) {
    yield* openArchive(await readAll(whole, MAX_PACKED_BYTES));
  } else if (startsWith(head, MAGIC.gzip)) {
    const bytes = await readAll(whole, MAX_PACKED_BYTES);
    yield { chunks: toByteSource(unpack('gzip', () => gunzipSync(bytes))).chunks, fileName };
  } else if (startsWith(head, MAGIC.zstd)) {
    if (decompressZstd === undefined) {
      throw invalid('The file is compressed with zstd, and there is nothing here that can decompress it.');
    }
    const bytes = await decompressZstd(await readAll(whole, MAX_PACKED_BYTES));
    yield { chunks: toByteSource(bytes).chunks, fileName };
  } else {
    yield { chunks: whole, fileName };
  }
}

async function readStart(iterator: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < MAGIC.zstd.length) {
    const { done, value } = await iterator.next();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  return joinBytes(parts, length);
}

async function* restart(head: Uint8Array, iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    for (;;) {
      const { done, value } = await iterator.next();
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

function* openArchive(bytes: Uint8Array): Generator<OpenedFile> {
  const members = listMembers(bytes);
  if (members.length === 0) throw invalid('The archive holds no JSON files.');
  for (const { name } of members) {
    // Must unpack one at a time: together they can be more than there is memory.
    const unpacked = unpack('zip', () => unzipSync(bytes, { filter: (file) => file.name === name }));
    const [content] = Object.values(unpacked);
    if (content !== undefined) yield { chunks: toByteSource(content).chunks, fileName: name, member: name };
  }
}

/** The sizes that an archive states are believed only where they are harmless. */
function listMembers(bytes: Uint8Array): UnzipFileInfo[] {
  const members: UnzipFileInfo[] = [];
  unpack('zip', () =>
    unzipSync(bytes, {
      filter: (file) => {
        if (MEMBER.test(file.name) && !file.name.startsWith('__MACOSX/')) members.push(file);
        return false;
      },
    }),
  );
  const unpackedBytes = members.reduce((sum, { originalSize }) => sum + originalSize, 0);
  if (unpackedBytes > MAX_UNPACKED_BYTES) throw invalid('The archive would unpack to more than 2 GB.');
  return members;
}

function unpack<Result>(kind: string, run: () => Result): Result {
  try {
    return run();
  } catch (cause) {
    const message = `The file looks like ${kind}, but it cannot be unpacked.`;
    throw new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message, { cause });
  }
}

function invalid(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}
