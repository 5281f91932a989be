import { quoteInput, SessionReferenceError } from '../error.ts';
import type { SessionConversationSnapshot, SessionQuery, SessionSurfaceSnapshot } from '../session/query.ts';
import { parseConversationSnapshot, parseSurfaceSnapshot } from '../session/query-answers.ts';
import { type Pause, runInSlices, type SlicedWork } from '../slices.ts';
import type { EnvelopeEntry } from './envelope.ts';
import { projectNewest } from './projection.ts';
import type { DistinctReference } from './references.ts';
import { type ReferenceFields, type RetainedConversation, retainConversation } from './retention.ts';

/** What was read of one source: all of its surface, or the end of its conversation. */
export type Source = SessionSurfaceSnapshot | SessionConversationSnapshot;

/** How to run long work. */
export interface Run {
  readonly pause: Pause;
  readonly signal: AbortSignal | undefined;
}

/**
 * Read one source, once: the end of its conversation where the query offers that, else its surface.
 *
 * @param query - where the sessions are.
 * @param id - the session.
 * @param maxBytes - how much of it can be used at most, in UTF-8 bytes.
 * @param signal - handed to the read.
 * @throws SessionReferenceError `READ_FAILED`, with what the query threw as `cause`.
 */
export async function readSource(
  query: SessionQuery,
  id: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Source> {
  try {
    return query.readConversation === undefined
      ? parseSurfaceSnapshot(await query.readSurface(id, signal))
      : parseConversationSnapshot(await query.readConversation(id, maxBytes, signal));
  } catch (cause) {
    const message = `The session ${quoteInput(id)} could not be read.`;
    throw new SessionReferenceError('SESSION_REFERENCE_READ_FAILED', message, { cause });
  }
}

/**
 * Make the bounded snapshot of one source.
 *
 * @param source - what was read.
 * @param reference - how it was mentioned.
 * @param maxBytes - the most UTF-8 bytes of the reference object's tag-safe JSON.
 * @param run - how to run long work.
 * @throws SessionReferenceError `BUDGET_EXCEEDED` when not even the fixed fields fit, and `CANCELLED`.
 */
export async function takeSnapshot(
  source: Source,
  reference: DistinctReference,
  maxBytes: number,
  run: Run,
): Promise<EnvelopeEntry> {
  const { sessionId, label, inputIndex } = reference;
  const capturedThroughSeq = source.capturedThroughSeq ?? null;
  const fields: ReferenceFields = { sessionId, label, cwd: source.session.cwd ?? null, capturedThroughSeq };
  const retained = await runInSlices(retainSource(source, fields, maxBytes), run.pause, run.signal);
  if (retained === undefined) {
    const message = `The id, label and cwd of the session ${quoteInput(sessionId)} do not fit into maxReferenceBytes, which is ${maxBytes}.`;
    throw new SessionReferenceError('SESSION_REFERENCE_BUDGET_EXCEEDED', message);
  }
  const { compacted, originalMessages, retainedMessages, omittedMessages, omittedBytes, truncated } = retained.record;
  return {
    reference: retained.reference,
    record: {
      sessionId,
      label,
      capturedThroughSeq,
      compacted,
      originalMessages,
      retainedMessages,
      omittedMessages,
      omittedBytes,
      truncated,
      inputIndex,
    },
  };
}

function* retainSource(
  source: Source,
  fields: ReferenceFields,
  maxBytes: number,
): SlicedWork<RetainedConversation | undefined> {
  const { units, unread } = 'units' in source ? source : yield* projectNewest(source.events, maxBytes);
  return yield* retainConversation(fields, units, maxBytes, unread);
}
