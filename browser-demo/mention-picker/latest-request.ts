/** What a request ends with when it was the latest one. */
export interface LatestHandlers<Value> {
  readonly onResult: (value: Value) => void;
  readonly onError: (error: unknown) => void;
}

/** Runs requests of which only the latest counts: an older one is aborted, and whatever it still answers is ignored. */
export class LatestRequest {
  #controller: AbortController | undefined;

  /** Whether a request is under way. */
  get isPending(): boolean {
    return this.#controller !== undefined;
  }

  /**
   * Start a request in place of the one under way.
   *
   * @param request - is given a signal that aborts when a newer one starts.
   * @param handlers - at most one of them is called, and never after a newer request started.
   */
  start<Value>(request: (signal: AbortSignal) => Promise<Value>, handlers: LatestHandlers<Value>): void {
    this.cancel();
    const controller = new AbortController();
    this.#controller = controller;
    const settle = (deliver: () => void): void => {
      if (this.#controller !== controller) return;
      this.#controller = undefined;
      deliver();
    };
    request(controller.signal).then(
      (value) => settle(() => handlers.onResult(value)),
      (error: unknown) => settle(() => handlers.onError(error)),
    );
  }

  /** Abort what is under way; nothing of it is delivered. */
  cancel(): void {
    this.#controller?.abort();
    this.#controller = undefined;
  }
}
