import { describeType, quoteInput, SessionReferenceError } from '../error.ts';

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

/**
 * The error for a list of session ids that is none.
 *
 * @param ids - what was given.
 */
export function invalidIds(ids: unknown): SessionReferenceError {
  const message = `The session ids must be an array, not ${describeType(ids)}.`;
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
}
