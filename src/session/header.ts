import { describeType, SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import type { SessionHeader } from './session.ts';

/**
 * Narrow what should be a session header. Fields that are not known are kept.
 *
 * @param value - anything.
 * @throws SessionReferenceError `INVALID_LOG`, naming the field that is wrong.
 */
export function parseSessionHeader(value: unknown): SessionHeader {
  if (!isRecord(value)) throw invalid('header', 'an object', value);
  const { version = 0, id, createdAt, cwd, parentSession } = value;
  if (typeof id !== 'string') throw invalid('id', 'a string', id);
  if (typeof version !== 'number') throw invalid('version', 'a number', version);
  if (typeof createdAt !== 'number' || !Number.isFinite(createdAt)) {
    throw invalid('createdAt', 'Unix time in milliseconds', createdAt);
  }
  if (cwd !== undefined && typeof cwd !== 'string') throw invalid('cwd', 'a string', cwd);
  if (parentSession !== undefined && typeof parentSession !== 'string') {
    throw invalid('parentSession', 'a string', parentSession);
  }
  return { ...value, version, id, createdAt } as SessionHeader;
}

function invalid(field: string, wanted: string, found: unknown): SessionReferenceError {
  const message = `A session header's ${field} must be ${wanted}, not ${describeType(found)}.`;
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}
