const FIRST_BYTES = 1 << 16;

/** The newest of many texts, one behind the other in one buffer. */
export class TextTail {
  readonly #keptBytes: number;
  #bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  #used = 0;
  /** Bytes of the texts that were forgotten. */
  #forgotten = 0;

  /** @param keptBytes - of the newest texts, that are kept at least. */
  constructor(keptBytes: number) {
    this.#keptBytes = keptBytes;
  }

  /** The bytes of the texts that are there. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Where in {@link TextTail.bytes} a text stands; negative when it has been forgotten. */
  indexOf(text: number): number {
    return text - this.#forgotten;
  }

  /** Whether a text of so many bytes can be added without forgetting another. */
  hasRoom(length: number): boolean {
    return this.#used + length <= this.#bytes.length;
  }

  /**
   * Add a text.
   *
   * @param source - holds it.
   * @param start - where it begins.
   * @param end - where it ends.
   * @returns where it begins, counted from the first text of all.
   */
  add(source: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (!this.hasRoom(length)) this.#makeRoom(length);
    this.#bytes.set(source.subarray(start, end), this.#used);
    this.#used += length;
    return this.#forgotten + this.#used - length;
  }

  /** Must cost no more than what was added since the last time. */
  #makeRoom(length: number): void {
    const kept = Math.min(this.#used, this.#keptBytes);
    const target = kept + length > this.#bytes.length / 2 ? new Uint8Array(2 * (kept + length)) : this.#bytes;
    target.set(this.#bytes.subarray(this.#used - kept, this.#used));
    this.#forgotten += this.#used - kept;
    this.#used = kept;
    this.#bytes = target;
  }
}
