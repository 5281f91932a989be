/**
 * What the core may use of a host, for an engine that has none: UTF-8, aborting, copying. Written for the tests; only as
 * much as they need.
 */

class MinimalTextEncoder {
  encode(text: string): Uint8Array {
    const bytes: number[] = [];
    for (const character of text) {
      const point = character.codePointAt(0) ?? 0;
      const unit = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
      if (unit < 0x80) bytes.push(unit);
      else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 63));
      else if (unit < 0x10000) bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63));
      else bytes.push(0xf0 | (unit >> 18), 0x80 | ((unit >> 12) & 63), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63));
    }
    return Uint8Array.from(bytes);
  }

  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    const bytes = this.encode(text);
    target.set(bytes);
    return { read: text.length, written: bytes.length };
  }
}

class MinimalSignal {
  aborted = false;
  reason: unknown;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: string, listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: string, listener: () => void): void {
    this.#listeners.delete(listener);
  }

  dispatch(): void {
    for (const listener of this.#listeners) listener();
  }
}

class MinimalAbortController {
  readonly signal = new MinimalSignal();

  abort(reason: unknown = new Error('aborted')): void {
    this.signal.aborted = true;
    this.signal.reason = reason;
    this.signal.dispatch();
  }
}

Object.assign(globalThis, {
  TextEncoder: MinimalTextEncoder,
  AbortController: MinimalAbortController,
  structuredClone: (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown,
});
