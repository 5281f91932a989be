import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openAssemblyLogScanner } from '../../src/formats/scanning/assembly-log-scanner.ts';
import { JavaScriptLogScanner } from '../../src/formats/scanning/javascript-log-scanner.ts';
import {
  ENTRY,
  ENTRY_LENGTH,
  KIND,
  type LogScanner,
  type LogTexts,
  type ScanListener,
  type ScannerSettings,
} from '../../src/formats/scanning/log-scanner.ts';
import { SCANNER_MODULE } from '../../src/formats/scanning/scanner-module.ts';
import { hostileText, LAW_RUNS, sessionLog } from '../arbitraries.ts';

/** What a scanner told, in plain data; passed events that follow each other are one, however they were told. */
type Told =
  | { readonly passed: number; readonly seq: number }
  | { readonly kind: number; readonly seq: number; readonly raw: string; readonly bytes: number }
  | { readonly unread: string };

class Recorder implements ScanListener {
  readonly told: Told[] = [];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  onEntries(entries: Float64Array, texts: LogTexts): void {
    for (let at = 0; at < entries.length; at += ENTRY_LENGTH) {
      const field = (name: keyof typeof ENTRY): number => entries[at + ENTRY[name]] ?? Number.NaN;
      if (field('kind') === KIND.passed) {
        this.#pass(field('seq'), field('count'));
      } else {
        const raw = this.#decoder.decode(texts.read(field('text'), field('length')));
        this.told.push({ kind: field('kind'), seq: field('seq'), raw, bytes: field('bytes') });
      }
    }
  }

  onUnread(line: Uint8Array): void {
    this.told.push({ unread: this.#decoder.decode(line) });
  }

  #pass(seq: number, count: number): void {
    const last = this.told.at(-1);
    const follows = last !== undefined && 'passed' in last && (last.seq < 0 ? seq < 0 : seq === last.seq + last.passed);
    if (follows) this.told[this.told.length - 1] = { passed: last.passed + count, seq: last.seq };
    else this.told.push({ passed: count, seq });
  }
}

const SCANNERS: readonly [string, (settings: ScannerSettings) => Promise<LogScanner>][] = [
  ['JavaScript', async (settings) => new JavaScriptLogScanner(settings)],
  [
    'WebAssembly',
    async (settings) => {
      const scanner = await openAssemblyLogScanner(settings);
      if (scanner === undefined) throw new Error('there is no WebAssembly here');
      return scanner;
    },
  ],
];

async function scan(
  open: (settings: ScannerSettings) => Promise<LogScanner>,
  bytes: Uint8Array,
  pieceBytes: number,
  keptBytes: number,
): Promise<{ readonly told: readonly Told[]; readonly rest: string }> {
  const listener = new Recorder();
  const scanner = await open({ listener, keptBytes });
  // Must be the same buffer every time: a caller may overwrite what it handed over.
  const piece = new Uint8Array(pieceBytes);
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    const part = bytes.subarray(start, start + pieceBytes);
    piece.set(part);
    scanner.add(piece.subarray(0, part.length));
    piece.fill(0x22);
  }
  return { told: listener.told, rest: new TextDecoder().decode(scanner.rest()) };
}

function toBytes(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.join('\n'));
}

const EVENT_TYPES = [
  ...['user/message', 'assistant/message', 'steering/message', 'tool/result', 'text-chunks', 'reasoning-chunks'],
  ...['tool-call-chunks', 'session/title', 'session', 'assistant/chunk'],
];
const KEYS = [
  ...['type', 'seq', 'seq0', 'data', 'message', 'content', 'source', 'kind', 'plugin', 'text', 'texts', 'args'],
  ...['envelope', 'surfaceOp', 'id', ''],
];
const WORDS = [
  'text',
  'user',
  'plugin',
  'compact',
  'append',
  'hello',
  '',
  ' ',
  '\u3000\n',
  '\u0085',
  '\ufeff',
  '"',
  '\\',
];

