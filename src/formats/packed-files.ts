import { Gunzip, Inflate } from 'fflate';
import { untilCancelled } from '../cancellation.ts';
import { describeType, SessionReferenceError } from '../error.ts';
import { joinBytes, readAll, sliceBytes } from './byte-source.ts';
import { findZipContent, listZipMembers, type ZipMember } from './zip-archive.ts';

/** Unpacks bytes: all frames of them. */
export type Decompress = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** One file: the input itself, or what was packed in it. */
export interface OpenedFile {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly fileName: string | undefined;
  /** Its name inside an archive. */
  readonly member?: string;
  /** Bytes of the input that have been taken; missing where they are those of the file. */
  readonly takenBytes?: () => number;
}

/** How to open files. */
export interface OpenOptions {
  readonly fileName?: string | undefined;
  /** Needed for zstd. */
  readonly decompressZstd?: Decompress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What may come out of one input, in bytes. Default: 2 GB. */
  readonly maxUnpackedBytes?: number;
}

/** The most bytes of a packed file that is held in memory as a whole: an archive, or zstd. */
const MAX_PACKED_BYTES = 1_000_000_000;
const MAX_UNPACKED_BYTES = 2_000_000_000;

/** Packed bytes that are unpacked in one go: deflate makes at most 1032 bytes of one, so these hold a thread for ms. */
const PACKED_PIECE_BYTES = 1 << 13;

/** The first bytes of what can be unpacked (RFC 1952, RFC 8878, PKWARE APPNOTE; an archive of nothing has its own). */
const MAGIC = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  zip: [0x50, 0x4b, 0x03, 0x04],
  emptyZip: [0x50, 0x4b, 0x05, 0x06],
} as const;

/** Members of an archive that can hold sessions. */
const MEMBER = /\.jsonl?$/i;

const STORED = 0;
const DEFLATED = 8;

/**
 * The files in an input: itself, or what gzip, zstd or zip packed. A member of an archive that cannot be unpacked fails
 * when its bytes are read, and costs no other.
 *
 * @param chunks - the input's bytes.
 * @param options - see {@link OpenOptions}.
 * @throws SessionReferenceError `INVALID_LOG` for what cannot be unpacked, `CANCELLED`.
 */
export async function* openFiles(
  chunks: AsyncIterable<Uint8Array>,
  options: OpenOptions = {},
): AsyncGenerator<OpenedFile> {
  const { fileName, maxUnpackedBytes = MAX_UNPACKED_BYTES } = options;
  const iterator = chunks[Symbol.asyncIterator]();
  const head = await readStart(iterator);
  const whole = restart(head, iterator);
  const budget = new UnpackedBudget(maxUnpackedBytes);
  if (startsWith(head, MAGIC.zip) || startsWith(head, MAGIC.emptyZip)) {
    yield* openArchive(await readAll(whole, MAX_PACKED_BYTES), budget);
  } else if (startsWith(head, MAGIC.gzip)) {
    const packed = new CountedBytes(whole, 0);
    yield { chunks: unpackStream('gzip', packed, budget), fileName, takenBytes: () => packed.taken };
  } else if (startsWith(head, MAGIC.zstd)) {
    const bytes = await decompress(await readZstd(whole, options), options);
    yield { chunks: sliceBytes(bytes), fileName };
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

async function readZstd(whole: AsyncIterable<Uint8Array>, { decompressZstd }: OpenOptions): Promise<Uint8Array> {
  if (decompressZstd !== undefined) return await readAll(whole, MAX_PACKED_BYTES);
  throw invalid('The file is compressed with zstd, and there is nothing here that can decompress it.');
}

async function decompress(packed: Uint8Array, { decompressZstd, signal }: OpenOptions): Promise<Uint8Array> {
  const unpacking = Promise.resolve(packed)
    .then(decompressZstd)
    .catch((cause: unknown) => {
      throw cannotUnpack('zstd', cause);
    });
  const bytes: unknown = await untilCancelled(unpacking, signal);
  // Must not ask for the class: bytes of another realm are bytes, too.
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  throw invalid(`The decompressor for zstd must return a Uint8Array, not ${describeType(bytes)}.`);
}

/** Bytes, and how many of them were taken. */
class CountedBytes implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterable<Uint8Array>;
  taken: number;

  constructor(chunks: AsyncIterable<Uint8Array>, taken: number) {
    this.#chunks = chunks;
    this.taken = taken;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#chunks) {
      for (const piece of cut(chunk)) {
        this.taken += piece.length;
        yield piece;
      }
    }
  }
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PACKED_PIECE_BYTES) {
    yield bytes.subarray(start, start + PACKED_PIECE_BYTES);
  }
}

