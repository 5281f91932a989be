import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type Module = typeof import('../../src/snapshot/utf8-length.ts');

const BATCH = 65_536;
const LETTERS = 'x'.repeat(BATCH);

/** Lengths of what was encoded since the last look. */
let encoded: number[] = [];

beforeEach(() => {
  // Must be fresh: the module finds out once what is fastest here.
  vi.resetModules();
  encoded = [];
  const encodeInto = TextEncoder.prototype.encodeInto;
  vi.spyOn(TextEncoder.prototype, 'encodeInto').mockImplementation(function (this: TextEncoder, text, buffer) {
    encoded.push(text.length);
    return encodeInto.call(this, text, buffer);
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function lookAtEncoded(): number[] {
  const seen = encoded;
  encoded = [];
  return seen;
}

/** A clock that shows these times, one after the other. */
function stubClock(times: readonly number[]): () => number {
  let looks = 0;
  vi.stubGlobal('performance', {
    now: () => {
      looks += 1;
      return times[looks - 1] ?? 0;
    },
  });
  return () => looks;
}

function runAll(work: Generator<undefined, unknown, undefined>): { pauses: number; result: unknown } {
  for (let pauses = 0; ; pauses += 1) {
    const step = work.next();
    if (step.done) return { pauses, result: step.value };
  }
}

/** The module, and that it has found out which way is faster: the one that took less time. */
async function load(scanTime: number, encodeTime: number): Promise<Module> {
  stubClock([100, 100 + scanTime, 200, 200 + encodeTime]);
  const module = await import('../../src/snapshot/utf8-length.ts');
  const counter = new module.Utf8Counter();
  runAll(counter.add(LETTERS));
  expect(counter.total()).toBe(BATCH);
  lookAtEncoded();
  return module;
}

function countShort({ Utf8Counter }: Module, texts: readonly string[]): [number, number[]] {
  const counter = new Utf8Counter();
  for (const text of texts) {
    expect(counter.isShort(text)).toBe(true);
    counter.addShort(text);
  }
  const before = lookAtEncoded();
  const total = counter.total();
  return [total, [...before, ...lookAtEncoded()]];
}

describe('where looking for ASCII is faster', () => {
  it.each([
    [1, 2],
    [1, 1_000],
  ])('(%i ms against %i ms) ASCII is only looked at, and the rest is joined', async (scanTime, encodeTime) => {
    const module = await load(scanTime, encodeTime);
    expect(countShort(module, ['a', 'b'.repeat(600), '', 'c'.repeat(BATCH)])).toEqual([601 + BATCH, []]);
    expect(countShort(module, ['é', 'ü'.repeat(600), 'plain'])).toEqual([2 + 1_200 + 5, [603]]);
    const counter = new module.Utf8Counter();
    runAll(counter.add('x'.repeat(3 * BATCH)));
    runAll(counter.add('é'.repeat(10)));
    expect(counter.total()).toBe(3 * BATCH + 20);
    expect(lookAtEncoded()).toEqual([10]);
  });
});

describe('where encoding is faster', () => {
  it.each([
    [2, 1],
    [1, 1],
  ])('(%i ms against %i ms) a text has a call of its own, and short ones are joined', async (scanTime, encodeTime) => {
    const module = await load(scanTime, encodeTime);
    expect(countShort(module, ['b'.repeat(257), 'é'.repeat(300)])).toEqual([857, [257, 300]]);
    expect(countShort(module, ['a'.repeat(256), 'é', 'c'])).toEqual([259, [256 + 1 + 3 + 1]]);
    const counter = new module.Utf8Counter();
    runAll(counter.add(LETTERS + LETTERS));
    expect(lookAtEncoded()).toEqual([BATCH, BATCH]);
    expect(counter.total()).toBe(2 * BATCH);
  });
});

describe('before that is known', () => {
  it('short texts are joined until a batch is full', async () => {
    const looks = stubClock([]);
    const module = await import('../../src/snapshot/utf8-length.ts');
    const half = 'é'.repeat(32_767);
    expect(countShort(module, [half, half])).toEqual([4 * 32_767, [2 * 32_768]]);
    expect(countShort(module, [half, `${half}é`])).toEqual([4 * 32_767 + 2, [BATCH + 1]]);
    expect(countShort(module, [half, `${half}éé`])).toEqual([4 * 32_767 + 4, [32_768, 32_770]]);
    expect(countShort(module, ['é'.repeat(BATCH)])).toEqual([2 * BATCH, [BATCH + 1]]);
    expect(countShort(module, [])).toEqual([0, []]);
    expect(looks()).toBe(0);
    expect(new module.Utf8Counter().isShort('x'.repeat(BATCH + 1))).toBe(false);
  });

  it('it is found out with the first batch of ASCII that is more than half full, and only then', async () => {
    const looks = stubClock([]);
    const module = await import('../../src/snapshot/utf8-length.ts');
    const counter = new module.Utf8Counter();
    runAll(counter.add('x'.repeat(BATCH / 2)));
    runAll(counter.add('é'.repeat(BATCH)));
    expect(looks()).toBe(0);
    lookAtEncoded();
    runAll(counter.add('x'.repeat(BATCH / 2 + 1)));
    expect(looks()).toBe(4);
    // Sixty-four texts as long as messages are, thirty-three times, and what was to be counted.
    const trials = lookAtEncoded();
    expect(trials).toHaveLength(64 * 33 + 1);
    expect(new Set(trials)).toEqual(new Set([501, BATCH / 2 + 1]));
    runAll(counter.add(LETTERS));
    expect(looks()).toBe(4);
    expect(counter.total()).toBe(BATCH / 2 + 2 * BATCH + BATCH / 2 + 1 + BATCH);
  });

  it('a clock that every host has will do', async () => {
    vi.stubGlobal('performance', undefined);
    const clock = vi.spyOn(Date, 'now');
    const { Utf8Counter } = await import('../../src/snapshot/utf8-length.ts');
    runAll(new Utf8Counter().add(LETTERS));
    expect(clock).toHaveBeenCalledTimes(4);
  });
});

describe('long work', () => {
  it.each([
    ['x', 1],
    ['é', 2],
  ])('looks at the clock after each million of %j', async (letter, bytes) => {
    const { Utf8Counter } = await load(1, 2);
    const counter = new Utf8Counter();
    expect(runAll(counter.add(letter.repeat(3 << 20))).pauses).toBe(3);
    expect(counter.isSliceDone()).toBe(false);
    expect(counter.total()).toBe(bytes * (3 << 20));
  });

  it.each([
    ['x', 1, 2],
    ['x', 2, 1],
    ['é', 1, 2],
    ['é', 2, 1],
  ])('counts what short texts of %j come to (%i, %i)', async (letter, scanTime, encodeTime) => {
    const { Utf8Counter } = await load(scanTime, encodeTime);
    const counter = new Utf8Counter();
    let slices = 0;
    for (let count = 0; count < 2_400; count += 1) {
      counter.addShort(letter.repeat(1_000));
      if (counter.isSliceDone()) slices += 1;
    }
    expect(slices).toBe(2);
  });

  it('never cuts a pair, and takes pieces that an engine converts at once', async () => {
    const { Utf8Counter } = await import('../../src/snapshot/utf8-length.ts');
    const counter = new Utf8Counter();
    runAll(counter.add(`a${'😀'.repeat(BATCH)}`));
    expect(counter.total()).toBe(1 + 4 * BATCH);
    expect(lookAtEncoded()).toEqual([BATCH - 1, BATCH, 2]);
    runAll(counter.add('😀'.repeat(BATCH)));
    expect(lookAtEncoded()).toEqual([BATCH, BATCH]);
  });
});

describe('the length of one text', () => {
  it.each([0, 1, 8_191, 8_192, 200_000])('of %i letters needs no buffer while it is short', async (length) => {
    const { utf8Length, countUtf8 } = await import('../../src/snapshot/utf8-length.ts');
    const text = 'é'.repeat(length);
    expect(utf8Length(text)).toBe(2 * length);
    expect(runAll(countUtf8(text)).result).toBe(2 * length);
    expect(lookAtEncoded().length > 0).toBe(length >= 8_192);
  });

  it('counts a lone surrogate as what takes its place, beside another text, too', async () => {
    const { Utf8Counter, utf8Length } = await import('../../src/snapshot/utf8-length.ts');
    expect(utf8Length('\ud83d')).toBe(3);
    const counter = new Utf8Counter();
    for (const text of ['\ud83d', '\ude00']) counter.addShort(text);
    expect(counter.total()).toBe(6);
  });
});
