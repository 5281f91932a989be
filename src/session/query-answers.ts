import { describeType, SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import type { SessionConversationSnapshot, SessionRecord, SessionSurfaceSnapshot } from './query.ts';

/**
 * What a host's query answers is as unknown as a file: these narrow it, so that a mistake of the host is a coded error
 * and not a TypeError from somewhere inside.
 */

/**
 * The records in an answer of `listSessions`. They are looked at one by one, when they are used.
 *
 * @param answer - anything.
 * @throws SessionReferenceError `READ_FAILED` when it is no array.
 */
export function parseSessionList(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) throw unexpected('listSessions', 'an array', answer);
  return answer;
}

/**
 * One record of `listSessions`.
 *
 * @param record - anything.
 * @throws SessionReferenceError `READ_FAILED`, naming what is wrong.
 */
export function parseSessionRecord(record: unknown): SessionRecord {
  const header = isRecord(record) ? record.header : undefined;
  if (!isRecord(record) || !isRecord(header))
    throw unexpected("listSessions of a record's header", 'an object', header);
  const { id, createdAt, cwd } = header;
  if (typeof id !== 'string') throw unexpected("listSessions of a header's id", 'a string', id);
  if (typeof createdAt !== 'number') throw unexpected("listSessions of a header's createdAt", 'a number', createdAt);
  if (typeof (cwd ?? '') !== 'string') throw unexpected("listSessions of a header's cwd", 'a string', cwd);
  return record as unknown as SessionRecord;
}

/**
 * The titles in an answer of `readTitleSnapshots`, by id. A title that could not be read, or that is none, is missing.
 *
 * @param answer - anything.
 */
export function parseTitles(answer: unknown): Map<string, string> {
  const titles = new Map<string, string>();
  if (!Array.isArray(answer)) return titles;
  for (const result of answer as readonly unknown[]) {
    if (!isRecord(result) || typeof result.sessionId !== 'string' || result.status !== 'fulfilled') continue;
    const title = isRecord(result.value) && isRecord(result.value.title) ? result.value.title.title : undefined;
    if (typeof title === 'string') titles.set(result.sessionId, title);
  }
  return titles;
}

/**
 * An answer of `readSurface`.
 *
 * @param answer - anything.
 * @throws SessionReferenceError `READ_FAILED`, naming what is wrong.
 */
export function parseSurfaceSnapshot(answer: unknown): SessionSurfaceSnapshot {
  const snapshot = parseSnapshot('readSurface', answer);
  if (!Array.isArray(snapshot.events)) throw unexpected('readSurface of the events', 'an array', snapshot.events);
  return snapshot as unknown as SessionSurfaceSnapshot;
}

/**
 * An answer of `readConversation`.
 *
 * @param answer - anything.
 * @throws SessionReferenceError `READ_FAILED`, naming what is wrong.
 */
export function parseConversationSnapshot(answer: unknown): SessionConversationSnapshot {
  const snapshot = parseSnapshot('readConversation', answer);
  const { units, unread } = snapshot;
  if (!Array.isArray(units)) throw unexpected('readConversation of the units', 'an array', units);
  for (const unit of units as readonly unknown[]) {
    if (!isRecord(unit) || typeof unit.text !== 'string' || (unit.role !== 'user' && unit.role !== 'assistant')) {
      throw unexpected('readConversation of a unit', 'a message with a role and a text', unit);
    }
  }
  if (!isRecord(unread) || typeof unread.messages !== 'number' || typeof unread.bytes !== 'number') {
    throw unexpected('readConversation of what was not read', 'numbers of messages and bytes', unread);
  }
  return snapshot as unknown as SessionConversationSnapshot;
}

function parseSnapshot(method: string, answer: unknown): { readonly [field: string]: unknown } {
  if (!isRecord(answer)) throw unexpected(method, 'a snapshot', answer);
  const { session, capturedThroughSeq } = answer;
  if (!isRecord(session)) throw unexpected(`${method} of the session`, 'its header', session);
  if (typeof (session.cwd ?? '') !== 'string') throw unexpected(`${method} of the cwd`, 'a string', session.cwd);
  if (capturedThroughSeq !== null && capturedThroughSeq !== undefined && !Number.isSafeInteger(capturedThroughSeq)) {
    throw unexpected(`${method} of capturedThroughSeq`, 'a whole number or null', capturedThroughSeq);
  }
  return answer;
}

function unexpected(what: string, wanted: string, found: unknown): SessionReferenceError {
  const message = `The session query's answer to ${what} must be ${wanted}, not ${describeType(found)}.`;
  return new SessionReferenceError('SESSION_REFERENCE_READ_FAILED', message);
}
