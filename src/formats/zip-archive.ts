/** A file in an archive, as its directory describes it. */
export interface ZipMember {
  /** Its path in the archive. Untrusted. */
  readonly name: string;
  readonly isEncrypted: boolean;
  /** How it is packed: 0 for not at all, 8 for deflate, others are not read here. */
  readonly method: number;
  readonly packedBytes: number;
  /** Where its own header stands in the archive. */
  readonly headerStart: number;
}

/** Signatures of the records of an archive, and their shortest lengths (PKWARE APPNOTE 6.3.10, section 4.3). */
const LOCAL_HEADER = { signature: 0x04034b50, bytes: 30 };
const DIRECTORY_ENTRY = { signature: 0x02014b50, bytes: 46 };
const DIRECTORY_END = { signature: 0x06054b50, bytes: 22 };
const ZIP64_DIRECTORY_END = { signature: 0x06064b50, bytes: 56 };
const ZIP64_LOCATOR = { signature: 0x07064b50, bytes: 20 };

/** The longest comment behind a directory. */
const MAX_COMMENT_BYTES = 0xffff;

/** Stands for a number that does not fit and is kept in a field of zip64. */
const ELSEWHERE = 0xffffffff;
const ZIP64_FIELD = 1;
const ENCRYPTED_FLAG = 1;

/**
 * The members of an archive, by its directory, which is walked once. Nothing is unpacked, and no size is believed.
 *
 * @param bytes - all of the archive.
 * @throws RangeError when the directory is missing or broken.
 */
export function* listZipMembers(bytes: Uint8Array): Generator<ZipMember> {
  const view = viewOf(bytes);
  const { start, count } = findDirectory(view);
  let entry = start;
  for (let index = 0; index < count; index += 1) {
    requireSignature(view, entry, DIRECTORY_ENTRY.signature);
    const nameBytes = view.getUint16(entry + 28, true);
    const extraBytes = view.getUint16(entry + 30, true);
    const nameStart = entry + DIRECTORY_ENTRY.bytes;
    const { packedBytes, headerStart } = readPlace(view, entry, nameStart + nameBytes, extraBytes);
    yield {
      name: new TextDecoder().decode(bytes.subarray(nameStart, nameStart + nameBytes)),
      isEncrypted: (view.getUint16(entry + 8, true) & ENCRYPTED_FLAG) !== 0,
      method: view.getUint16(entry + 10, true),
      packedBytes,
      headerStart,
    };
    entry = nameStart + nameBytes + extraBytes + view.getUint16(entry + 32, true);
  }
}

/**
 * Where the packed bytes of a member begin.
 *
 * @param bytes - all of the archive.
 * @param member - one of its members.
 * @throws RangeError when they do not stand where the directory says.
 */
export function findZipContent(bytes: Uint8Array, { headerStart, packedBytes }: ZipMember): number {
  const view = viewOf(bytes);
  requireSignature(view, headerStart, LOCAL_HEADER.signature);
  const nameBytes = view.getUint16(headerStart + 26, true);
  const extraBytes = view.getUint16(headerStart + 28, true);
  const start = headerStart + LOCAL_HEADER.bytes + nameBytes + extraBytes;
  if (start + packedBytes > bytes.length) throw new RangeError('The member does not end in the archive.');
  return start;
}

function findDirectory(view: DataView): { readonly start: number; readonly count: number } {
  const last = view.byteLength - DIRECTORY_END.bytes;
  for (let end = last; end >= Math.max(0, last - MAX_COMMENT_BYTES); end -= 1) {
    if (view.getUint32(end, true) !== DIRECTORY_END.signature) continue;
    const zip64 = findZip64Directory(view, end - ZIP64_LOCATOR.bytes);
    return zip64 ?? { start: view.getUint32(end + 16, true), count: view.getUint16(end + 10, true) };
  }
  throw new RangeError('The archive has no directory.');
}

function findZip64Directory(
  view: DataView,
  locator: number,
): { readonly start: number; readonly count: number } | undefined {
  if (locator < 0 || view.getUint32(locator, true) !== ZIP64_LOCATOR.signature) return undefined;
  const end = readLong(view, locator + 8);
  if (end + ZIP64_DIRECTORY_END.bytes > view.byteLength) return undefined;
  if (view.getUint32(end, true) !== ZIP64_DIRECTORY_END.signature) return undefined;
  return { start: readLong(view, end + 48), count: readLong(view, end + 32) };
}

/** Only the numbers that do not fit in the entry stand in its field of zip64, in this order. */
function readPlace(
  view: DataView,
  entry: number,
  extraStart: number,
  extraBytes: number,
): { readonly packedBytes: number; readonly headerStart: number } {
  let packedBytes = view.getUint32(entry + 20, true);
  let headerStart = view.getUint32(entry + 42, true);
  let field = findZip64Field(view, extraStart, extraStart + extraBytes);
  if (field === undefined) return { packedBytes, headerStart };
  if (view.getUint32(entry + 24, true) === ELSEWHERE) field += 8;
  if (packedBytes === ELSEWHERE) {
    packedBytes = readLong(view, field);
    field += 8;
  }
  if (headerStart === ELSEWHERE) headerStart = readLong(view, field);
  return { packedBytes, headerStart };
}

function findZip64Field(view: DataView, start: number, end: number): number | undefined {
  for (let field = start; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) === ZIP64_FIELD) return field + 4;
  }
  return undefined;
}

function readLong(view: DataView, start: number): number {
  return view.getUint32(start, true) + view.getUint32(start + 4, true) * 2 ** 32;
}

function requireSignature(view: DataView, start: number, signature: number): void {
  if (view.getUint32(start, true) !== signature) throw new RangeError('The archive has another record there.');
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
