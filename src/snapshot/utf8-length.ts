import { runAtOnce, type SlicedWork } from '../slices.ts';
import { isPairAt } from './tag-safe-json.ts';

/** Code units that are encoded together: large enough that a call costs nothing, small enough to stay in the cache. */
const BATCH_UNITS = 1 << 14;
/** No code unit takes more than three bytes in UTF-8. */
const BATCH_BYTES = 3 * BATCH_UNITS;
/** How many code units make a slice of work; encoding them takes about a millisecond. */
const SLICE_UNITS = 1 << 20;

/**
 * The UTF-8 bytes of many texts together. A lone surrogate counts 3, as the U+FFFD that an encoder writes for it.
 *
 * Joining short texts and encoding them into one reused buffer is the fastest way there is in V8: several times faster
 * than a call per text, and than a loop over code units.
 *
 * @param texts - any strings.
 */
export function* sumUtf8Lengths(texts: Iterable<string>): SlicedWork<number> {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(BATCH_BYTES);
  const encode = (text: string): number => encoder.encodeInto(text, buffer).written;
  let bytes = 0;
  let batch = '';
  let sliceUnits = 0;
  for (const text of texts) {
    if (batch.length + text.length < BATCH_UNITS) {
      // Must part the texts: a surrogate that ends one and one that begins the next are no pair.
      batch += `${text}\n`;
      bytes -= 1;
      continue;
    }
    bytes += encode(batch);
    sliceUnits += batch.length;
    batch = '';
    for (let start = 0; start < text.length; ) {
      // Must hand over bounded pieces: some engines convert the whole string before they encode its start.
      const end = pieceEnd(text, start);
      bytes += encode(text.slice(start, end));
      sliceUnits += end - start;
      start = end;
      if (sliceUnits < SLICE_UNITS) continue;
      sliceUnits = 0;
      yield;
    }
  }
  return bytes + encode(batch);
}

/**
 * The UTF-8 bytes of one text.
 *
 * @param text - any string; a lone surrogate counts 3.
 */
export function utf8Length(text: string): number {
  return runAtOnce(sumUtf8Lengths([text]));
}

function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + BATCH_UNITS, text.length);
  return end < text.length && isPairAt(text, end - 1) ? end - 1 : end;
}
