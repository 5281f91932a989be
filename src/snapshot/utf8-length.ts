import { runAtOnce, type SlicedWork } from '../slices.ts';
import { isPairAt } from './tag-safe-json.ts';

/** Code units that are encoded together: large enough that a call costs nothing, small enough to stay in the cache. */
const BATCH_UNITS = 1 << 16;
/** A batch and the line break behind it; no code unit takes more than three bytes in UTF-8. */
const BATCH_BYTES = 3 * (BATCH_UNITS + 1);
/** Code units from which a text is worth a call of its own where calls are cheap. */
const CALL_UNITS = 256;
/** How many code units make a slice of work; encoding them takes about a millisecond. */
const SLICE_UNITS = 1 << 20;

/**
 * Counts the UTF-8 bytes of texts. A lone surrogate counts 3, as the U+FFFD that an encoder writes for it.
 *
 * Two ways are the fastest, each by far in its engines: encoding into a buffer that is thrown away, and looking whether
 * a text is ASCII, of which every code unit is one byte. Short texts are joined for encoding where a call is dear.
 */
export class Utf8Counter {
  readonly #encoder = new TextEncoder();
  #batch = '';
  #bytes = 0;
  #sliceUnits = 0;

  /**
   * Count one text more; as sliced work, since one text can be as long as a session.
   *
   * @param text - any string.
   */
  *add(text: string): SlicedWork<void> {
    for (let start = 0; start < text.length; ) {
      // Must hand over bounded pieces: some engines convert the whole string before they encode its start.
      const end = pieceEnd(text, start);
      this.#count(text.slice(start, end));
      start = end;
      if (this.isSliceDone()) yield;
    }
  }

  /**
   * Whether a text may be given to {@link Utf8Counter.addShort}.
   *
   * @param text - any string.
   */
  isShort(text: string): boolean {
    return text.length <= BATCH_UNITS;
  }

  /**
   * {@link Utf8Counter.add} of a short text, without the cost of a generator.
   *
   * @param text - a short text.
   */
  addShort(text: string): void {
    if (fastestWay === 'scan' && ASCII.test(text)) {
      this.#bytes += text.length;
      this.#sliceUnits += text.length;
      return;
    }
    if (fastestWay === 'encode' && text.length > CALL_UNITS) {
      this.#bytes += this.#encode(text);
      this.#sliceUnits += text.length;
      return;
    }
    if (this.#batch.length + text.length > BATCH_UNITS) this.#flush();
    // Must part the texts: a surrogate that ends one and one that begins the next are no pair.
    this.#batch += `${text}\n`;
    this.#bytes -= 1;
  }

  /** Whether about a millisecond of work was done since this was last true. */
  isSliceDone(): boolean {
    if (this.#sliceUnits < SLICE_UNITS) return false;
    this.#sliceUnits = 0;
    return true;
  }

  /** The bytes of all texts so far. */
  total(): number {
    this.#flush();
    return this.#bytes;
  }

  #flush(): void {
    const batch = this.#batch;
    this.#batch = '';
    this.#count(batch);
  }

  /** @param text - at most a batch and one line break. */
  #count(text: string): void {
    if (text === '') return;
    this.#sliceUnits += text.length;
    if (fastestWay === undefined && text.length > BATCH_UNITS / 2 && ASCII.test(text)) this.#findFastestWay(text);
    this.#bytes += fastestWay === 'scan' && ASCII.test(text) ? text.length : this.#encode(text);
  }

  #encode(text: string): number {
    // Must not cost a buffer where nothing is counted, nor one for each counter: clearing it takes longer than a snapshot.
    buffer ??= new Uint8Array(BATCH_BYTES);
    return this.#encoder.encodeInto(text, buffer).written;
  }

  /** Must be tried on texts as short as messages are: that is where a call may cost more than its work. */
  #findFastestWay(text: string): void {
    // Must be joined to something: what is only cut out of another text is slower to read in some engines.
    const pieces = Array.from(
      { length: TRIAL_TEXTS },
      (_, index) => ` ${text.slice(index * TRIAL_UNITS, (index + 1) * TRIAL_UNITS)}`,
    );
    const scanTime = timeTrials(pieces, (piece) => ASCII.test(piece));
    fastestWay = scanTime < timeTrials(pieces, (piece) => this.#encode(piece)) ? 'scan' : 'encode';
  }
}

/** Where texts are encoded to be counted; what is in it is never read. */
let buffer: Uint8Array<ArrayBuffer> | undefined;

const ASCII = /^[\0-\x7f]*$/;

/** How this engine counts ASCII fastest; found out once, with the first long text, in about a millisecond. */
let fastestWay: 'scan' | 'encode' | undefined;

/** Texts of a trial, and their length: half of what makes the trial worth it. */
const TRIAL_TEXTS = 64;
const TRIAL_UNITS = 500;
/** Enough for clocks that tick every 0.1 ms, as those of browsers do. */
const TRIALS = 32;

function timeTrials(texts: readonly string[], count: (text: string) => unknown): number {
  // Must not count the first round, in which nothing is compiled yet.
  for (const text of texts) count(text);
  const start = now();
  for (let trial = 0; trial < TRIALS; trial += 1) for (const text of texts) count(text);
  return now() - start;
}

function now(): number {
  const { performance } = globalThis as { readonly performance?: { now(): number } };
  return performance === undefined ? Date.now() : performance.now();
}

/**
 * The UTF-8 bytes of one text, as sliced work.
 *
 * @param text - any string; a lone surrogate counts 3.
 */
export function* countUtf8(text: string): SlicedWork<number> {
  // Must not cost a buffer for a short text: most are.
  if (text.length < SHORT_UNITS) return new TextEncoder().encode(text).length;
  const counter = new Utf8Counter();
  yield* counter.add(text);
  return counter.total();
}

/**
 * The UTF-8 bytes of one text.
 *
 * @param text - any string; a lone surrogate counts 3.
 */
export function utf8Length(text: string): number {
  return text.length < SHORT_UNITS ? new TextEncoder().encode(text).length : runAtOnce(countUtf8(text));
}

const SHORT_UNITS = 1 << 13;

function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + BATCH_UNITS, text.length);
  return end < text.length && isPairAt(text, end - 1) ? end - 1 : end;
}
