import { isRecord } from '../src/record.ts';
import type { SessionTitleObservationResult } from '../src/session/query.ts';
import { fromErrorData, toErrorData } from './error-data.ts';

/**
 * Titles as they can be sent: the reason of one that could not be read keeps its code and cause.
 *
 * @param results - an answer of `readTitleSnapshots`; what is none of its results is left as it is.
 */
export function packTitles(results: unknown): unknown {
  return mapReasons(results, toErrorData);
}

/**
 * {@link packTitles}, undone on the other side.
 *
 * @param results - what arrived.
 */
export function unpackTitles(results: unknown): readonly SessionTitleObservationResult[] {
  return mapReasons(results, fromErrorData) as readonly SessionTitleObservationResult[];
}

function mapReasons(results: unknown, map: (reason: unknown) => unknown): unknown {
  if (!Array.isArray(results)) return results;
  return results.map((result: unknown) =>
    isRecord(result) && result.status === 'rejected' ? { ...result, reason: map(result.reason) } : result,
  );
}
