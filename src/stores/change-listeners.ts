/** Something happened to sessions, in this tab or in another one. */
export interface SessionChange {
  readonly kind: 'changed' | 'deleted';
  readonly ids: readonly string[];
}

/** Told about changes. */
export type ChangeListener = (change: SessionChange) => void;

/** Who wants to know about changes. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>();

  /**
   * Tell this listener about every change from now on.
   *
   * @param listener - what it throws is reported and harms nobody else.
   * @returns what ends it.
   */
  add(listener: ChangeListener): () => void {
    // Must be a function of its own: one listener can be added twice, and each of the two ended.
    const own: ChangeListener = (change) => listener(change);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Tell all of them. */
  tell(change: SessionChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        reportError(error);
      }
    }
  }

  /** Forget all of them. */
  clear(): void {
    this.#listeners.clear();
  }
}

/** As an error that nobody caught, like the browser does it for listeners of events. */
function reportError(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}
