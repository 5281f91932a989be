import { SessionReferenceError } from '../src/error.ts';
import { pauseForOthers } from '../src/runtime.ts';
import type { SessionQuery } from '../src/session/query.ts';
import { parseConversationSnapshot, parseSurfaceSnapshot } from '../src/session/query-answers.ts';
import { runInSlices } from '../src/slices.ts';
import { type NewestUnits, projectNewest } from '../src/snapshot/projection.ts';
import type { DisplayedConversation } from './client-types.ts';

/** Text read per message that is wanted, at first, in UTF-8 bytes. */
const BYTES_PER_MESSAGE = 1_000;
const DEFAULT_NEWEST = 200;

/**
 * The newest messages of a session, as a person reads them.
 *
 * @param query - where the session is.
 * @param id - the session.
 * @param newest - how many messages at most; 200 when it is missing.
 * @param signal - cancels.
 */
export async function readMessages(
  query: SessionQuery,
  id: string,
  newest: number | undefined,
  signal: AbortSignal,
): Promise<DisplayedConversation> {
  const wanted = newest ?? DEFAULT_NEWEST;
  if (!Number.isSafeInteger(wanted) || wanted < 1) {
    const message = 'The number of messages must be a whole number of at least 1.';
    throw new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
  }
  const { capturedThroughSeq = null, units, unread } = await readNewest(query, id, wanted, signal);
  const messages = units.slice(-wanted);
  return { messages, omittedMessages: unread.messages + units.length - messages.length, capturedThroughSeq };
}

async function readNewest(
  query: SessionQuery,
  id: string,
  wanted: number,
  signal: AbortSignal,
): Promise<NewestUnits & { readonly capturedThroughSeq: number | null }> {
  if (query.readConversation === undefined) {
    const { events, capturedThroughSeq } = parseSurfaceSnapshot(await query.readSurface(id, signal));
    const newest = await runInSlices(projectNewest(events, Number.POSITIVE_INFINITY), pauseForOthers, signal);
    return { ...newest, capturedThroughSeq };
  }
  // Messages are long and short: read on until there are enough, twice as far each time.
  for (let bytes = wanted * BYTES_PER_MESSAGE; ; bytes *= 2) {
    const snapshot = parseConversationSnapshot(await query.readConversation(id, bytes, signal));
    const isAll = snapshot.units.length >= wanted || snapshot.unread.messages === 0;
    if (isAll || bytes > Number.MAX_SAFE_INTEGER) return snapshot;
  }
}
