/** What the browser throws when a connection ends under a transaction, for where it throws nothing. */
export function connectionLost(): DOMException {
  return new DOMException('The connection to the database was closed.', 'AbortError');
}

/** Thrown where what is stored is not what was written: it spoils one session, and never leaves this folder. */
export class SpoiledSession extends Error {
  /** What is wrong, as one sentence. */
  readonly problem: string;

  constructor(problem: string) {
    super(problem);
    this.problem = problem;
  }
}

/**
 * Whether something was thrown by IndexedDB under one of these names.
 *
 * @param error - what was caught.
 * @param names - of `DOMException`s.
 */
export function hasName(error: unknown, ...names: readonly string[]): boolean {
  if (typeof error !== 'object' || error === null) return false;
  return (names as readonly unknown[]).includes((error as { readonly name?: unknown }).name);
}
