import { isRecord } from '../src/record.ts';
import type { SessionHeader, SessionLog } from '../src/session/session.ts';

/**
 * What of a session crosses the border in one go. What is cloned at once holds both threads, and a session can be a whole
 * file; so a long one comes in several parts.
 */
interface LogPart {
  readonly header: SessionHeader;
  readonly events: readonly unknown[];
  readonly isLast: boolean;
}

/** Events that cross the border in one go. */
export const PART_EVENTS = 1024;

/**
 * Sessions as lists of parts, each list with {@link PART_EVENTS} events at most: many small sessions go together, a large
 * one in pieces.
 *
 * @param logs - the sessions.
 */
export function* splitLogs(logs: readonly SessionLog[]): Iterable<readonly LogPart[]> {
  let parts: LogPart[] = [];
  let room = PART_EVENTS;
  for (const { header, events } of logs) {
    let start = 0;
    do {
      if (room === 0) {
        yield parts;
        parts = [];
        room = PART_EVENTS;
      }
      const end = Math.min(start + room, events.length);
      parts.push({ header, events: events.slice(start, end), isLast: end === events.length });
      room -= end - start;
      start = end;
    } while (start < events.length);
  }
  if (parts.length > 0) yield parts;
}

/** Puts together on the other side what {@link splitLogs} took apart. */
export class ReceivedLogs {
  #events: unknown[] = [];

  /**
   * @param parts - one list of parts, not narrowed yet.
   * @returns the sessions that are whole now, not narrowed either.
   */
  add(parts: unknown): { readonly header: unknown; readonly events: readonly unknown[] }[] {
    const logs = [];
    for (const part of Array.isArray(parts) ? (parts as readonly unknown[]) : []) {
      const { header, events, isLast } = isRecord(part) ? part : {};
      // What is no list is no event either, and refused as such.
      for (const event of Array.isArray(events) ? (events as readonly unknown[]) : [events]) this.#events.push(event);
      if (isLast !== true) continue;
      logs.push({ header, events: this.#events });
      this.#events = [];
    }
    return logs;
  }
}