const NUMBERS = ['0', '7', '12', '-1', '2.5', '1e3', '1E3', '9007199254740991', '9007199254740993', 'true', 'null'];
const ESCAPES = [
  '\\n',
  '\\"',
  '\\\\',
  '\\/',
  '\\u0041',
  '\\u007f',
  '\\u0080',
  '\\u07ff',
  '\\u0800',
  '\\u20ac',
  '\\ud83d\\ude00',
  '\\ud800',
  '\\udbff\\udfff',
  '\\udfff',
];

const spelled = (words: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...words.map((word) => JSON.stringify(word)));
const string = fc.oneof(
  { weight: 5, arbitrary: spelled(WORDS) },
  { weight: 2, arbitrary: spelled(EVENT_TYPES) },
  { weight: 2, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom(...ESCAPES, 'a', '€'), { maxLength: 5 }).map((parts) => `"${parts.join('')}"`),
  },
);
const space = fc.constantFrom('', '', '', '', ' ', '\t', '\r');

/** JSON as it may be written: keys twice, in any order, with space anywhere. */
const { value, object } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    string,
    fc.constantFrom(...NUMBERS),
    tie('object'),
    tie('list'),
  ),
  object: fc
    .array(fc.tuple(spelled(KEYS), space, tie('value'), space), { maxLength: 4 })
    .map((fields) => `{${fields.map(([key, before, field, after]) => `${key}:${before}${field}${after}`).join(',')}}`),
  list: fc.array(tie('value'), { maxLength: 3 }).map((members) => `[${members.join(',')}]`),
}));

/** Mostly what a message has in a place, sometimes anything. */
const mostly = (arbitrary: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary }, { weight: 1, arbitrary: value });
const fields = (shape: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(...Object.entries(shape).map(([key, field]) => field.map((text) => `"${key}":${text}`))),
      fc.option(fc.tuple(spelled(KEYS), value), { freq: 4, nil: undefined }),
      fc.nat(5),
      fc.boolean(),
    )
    .map(([all, extra, place, isReversed]) => {
      const written = isReversed ? all.toReversed() : [...all];
      if (extra !== undefined) written.splice(place, 0, extra.join(':'));
      return `{${written.join(',')}}`;
    });
const block = fields({ type: mostly(fc.constantFrom('"text"', '"text"', '"image"')), text: mostly(string) });
const source = fields({
  kind: mostly(spelled(['user', 'plugin', 'model'])),
  plugin: mostly(spelled(['compact', 'x'])),
});
const content = fc.array(mostly(block), { maxLength: 3 }).map((blocks) => `[${blocks.join(',')}]`);
const message = fields({ content: mostly(fc.oneof(content, string)), source: mostly(source) });
const data = fc.oneof(message, fields({ turn: fc.constant('1'), message: mostly(message) }), object);
const chunks = fields({
  texts: mostly(fc.array(mostly(string), { maxLength: 4 }).map((texts) => `[${texts.join(',')}]`)),
});
const row = fc
  .tuple(
    spelled(EVENT_TYPES),
    fc.option(
      fc.oneof({ weight: 9, arbitrary: fc.nat(20).map(String) }, { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) }),
      { freq: 6, nil: undefined },
    ),
    fc.oneof(data, chunks),
    fc.constantFrom('', '', ',"surfaceOp":"append"', ',"surfaceOp":{"op":"replace","start":0,"end":0}', ',"time":1.5'),
    fc.boolean(),
  )
  .map(([type, seq, body, end, isEarly]) => {
    const number = seq === undefined ? '' : `,"seq":${seq}`;
    return `{"type":${type}${isEarly ? number : ''},"data":${body}${isEarly ? '' : number}${end}}`;
  });

