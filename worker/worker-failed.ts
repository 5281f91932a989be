import { SessionReferenceError } from '../src/error.ts';

/**
 * The error of a worker that cannot be started, died, fell silent, or was closed.
 *
 * @param message - a sentence for people, without session text.
 * @param cause - the failure behind it, where there was one.
 */
export function workerFailed(message: string, cause?: unknown): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_WORKER_FAILED', message, { cause });
}