/** What may still come out of an input: a small file can be packed so that it fills any memory. */
class UnpackedBudget {
  readonly #maximum: number;
  #left: number;

  constructor(maximum: number) {
    this.#maximum = maximum;
    this.#left = maximum;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left >= 0) return;
    throw invalid(`The file would unpack to more than ${Math.floor(this.#maximum / 1_000_000)} MB.`);
  }
}

async function* unpackStream(
  kind: 'gzip' | 'zip',
  packed: AsyncIterable<Uint8Array>,
  budget: UnpackedBudget,
): AsyncGenerator<Uint8Array> {
  let unpacked: Uint8Array[] = [];
  const take = (bytes: Uint8Array): void => void unpacked.push(bytes);
  const stream = kind === 'gzip' ? new Gunzip(take) : new Inflate(take);
  const push = (piece: Uint8Array, isLast: boolean): readonly Uint8Array[] => {
    unpacked = [];
    try {
      stream.push(piece, isLast);
    } catch (cause) {
      throw cannotUnpack(kind, cause);
    }
    for (const { length } of unpacked) budget.spend(length);
    return unpacked;
  };
  for await (const piece of packed) {
    for (const bytes of push(piece, false)) yield* sliceBytes(bytes);
  }
  for (const bytes of push(new Uint8Array(0), true)) yield* sliceBytes(bytes);
}

function* openArchive(bytes: Uint8Array, budget: UnpackedBudget): Generator<OpenedFile> {
  let isEmpty = true;
  for (const member of listMembers(bytes)) {
    if (!MEMBER.test(member.name) || member.name.startsWith('__MACOSX/')) continue;
    isEmpty = false;
    const packed = new CountedBytes(readMember(bytes, member), member.headerStart);
    const chunks = member.method === STORED ? packed : unpackStream('zip', packed, budget);
    yield { chunks, fileName: member.name, member: member.name, takenBytes: () => packed.taken };
  }
  if (isEmpty) throw invalid('The archive holds no JSON files.');
}

function listMembers(bytes: Uint8Array): readonly ZipMember[] {
  try {
    return [...listZipMembers(bytes)];
  } catch (cause) {
    throw cannotUnpack('zip', cause);
  }
}

/** The packed bytes of a member; looked for only now, so that a broken member fails by itself. */
async function* readMember(bytes: Uint8Array, member: ZipMember): AsyncGenerator<Uint8Array> {
  if (member.isEncrypted) throw invalid('The file is encrypted.');
  if (member.method !== STORED && member.method !== DEFLATED) {
    throw invalid('The file is packed in a way that cannot be unpacked here.');
  }
  const start = findContent(bytes, member);
  yield bytes.subarray(start, start + member.packedBytes);
}

function findContent(bytes: Uint8Array, member: ZipMember): number {
  try {
    return findZipContent(bytes, member);
  } catch (cause) {
    throw cannotUnpack('zip', cause);
  }
}

function cannotUnpack(kind: string, cause: unknown): SessionReferenceError {
  const message = `The file looks like ${kind}, but it cannot be unpacked.`;
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message, { cause });
}

function invalid(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}
