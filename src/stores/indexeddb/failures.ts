import { describeType, quoteInput, SessionReferenceError } from '../../error.ts';

/**
 * A `STORE_FAILED` error.
 *
 * @param message - a sentence, without text of a session.
 * @param cause - what was thrown, where there was something.
 */
export function storeFailed(message: string, cause?: unknown): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_STORE_FAILED', message, cause === undefined ? {} : { cause });
}

/**
 * An `INVALID_LOG` error.
 *
 * @param message - a sentence, without text of a session.
 * @param cause - what was thrown, where there was something.
 */
export function invalidLog(message: string, cause?: unknown): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message, cause === undefined ? {} : { cause });
}

/**
 * The error for a session that is not in the store.
 *
 * @param id - what was asked for; anything.
 */
export function unknownSession(id: unknown): SessionReferenceError {
  return storeFailed(`There is no session ${typeof id === 'string' ? quoteInput(id) : describeType(id)}.`);
}

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
