import { gzipSync, strFromU8, strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { type ReadSessionsOptions, type ReadWarning, readSessions } from '../../src/formats/index.ts';
import { openFiles } from '../../src/formats/packed-files.ts';
import { findZipContent, listZipMembers } from '../../src/formats/zip-archive.ts';

const INVALID = 'SESSION_REFERENCE_INVALID_LOG';

function toLog(id: string, text = 'hi'): Uint8Array {
  const data = { content: [{ type: 'text', text }], source: { kind: 'user' } };
  const rows = [
    { type: 'session', version: 0, id, createdAt: 1 },
    { type: 'user/message', data, surfaceOp: 'append' },
  ];
  return strToU8(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
}

async function readIds(input: unknown, options: ReadSessionsOptions = {}): Promise<[string[], ReadWarning[]]> {
  const warnings: ReadWarning[] = [];
  const ids: string[] = [];
  const sessions = readSessions(input, { ...options, onWarning: (warning) => warnings.push(warning) });
  for await (const { header } of sessions) ids.push(header.id);
  return [ids, warnings];
}

/** Text of which little can be saved, so that it is packed as it stands only in pieces of some length. */
function noise(length: number): string {
  let state = 1;
  const next = (): string => {
    state = (state * 48_271) % 2_147_483_647;
    return (state % 36).toString(36);
  };
  return Array.from({ length }, next).join('');
}

function indexOf(bytes: Uint8Array, name: string, isLast: boolean): number {
  const text = strFromU8(bytes, true);
  return isLast ? text.lastIndexOf(name) : text.indexOf(name);
}

describe('an archive', () => {
  const archive = zipSync({
    'a.jsonl': toLog('a', noise(3_000)),
    'b.jsonl': toLog('b', noise(3_000)),
    'c.jsonl': [toLog('c'), { level: 0 }],
  });
  const entryOf = (name: string): number => indexOf(archive, name, true) - 46;

  const contentOf = (name: string): number => indexOf(archive, name, false) + name.length;

  it('is listed as its directory says', () => {
    const members = [...listZipMembers(archive)];
    expect(members.map(({ name, method }) => [name, method])).toEqual([
      ['a.jsonl', 8],
      ['b.jsonl', 8],
      ['c.jsonl', 0],
    ]);
    const [, , stored] = members;
    const start = stored === undefined ? -1 : findZipContent(archive, stored);
    expect(archive.subarray(start, start + (stored?.packedBytes ?? 0))).toEqual(toLog('c'));
  });

  it.each<[string, (bytes: Uint8Array) => void, RegExp]>([
    ['is damaged', (bytes) => bytes.fill(0xff, contentOf('b.jsonl'), contentOf('b.jsonl') + 12), /cannot be unpacked/],
    ['is packed in another way', (bytes) => bytes.fill(99, entryOf('b.jsonl') + 10, entryOf('b.jsonl') + 11), /a way/],
    ['is encrypted', (bytes) => bytes.fill(1, entryOf('b.jsonl') + 8, entryOf('b.jsonl') + 9), /encrypted/],
    [
      'does not stand where it should',
      (bytes) => bytes.fill(7, entryOf('b.jsonl') + 42, entryOf('b.jsonl') + 43),
      /zip/,
    ],
    ['is longer than the archive', (bytes) => bytes.fill(9, entryOf('b.jsonl') + 22, entryOf('b.jsonl') + 24), /zip/],
  ])('of which one member %s gives the others', async (_, damage, message) => {
    const bytes = archive.slice();
    damage(bytes);
    const [ids, warnings] = await readIds(bytes);
    expect(ids).toEqual(['a', 'c']);
    expect(warnings).toMatchObject([{ code: 'LOST_SESSION', where: '"b.jsonl"' }]);
    expect(warnings[0]?.message).toMatch(message);
  });

  it('of which nothing can be read is the error of its first member', async () => {
    const bytes = zipSync({ 'a.json': strToU8('{"theme":"dark"}'), 'b.json': strToU8('') });
    await expect(readIds(bytes)).rejects.toMatchObject({ code: INVALID, message: /no known format/ });
  });

  it.each([
    ['nothing', zipSync({})],
    ['no JSON', zipSync({ 'a.txt': toLog('a'), '__MACOSX/a.json': toLog('b') })],
  ])('of %s says so', async (_, bytes) => {
    await expect(readIds(bytes)).rejects.toMatchObject({ code: INVALID, message: /holds no JSON files/ });
  });

  it('without its directory is refused', async () => {
    await expect(readIds(archive.subarray(0, archive.length - 30))).rejects.toMatchObject({ code: INVALID });
  });

  it('may have a comment behind its directory', async () => {
    const comment = strToU8('comment');
    const bytes = new Uint8Array([...archive, ...comment]);
    bytes[archive.length - 2] = comment.length;
    expect(await readIds(bytes)).toEqual([['a', 'b', 'c'], []]);
  });

  it('may keep its numbers in fields of zip64', async () => {
    expect(await readIds(toZip64('a.jsonl', toLog('a')))).toEqual([['a'], []]);
  });

  it('of very many members is walked once', async () => {
    const content: [Uint8Array, { level: 0 }] = [toLog('a'), { level: 0 }];
    const names = Array.from({ length: 40_000 }, (_, index) => `${index}.jsonl`);
    const bytes = zipSync(Object.fromEntries(names.map((name) => [name, content])));
    let opened = 0;
    for await (const _ of openFiles(chunksOf(bytes))) opened += 1;
    expect(opened).toBe(names.length);
  });

  it('tells by its own bytes how far it is', async () => {
    const reads: number[] = [];
    const onProgress = ({ readBytes }: { readonly readBytes: number }): void => void reads.push(readBytes);
    await readIds(zipSync({ 'a.jsonl': toLog('a', 'x'.repeat(10_000_000)) }), { onProgress });
    expect(reads.length).toBeGreaterThan(2);
    expect(reads).toEqual(reads.toSorted((one, other) => one - other));
    expect(Math.max(...reads)).toBeLessThan(100_000);
  });
});

describe('gzip', () => {
  const packed = gzipSync(toLog('a', noise(50_000)));

  it('may be several files, one behind the other', async () => {
    const several = new Uint8Array([...packed, ...gzipSync(toLog('b')), ...gzipSync(toLog('c'))]);
    expect(await readIds(several)).toEqual([['a', 'b', 'c'], []]);
  });

  it('is not believed in how long it says it is', async () => {
    const bytes = packed.slice().fill(1, packed.length - 4);
    expect(await readIds(bytes)).toEqual([['a'], []]);
  });

  it.each([
    ['cut off', packed.subarray(0, packed.length >> 1)],
    ['damaged', packed.slice().fill(0xff, 20, 60)],
  ])('that is %s is refused', async (_, bytes) => {
    await expect(readIds(bytes)).rejects.toMatchObject({ code: INVALID, message: /looks like gzip/ });
  });

  it('is unpacked while it is read, and hears an abort', async () => {
    const bytes = gzipSync(toLog('a', 'x'.repeat(200_000_000)), { level: 1 });
    const abort = new AbortController();
    const reads: number[] = [];
    const onProgress = ({ readBytes }: { readonly readBytes: number }): void => {
      reads.push(readBytes);
      if (reads.length === 2) abort.abort();
    };
    await expect(readIds(bytes, { onProgress, signal: abort.signal })).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_CANCELLED',
    });
    expect(reads[1]).toBeLessThan(bytes.length / 2);
  });
});

