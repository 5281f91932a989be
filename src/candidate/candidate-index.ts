import type { SessionRecord } from '../session/query.ts';
import { parseSessionRecord } from '../session/query-answers.ts';
import type { SessionHeader } from '../session/session.ts';
import { foldCase } from './case-folding.ts';

/** Parts the fields of a haystack; a query that contains it is compared field by field. */
const SEPARATOR = '\u0000';

/** One session as it is searched. */
export interface IndexedSession {
  readonly header: SessionHeader;
  /** `undefined` while it is not known. */
  readonly title: string | null | undefined;
  /** Title, id and cwd, folded. */
  readonly fields: readonly string[];
  /** The fields in one string, so that most sessions are ruled out by one search. */
  readonly haystack: string;
}

/** What one position of the list was made of. */
interface Entry {
  readonly record: unknown;
  readonly header: unknown;
  readonly session: IndexedSession;
}

/**
 * The sessions of a host in a form that is searched fast. Between two keystrokes next to nothing changes, so what was
 * folded for the last list is used again for every record that is still the same.
 */
export class CandidateIndex {
  #entries: readonly Entry[] = [];

  /**
   * Bring the index up to date.
   *
   * @param records - an answer of `listSessions`, not narrowed yet.
   * @returns one session per record, in the same order.
   * @throws SessionReferenceError `READ_FAILED` for a record that is none.
   */
  update(records: readonly unknown[]): readonly IndexedSession[] {
    const known = this.#entries;
    const entries: Entry[] = [];
    const sessions: IndexedSession[] = [];
    for (let index = 0; index < records.length; index += 1) {
      const record = records[index];
      const entry = known[index];
      const isSame = entry !== undefined && entry.record === record && isUnchanged(entry, record as SessionRecord);
      const current = isSame ? entry : toEntry(parseSessionRecord(record));
      entries.push(current);
      sessions.push(current.session);
    }
    this.#entries = entries;
    return sessions;
  }
}

/**
 * A session with its title, once that was read.
 *
 * @param session - one whose title was not known.
 * @param title - what was read; `undefined` for a title that cannot be read.
 */
export function withTitle(session: IndexedSession, title: string | undefined): IndexedSession {
  return toSession(session.header, title ?? null);
}

/**
 * Whether a session is what somebody looks for: a part of its title, id or cwd, each on its own.
 *
 * @param session - from the index.
 * @param foldedQuery - what is looked for, folded; empty finds everything.
 */
export function matchesQuery({ haystack, fields }: IndexedSession, foldedQuery: string): boolean {
  if (!haystack.includes(foldedQuery)) return false;
  return !foldedQuery.includes(SEPARATOR) || fields.some((field) => field.includes(foldedQuery));
}

/** A host may change a record in place; its title and its header are what a search depends on. */
function isUnchanged({ header, session }: Entry, record: SessionRecord): boolean {
  return header === record.header && session.title === record.title;
}

function toEntry(record: SessionRecord): Entry {
  return { record, header: record.header, session: toSession(record.header, readTitle(record)) };
}

function readTitle({ title }: SessionRecord): string | null | undefined {
  return typeof title === 'string' || title === null ? title : undefined;
}

function toSession(header: SessionHeader, title: string | null | undefined): IndexedSession {
  const fields = [title ?? '', header.id, header.cwd ?? ''].map(foldCase);
  return { header, title, fields, haystack: fields.join(SEPARATOR) };
}
