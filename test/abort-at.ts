/** Aborts at one of the moments that a run goes through, and knows who still listens. */
export class AbortAt {
  readonly controller = new AbortController();
  readonly reason = new Error('the user went away');
  /** How many moments went by. */
  moments = 0;
  /** How many still listen to the signal. */
  listeners = 0;
  readonly #at: number;

  /** @param at - the moment, counted from 1; `Infinity` for never. */
  constructor(at: number) {
    this.#at = at;
    const { signal } = this.controller;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    const listening = new Set<unknown>();
    signal.addEventListener = (type: string, listener: never, options?: never): void => {
      listening.add(listener);
      this.listeners = listening.size;
      add(type, listener, options);
    };
    signal.removeEventListener = (type: string, listener: never): void => {
      listening.delete(listener);
      this.listeners = listening.size;
      remove(type, listener);
    };
  }

  /** What the run is given. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** A moment at which the run waits. */
  readonly wait = async (): Promise<void> => {
    this.#pass();
    await Promise.resolve();
    this.#pass();
  };

  #pass(): void {
    this.moments += 1;
    if (this.moments === this.#at) this.controller.abort(this.reason);
  }
}
