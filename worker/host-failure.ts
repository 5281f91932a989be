import { throwIfCancelled } from '../src/cancellation.ts';
import { isSessionReferenceError, SessionReferenceError, type SessionReferenceErrorCode } from '../src/error.ts';

/**
 * Run something of a host's own. What it throws becomes the cause of a coded error: the host's error classes mean nothing
 * on the other side.
 *
 * @param code - of the failure, unless it has one.
 * @param message - a sentence for people, without session text.
 * @param signal - of the call.
 * @param run - may throw anything.
 * @throws SessionReferenceError with the code, or `CANCELLED` once the signal is aborted.
 */
export async function withCode<Result>(
  code: SessionReferenceErrorCode,
  message: string,
  signal: AbortSignal,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throwIfCancelled(signal);
    throw isSessionReferenceError(cause) ? cause : new SessionReferenceError(code, message, { cause });
  }
}
