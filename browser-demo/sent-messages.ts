import { isRecord } from '../src/record.ts';
import { type ConversationEntry, readEntries } from './conversation-log.ts';

/** Bytes from the end of a log that are looked through: room for the last few contexts. */
const TAIL_BYTES = 1_000_000;

/** Remembers the long conversations that were written to on this page: only their logs are worth looking through. */
const STORAGE_KEY = 'session-reference-demo-written';

/** Ids that are remembered. */
const MAX_REMEMBERED = 100;

/** Note that a long conversation was written to. */
export function noteWritten(id: string): void {
  const ids = [id, ...readWritten().filter((other) => other !== id)];
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(ids.slice(0, MAX_REMEMBERED)));
  } catch {
    // Storage can be forbidden; chips of long conversations are words after a reload then.
  }
}

/** Whether a long conversation was written to on this page, also before a reload. */
export function wasWritten(id: string): boolean {
  return readWritten().includes(id);
}

/**
 * The messages at the end of a log, with everything that was sent with them.
 *
 * @param log - the whole log, one JSON object per line; only its end is read.
 */
export async function readSentMessages(log: Blob): Promise<readonly ConversationEntry[]> {
  const tail = await log.slice(Math.max(0, log.size - TAIL_BYTES)).text();
  return readEntries(tail.split('\n').flatMap(parseMessageEvent));
}

/**
 * Give entries of which only the text was read their drafts and contexts back, as far as they are known.
 *
 * @param entries - of the conversation, oldest first.
 * @param sent - as {@link readSentMessages} gives them.
 */
export function restoreSent(
  entries: readonly ConversationEntry[],
  sent: readonly ConversationEntry[],
): readonly ConversationEntry[] {
  const restored = [...entries];
  let next = sent.length;
  for (let index = restored.length - 1; index >= 0 && next > 0; index -= 1) {
    const entry = restored[index];
    // What was edited or answered again is in the log still, but not in the conversation.
    const found = sent.findLastIndex(
      ({ role, text }, place) => place < next && role === entry?.role && text === entry.text,
    );
    if (entry === undefined || found < 0) continue;
    const { seq: _, startSeq: __, ...details } = sent[found] ?? {};
    restored[index] = { ...details, ...entry };
    next = found;
  }
  return restored;
}

function readWritten(): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

/** The first line of a tail is cut off as a rule, and is none then. */
function parseMessageEvent(line: string): Parameters<typeof readEntries>[0] {
  try {
    const event: unknown = JSON.parse(line);
    if (!isRecord(event) || typeof event.type !== 'string' || typeof event.seq !== 'number') return [];
    return event.type.endsWith('/message') ? [{ type: event.type, seq: event.seq, data: event.data }] : [];
  } catch {
    return [];
  }
}
