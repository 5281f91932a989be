import type { SessionEvent } from '../session/session.ts';
import { projectEvent } from '../snapshot/projection.ts';
import type { FormatName, ReadContext } from './format-reader.ts';
import { stableSessionId } from './stable-id.ts';

/** Gives each session of a file an id that no other session of the file has. */
export class SessionNames {
  readonly #format: FormatName;
  readonly #context: ReadContext;
  readonly #used = new Map<string, number>();

  /**
   * @param format - of the file.
   * @param context - has the id to use where the format has none.
   */
  constructor(format: FormatName, context: ReadContext) {
    this.#format = format;
    this.#context = context;
  }

  /** The time to use where the format has none. */
  get fallbackTime(): number {
    return this.#context.fallbackTime;
  }

  /**
   * The id of a session: the format's own, the caller's, or one made from what was said.
   *
   * @param ownId - what the format has; blank counts as none.
   * @param events - of the session.
   * @param where - of the session, for the warning that the id is taken.
   */
  choose(ownId: string | undefined, events: readonly SessionEvent[], where: string): string {
    const hasOwnId = ownId !== undefined && /\S/.test(ownId);
    const id = hasOwnId ? ownId : (this.#context.sessionId ?? stableSessionId(this.#format, spokenText(events)));
    if (hasOwnId && this.#used.has(id)) {
      const message = 'Another conversation of the file has the same id; this one got a number behind it.';
      this.#context.warn('BROKEN_TREE', where, message);
    }
    return this.#makeUnique(id);
  }

  #makeUnique(id: string): string {
    let unique = id;
    let count = this.#used.get(id) ?? 0;
    while (this.#used.has(unique)) {
      count += 1;
      unique = `${id}-${count + 1}`;
    }
    this.#used.set(id, count);
    if (unique !== id) this.#used.set(unique, 0);
    return unique;
  }
}

/** Of a longer text, so much of its head and tail tells it from others. */
const TELLING_LENGTH = 64;

/** What tells one conversation from another. Must not be all of it: hashing every character takes longer than reading. */
function spokenText(events: readonly SessionEvent[]): string {
  let spoken = '';
  for (const event of events) {
    const unit = projectEvent(event);
    if (unit !== undefined) spoken += `${unit.role} ${unit.text.length} ${shorten(unit.text)}\n`;
  }
  return spoken;
}

function shorten(text: string): string {
  if (text.length <= 2 * TELLING_LENGTH) return text;
  return text.slice(0, TELLING_LENGTH) + text.slice(-TELLING_LENGTH);
}
