import { describeType, SessionReferenceError } from './error.ts';

/**
 * Throw `CANCELLED` when the signal is aborted; its reason becomes the `cause`.
 *
 * @param signal - the caller's signal, if there is one.
 * @throws SessionReferenceError `INVALID_REFERENCE` when it is something else.
 */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  checkSignal(signal);
  if (signal?.aborted) throw cancelled(signal);
}

/**
 * Refuse what is no signal, before anything listens to it.
 *
 * @param signal - what a caller passed.
 * @throws SessionReferenceError `INVALID_REFERENCE`.
 */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined || typeof signal?.addEventListener === 'function') return;
  const message = `The signal must be an AbortSignal, not ${describeType(signal)}.`;
  throw new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
}

/**
 * Wait for an operation, but no longer than until the signal aborts, even if the operation never settles.
 *
 * @param operation - started before this call; what becomes of it after an abort is ignored.
 * @param signal - the caller's signal, if there is one.
 * @throws SessionReferenceError `CANCELLED`, with the signal's reason as `cause`.
 */
export function untilCancelled<Value>(operation: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return operation;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(cancelled(signal));
    // Must look before listening: a signal that is already aborted never fires.
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    // Must be attached in every case, or a late failure would be an unhandled rejection.
    operation
      .then(resolve, (error: unknown) => (signal.aborted ? abort() : reject(error)))
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

function cancelled(signal: AbortSignal): SessionReferenceError {
  const message = 'The operation was cancelled by its signal.';
  return new SessionReferenceError('SESSION_REFERENCE_CANCELLED', message, { cause: signal.reason });
}