describe('what comes out', () => {
  it.each([
    ['gzip', gzipSync(new Uint8Array(3_000_000))],
    ['zip', zipSync({ 'a.json': new Uint8Array(1_500_000), 'b.json': new Uint8Array(1_500_000) })],
  ])('of %s is bounded', async (_, bytes) => {
    let length = 0;
    const unpack = async (): Promise<void> => {
      for await (const { chunks } of openFiles(chunksOf(bytes), { maxUnpackedBytes: 2_000_000 })) {
        for await (const chunk of chunks) length += chunk.length;
      }
    };
    await expect(unpack()).rejects.toMatchObject({ code: INVALID, message: /more than 2 MB/ });
    expect(length).toBeLessThanOrEqual(2_000_000);
  });
});

describe('zstd', () => {
  const packed = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3]);

  it.each<[string, () => unknown, RegExp]>([
    ['fails', () => Promise.reject(new Error('hunter2')), /looks like zstd/],
    [
      'throws',
      () => {
        throw new Error('hunter2');
      },
      /looks like zstd/,
    ],
    ['returns text', () => 'hunter2', /Uint8Array, not a string/],
  ])('whose decompressor %s is refused', async (_, decompressZstd, message) => {
    const options = { decompressZstd } as ReadSessionsOptions;
    await expect(readIds(packed, options)).rejects.toMatchObject({ code: INVALID, message });
  });

  it('hears an abort while it is decompressed', async () => {
    const decompressZstd = (): Promise<Uint8Array> => new Promise(() => undefined);
    await expect(readIds(packed, { decompressZstd, signal: AbortSignal.timeout(20) })).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_CANCELLED',
    });
  });
});

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** An archive of one member that is not packed, with every number of its directory in a field of zip64. */
function toZip64(name: string, content: Uint8Array): Uint8Array {
  const nameBytes = strToU8(name);
  const local = record(30, [0x04034b50, 0, 4], [content.length, 18, 4], [content.length, 22, 4], [name.length, 26, 2]);
  const entry = record(
    46,
    [0x02014b50, 0, 4],
    [0xffffffff, 20, 4],
    [0xffffffff, 24, 4],
    [name.length, 28, 2],
    [4 + 4 + 28, 30, 2],
    [0xffffffff, 42, 4],
  );
  const otherField = record(4, [0x5455, 0, 2]);
  const field = record(32, [1, 0, 2], [28, 2, 2], [content.length, 4, 8], [content.length, 12, 8]);
  const start = local.length + name.length + content.length;
  const end = start + entry.length + name.length + otherField.length + field.length;
  return new Uint8Array([
    ...[...local, ...nameBytes, ...content, ...entry, ...nameBytes, ...otherField, ...field],
    ...record(56, [0x06064b50, 0, 4], [1, 32, 8], [start, 48, 8]),
    ...record(20, [0x07064b50, 0, 4], [end, 8, 8]),
    ...record(22, [0x06054b50, 0, 4], [0xffff, 10, 2], [0xffffffff, 16, 4]),
  ]);
}

/** Numbers, each with its place and its length in bytes. */
function record(bytes: number, ...fields: readonly (readonly [number, number, number])[]): Uint8Array {
  const made = new Uint8Array(bytes);
  for (const [value, start, length] of fields) {
    for (let index = 0; index < length; index += 1) made[start + index] = Math.floor(value / 256 ** index) % 256;
  }
  return made;
}
