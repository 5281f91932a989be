import { workerFailed } from './worker-failed.ts';

/**
 * Wait for a part of this package that is loaded when it is first needed. A page that stays open while its host puts a
 * new release in place finds the old files gone.
 *
 * @param part - of `import()`.
 * @throws SessionReferenceError `WORKER_FAILED`.
 */
export function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  return part.catch((cause: unknown) => {
    throw workerFailed('A script of this package could not be loaded.', cause);
  });
}
