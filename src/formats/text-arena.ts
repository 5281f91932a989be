import { parseJson } from './json-lines.ts';

/** Bytes of a segment; a longer text gets one of its own. */
const SEGMENT_BYTES = 1 << 20;

/** Where a text was put away. */
export interface StoredText {
  readonly segment: number;
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
}

/**
 * Texts as they stand in JSON, undecoded, one behind the other: what of a file may still be quoted, without the rest of
 * the file and without a string for each.
 */
export class TextArena {
  readonly #segments: Uint8Array[] = [];
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #used = SEGMENT_BYTES;

  /** The segment that holds the text that was put away last. */
  get segment(): number {
    return this.#segments.length - 1;
  }

  /**
   * Put a text away, in the segment that {@link TextArena.segment} tells afterwards.
   *
   * @param bytes - that hold it.
   * @param start - where it begins.
   * @param end - where it ends.
   * @returns where it begins in the segment.
   */
  store(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    let segment = this.#segments[this.#segments.length - 1];
    if (segment === undefined || this.#used + length > segment.length) {
      segment = new Uint8Array(Math.max(SEGMENT_BYTES, length));
      this.#segments.push(segment);
      this.#used = 0;
    }
    segment.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.#used);
    const stored = this.#used;
    this.#used += length;
    return stored;
  }

  /** The text, or `undefined` when it is no valid JSON string. */
  decode({ segment, start, end, isEscaped }: StoredText): string | undefined {
    const raw = this.#decoder.decode(this.#segments[segment]?.subarray(start, end));
    if (!isEscaped) return raw;
    const text = parseJson(`"${raw}"`);
    return typeof text === 'string' ? text : undefined;
  }
}
