import { SessionReferenceError } from '../src/error.ts';
import { pauseForOthers } from '../src/runtime.ts';
import type { SessionEvent, SessionHeader } from '../src/session/session.ts';
import { runInSlices, type SlicedWork } from '../src/slices.ts';
import type { WorkerSessions } from './backend.ts';

/** Lines that are joined before the blob takes them over. */
const LINES_PER_PART = 100;

/**
 * A whole session as a file: one JSON object per line, the header first, as deepseek-harness writes it. What this
 * library reads, it writes: `importSessions` gives the same session back, but for a field `type` of its header.
 *
 * @param sessions - a store that can give a whole log.
 * @param id - the session.
 * @param signal - cancels.
 */
export async function exportSession(sessions: WorkerSessions, id: string, signal: AbortSignal): Promise<Blob> {
  if (sessions.readLog === undefined) {
    throw new SessionReferenceError('SESSION_REFERENCE_STORE_FAILED', 'The sessions of this host cannot be exported.');
  }
  const { header, events } = await sessions.readLog(id, signal);
  const parts = await runInSlices(writeParts(header, events), pauseForOthers, signal);
  return new Blob(parts, { type: 'application/x-ndjson' });
}

function* writeParts(header: SessionHeader, events: readonly SessionEvent[]): SlicedWork<string[]> {
  // Must leave out a field `type` of the header's own: it tells what kind of line this is.
  const { version, id, createdAt, type: _, ...rest } = header;
  const parts = [`${JSON.stringify({ type: 'session', version, id, createdAt, ...rest })}\n`];
  for (let start = 0; start < events.length; start += LINES_PER_PART) {
    const lines = events.slice(start, start + LINES_PER_PART).map((event) => `${JSON.stringify(event)}\n`);
    parts.push(lines.join(''));
    yield;
  }
  return parts;
}
