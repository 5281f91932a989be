import { isSessionReferenceError, type SessionReferenceErrorCode } from '../src/index.ts';
import { EndpointError } from './endpoint.ts';

const WORDS: Readonly<Record<SessionReferenceErrorCode, string>> = {
  SESSION_REFERENCE_INVALID_CONFIG: 'The settings of this page are not valid.',
  SESSION_REFERENCE_INVALID_REFERENCE: 'A mention in the message is not valid.',
  SESSION_REFERENCE_SELF_REFERENCE: 'A conversation cannot reference itself.',
  SESSION_REFERENCE_TOO_MANY: 'A message can reference up to three conversations. Remove one to add another.',
  SESSION_REFERENCE_READ_FAILED: 'The conversation could not be read.',
  SESSION_REFERENCE_BUDGET_EXCEEDED:
    'The title and the folder of a referenced conversation alone are too long to be sent.',
  SESSION_REFERENCE_CANCELLED: 'Cancelled.',
  SESSION_REFERENCE_WORKER_FAILED: 'The background worker stopped. Reload the page to go on.',
  SESSION_REFERENCE_STORE_FAILED: 'The browser could not save or load conversations.',
  SESSION_REFERENCE_INVALID_LOG: 'This is no session that can be read.',
};

/** An error as the page tells it. */
export interface ErrorWords {
  /** What happened, as a sentence. */
  readonly summary: string;
  /** What exactly was wrong, where more is known. */
  readonly detail?: string;
  /** The code of the library, where it is one of its errors. */
  readonly code?: SessionReferenceErrorCode;
}

/**
 * An error in words.
 *
 * @param error - anything that was thrown. A message of the library never holds text of a session.
 */
export function toErrorWords(error: unknown): ErrorWords {
  if (isSessionReferenceError(error)) return { summary: WORDS[error.code], detail: error.message, code: error.code };
  if (error instanceof EndpointError) return { summary: error.message };
  return { summary: 'Something went wrong.' };
}

/** Whether something ended because somebody wanted it to. */
export function isCancellation(error: unknown): boolean {
  return isSessionReferenceError(error) && error.code === 'SESSION_REFERENCE_CANCELLED';
}
