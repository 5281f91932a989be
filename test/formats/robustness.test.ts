import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { gzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { readSessions } from '../../src/formats/index.ts';
import { isSessionReferenceError } from '../../src/index.ts';
import { foldSurface } from '../../src/session/surface.ts';
import { LAW_RUNS } from '../arbitraries.ts';

const encoder = new TextEncoder();

/** Small files to be damaged; real ones are added where there are some. */
const OWN_FILES: readonly Uint8Array[] = [
  '{"type":"session","version":0,"id":"s","createdAt":1}\n{"type":"user/message","data":{"content":[{"type":"text","text":"hi"}],"source":{"kind":"user"}},"surfaceOp":"append"}\n',
  '[{"id":"1","role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"2","role":"assistant","parts":[{"type":"text","text":"ho"}]}]',
  '{"mapping":{"a":{"id":"a","parent":null,"children":["b"]},"b":{"id":"b","parent":"a","children":[],"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["hi"]}}}},"current_node":"b"}',
].map((text) => encoder.encode(text));

function listSamples(folder: string): Uint8Array[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path);
    if (stats.isDirectory()) return listSamples(path);
    return stats.size < 40_000 && /\.jsonl?$/.test(name) ? [readFileSync(path)] : [];
  });
}

/** The same, packed in each way that can be unpacked here, and as it stands in an archive. */
const PACKED_FILES: readonly Uint8Array[] = [
  ...OWN_FILES.map((file) => gzipSync(file)),
  zipSync(Object.fromEntries(OWN_FILES.map((file, index) => [`${index}.json`, file]))),
  zipSync(Object.fromEntries(OWN_FILES.map((file, index) => [`${index}.jsonl`, [file, { level: 0 }]]))),
];

const FILES = [...OWN_FILES, ...(process.env.SAMPLES_DIR === undefined ? [] : listSamples(process.env.SAMPLES_DIR))];

/** One damage to a file: bytes that are replaced at a place, given as a part of the file. */
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.oneof(fc.nat(3), fc.nat(2_000)),
  insert: fc.oneof(
    fc.constantFrom(
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      '\n',
      '\\',
      'null',
      '{}',
      '[]',
      '""',
      '"__proto__":',
      '\u0000',
      '1e999',
    ),
    fc.string(),
  ),
});

type Damage = { readonly at: number; readonly remove: number; readonly insert: string };

function apply(bytes: Uint8Array, { at, remove, insert }: Damage): Uint8Array {
  const start = Math.floor(at * bytes.length);
  const parts = [
    bytes.subarray(0, start),
    encoder.encode(insert),
    bytes.subarray(Math.min(bytes.length, start + remove)),
  ];
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}

/** Read everything: sessions that fold, warnings of bounded size, or a coded error; never anything else. */
async function readAll(input: unknown): Promise<void> {
  const prototypeKeys = Object.getOwnPropertyNames(Object.prototype).length;
  try {
    const onWarning = ({ where, message }: { where: string; message: string }): void => {
      expect(where.length + message.length).toBeLessThan(1_000);
    };
    for await (const { header, events } of readSessions(input, { onWarning, pause: () => Promise.resolve() })) {
      expect(typeof header.id).toBe('string');
      expect(Number.isFinite(header.createdAt)).toBe(true);
      foldSurface(events);
    }
  } catch (error) {
    if (!isSessionReferenceError(error)) throw error;
    expect(error.message.length).toBeLessThan(2_000);
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(prototypeKeys);
}

it('reads or refuses any bytes', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), readAll), { numRuns: LAW_RUNS });
});

it('reads or refuses any JSON value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), async (value, isText) => {
      await readAll(isText ? JSON.stringify(value) : value);
    }),
    { numRuns: LAW_RUNS },
  );
});

it('reads or refuses files that were damaged', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FILES),
      fc.array(damage, { minLength: 1, maxLength: 6 }),
      async (file, damages) => {
        await readAll(damages.reduce<Uint8Array>(apply, file));
      },
    ),
    { numRuns: Math.max(10_000, LAW_RUNS) },
  );
}, 300_000);

it('unpacks or refuses packed files that were damaged', async () => {
  const bytes = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
    minLength: 1,
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PACKED_FILES), bytes, async (file, changes) => {
      const damaged = file.slice();
      for (const [at, byte] of changes) damaged[Math.floor(at * damaged.length)] = byte;
      await readAll(damaged);
    }),
    { numRuns: Math.max(10_000, LAW_RUNS) },
  );
}, 300_000);
