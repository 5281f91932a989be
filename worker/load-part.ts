import { SessionReferenceError } from '../src/error.ts';

/**
 * Wait for a part of this package that is loaded when it is first needed. A page that stays open while its host puts a
 * new release in place finds the old files gone.
 *
 * @param part - of `import()`.
 * @throws SessionReferenceError `WORKER_FAILED`.
 */
export function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  return part.catch((cause: unknown) => {
    const message = 'A script of this package could not be loaded.';
    throw new SessionReferenceError('SESSION_REFERENCE_WORKER_FAILED', message, { cause });
  });
}
