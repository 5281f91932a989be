import { isRecord } from '../../record.ts';
import { parseSessionHeader } from '../../session/header.ts';
import type { SessionRecord } from '../../session/query.ts';
import type { SessionHeader } from '../../session/session.ts';
import { SpoiledSession } from './failures.ts';
import { LAYOUT, type SessionRow } from './schema.ts';

const COUNTS = ['nextSeq', 'messages', 'checkpoints', 'bytes', 'arrival', 'revision'] as const;

/**
 * What is stored of a session, as a row.
 *
 * @param value - anything.
 * @throws SpoiledSession when it is no row, or one in a layout of a newer version.
 */
export function parseSessionRow(value: unknown): SessionRow {
  if (!isRecord(value)) throw damaged();
  if (typeof value.layout === 'number' && value.layout > LAYOUT) {
    throw new SpoiledSession('It was written by a newer version of this page.');
  }
  const { id, layout, title, changedAt, openEventPages, openSurfacePages } = value;
  const isComplete =
    layout === LAYOUT &&
    typeof id === 'string' &&
    (typeof title === 'string' || title === null) &&
    typeof changedAt === 'number' &&
    COUNTS.every((name) => Number.isSafeInteger(value[name])) &&
    isOpenPages(openEventPages) &&
    isOpenPages(openSurfacePages);
  if (!isComplete || readHeader(value)?.id !== id) throw damaged();
  return value as unknown as SessionRow;
}

/**
 * A session as a list shows it.
 *
 * @param row - of a session that can be read.
 */
export function toRecord({ header, title, messages, changedAt }: SessionRow): SessionRecord {
  return { header, title, messages, changedAt };
}

/**
 * A session that cannot be read, as a list shows it: by its id, and whatever else is left.
 *
 * @param id - its key.
 * @param value - what is stored.
 * @param problem - why it cannot be read.
 */
export function toSpoiledRecord(id: string, value: unknown, problem: string): SessionRecord {
  const header = isRecord(value) ? readHeader(value) : undefined;
  const title = isRecord(value) && typeof value.title === 'string' ? value.title : null;
  return { header: header?.id === id ? header : { version: 0, id, createdAt: 0 }, title, problem };
}

function readHeader({ header }: { readonly [field: string]: unknown }): SessionHeader | undefined {
  try {
    return parseSessionHeader(header);
  } catch {
    return undefined;
  }
}

function isOpenPages(value: unknown): boolean {
  return Array.isArray(value) && value.every((page) => isRecord(page) && isCount(page.first) && isCount(page.size));
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function damaged(): SpoiledSession {
  return new SpoiledSession('Its record is damaged.');
}
