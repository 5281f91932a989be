import { isRecord } from '../../record.ts';
import type { SessionEvent } from '../../session/session.ts';
import { invalidLog } from '../store-errors.ts';
import { SpoiledSession } from './failures.ts';
import type { EventPage } from './schema.ts';

/** An event as it is stored: as JSON, like in the files of sessions. */
export interface EventLine {
  readonly seq: number;
  readonly line: string;
}

/**
 * An event as it is stored.
 *
 * @param event - of a log.
 * @throws SessionReferenceError `INVALID_LOG`, naming the seq, when it cannot be written as JSON.
 */
export function toLine(event: SessionEvent): EventLine {
  const { seq } = event;
  let line: string | undefined;
  try {
    // Must not be asked for: what an event makes of itself need not be an event.
    line = JSON.stringify('toJSON' in event ? { ...event, toJSON: undefined } : event) as string | undefined;
  } catch (cause) {
    throw invalidLog(`The event at seq ${seq} cannot be written as JSON.`, cause);
  }
  if (line === undefined) throw invalidLog(`The event at seq ${seq} cannot be written as JSON.`);
  return { seq, line };
}

/**
 * The event of a line.
 *
 * @param line - as it is stored.
 * @param seq - the seq it must have.
 * @throws SpoiledSession when it is something else.
 */
export function parseLine(line: string, seq: number): SessionEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    throw spoiled();
  }
  if (!isRecord(event) || event.seq !== seq || typeof event.type !== 'string') throw spoiled();
  return event as unknown as SessionEvent;
}

/**
 * What is stored, as a page.
 *
 * @param value - anything.
 * @throws SpoiledSession when it is no page.
 */
export function parseEventPage(value: unknown): EventPage {
  if (!isRecord(value) || typeof value.first !== 'number') throw spoiled();
  const { lines } = value;
  if (!Array.isArray(lines) || !lines.every((line) => typeof line === 'string')) throw spoiled();
  return value as unknown as EventPage;
}

/**
 * The lines of a page.
 *
 * @param value - what is stored.
 * @throws SpoiledSession when it is no page.
 */
export function unpackLines(value: unknown): EventLine[] {
  const { first, lines } = parseEventPage(value);
  return lines.map((line, index) => ({ seq: first + index, line }));
}

/**
 * Lines as a page.
 *
 * @param lines - at least one; consecutive.
 */
export function packLines(lines: readonly EventLine[]): EventPage {
  return { first: lines[0]?.seq ?? 0, lines: lines.map(({ line }) => line) };
}

function spoiled(): SpoiledSession {
  return new SpoiledSession('A part of its log is damaged.');
}