/** A row as it is, or with a piece missing or too much. */
const line = fc.oneof(
  { weight: 8, arbitrary: row },
  { weight: 2, arbitrary: sessionLog.map((events) => events.map((event) => JSON.stringify(event)).join('\n')) },
  { weight: 1, arbitrary: object },
  {
    weight: 3,
    arbitrary: fc
      .tuple(row, fc.nat(200), fc.nat(3), fc.constantFrom('', '"', '\\', '{', '}', ',', '\n', '\\u12', '\0'))
      .map(([text, at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed)),
  },
);

describe('the scanners of logs', () => {
  it('tell the same, whatever the log and however it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3_000 }),
        fc.constantFrom(1, 100, 10_000, Number.POSITIVE_INFINITY),
        async (lines, pieceBytes, keptBytes) => {
          const [[, javaScript], [, assembly]] = SCANNERS as [(typeof SCANNERS)[0], (typeof SCANNERS)[0]];
          const bytes = toBytes(lines);
          expect(await scan(assembly, bytes, pieceBytes, keptBytes)).toEqual(
            await scan(javaScript, bytes, pieceBytes, keptBytes),
          );
        },
      ),
      { numRuns: LAW_RUNS },
    );
  });

  it.each(SCANNERS)('in %s keeps the newest texts, and forgets the others', async (_, open) => {
    const listener = new Recorder();
    const scanner = await open({ listener, keptBytes: 1_000 });
    const messages = 100_000;
    const row = (seq: number): string =>
      JSON.stringify({ type: 'assistant/message', seq, data: { content: `text ${seq}` } });
    for (let seq = 0; seq < messages; seq += 100) {
      scanner.add(toBytes([...Array.from({ length: 100 }, (__, index) => row(seq + index)), '']));
    }
    expect(listener.told).toHaveLength(messages);
    expect(listener.told.at(-1)).toEqual({ kind: KIND.assistant, seq: 99_999, raw: 'text 99999', bytes: 10 });
    const total = listener.told.reduce((sum, told) => sum + ('raw' in told ? told.raw.length : 0), 0);
    expect(new TextDecoder().decode(scanner.read(total - 10, 10))).toBe('text 99999');
    expect(new TextDecoder().decode(scanner.read(total - 1_000, 10))).toBe('text 99900');
    expect(scanner.read(0, 6)).toBeUndefined();
  });

  it.each(SCANNERS)('in %s takes a long line in many pieces', async (_, open) => {
    const text = '0123456789'.repeat(300_000);
    const row = JSON.stringify({ type: 'assistant/message', seq: 0, data: { content: text } });
    const { told, rest } = await scan(open, toBytes([row, 'rest']), 10_000, Number.POSITIVE_INFINITY);
    expect(told).toEqual([{ kind: KIND.assistant, seq: 0, raw: text, bytes: text.length }]);
    expect(rest).toBe('rest');
  });
});

describe('the module of the scanner', () => {
  it('is what its sources compile to', async () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const folder = await mkdtemp(join(tmpdir(), 'scanner-'));
    try {
      const file = join(folder, 'scanner.wasm');
      await promisify(execFile)(process.execPath, [join(root, 'build.mjs'), '--scanner', file], { cwd: root });
      expect((await readFile(file)).toString('base64')).toBe(SCANNER_MODULE);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 60_000);
});

describe('without WebAssembly', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each<[string, unknown]>([
    ['is missing', undefined],
    ['is forbidden', { compile: () => Promise.reject(new WebAssembly.CompileError('a policy')) }],
  ])('that %s, the other scanner reads', async (_, replaced) => {
    vi.resetModules();
    vi.stubGlobal('WebAssembly', replaced);
    const { readSessionConversation } = await import('../../src/formats/index.ts');
    const rows = [
      { type: 'session', version: 0, id: 's', createdAt: 1 },
      { type: 'assistant/message', seq: 0, data: { content: 'hello' } },
    ];
    const { units } = await readSessionConversation(toBytes([...rows.map((row) => JSON.stringify(row)), '']), 100);
    expect(units).toEqual([{ role: 'assistant', text: 'hello', checkpoint: false }]);
  });
});
