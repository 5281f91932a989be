import { throwIfCancelled } from './cancellation.ts';

/**
 * Long work, cut into slices: a generator that yields about every millisecond, and returns the result. Whoever runs it
 * decides whether the event loop gets a turn in between.
 */
export type SlicedWork<Result> = Generator<undefined, Result, undefined>;

/** Lets other work of the same thread run, for instance by a macrotask. */
export type Pause = () => Promise<void>;

/** How long work may hold the thread before it pauses, in ms. */
const SLICE_MILLISECONDS = 8;

/**
 * Run work to its end without a pause.
 *
 * @param work - a generator that was not started yet.
 */
export function runAtOnce<Result>(work: SlicedWork<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/**
 * Run work, pausing about every 8 ms.
 *
 * @param work - a generator that was not started yet.
 * @param pause - how to let other work run.
 * @param signal - looked at after every pause.
 * @throws SessionReferenceError `CANCELLED` when the signal aborts.
 */
export async function runInSlices<Result>(
  work: SlicedWork<Result>,
  pause: Pause,
  signal: AbortSignal | undefined,
): Promise<Result> {
  let sliceEnd = Date.now() + SLICE_MILLISECONDS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (Date.now() < sliceEnd) continue;
    await pause();
    throwIfCancelled(signal);
    sliceEnd = Date.now() + SLICE_MILLISECONDS;
  }
}
