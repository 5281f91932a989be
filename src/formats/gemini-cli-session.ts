import { isRecord, type UnknownRecord } from '../record.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { ReadContext } from './format-reader.ts';
import { type GeminiMessage, isSummaryRecord } from './gemini-cli-messages.ts';

/** Replays the lines of one Gemini CLI session. */
export class GeminiSession {
  /** Where it began. */
  readonly where: string;
  readonly #warn: ReadContext['warn'];
  readonly #replaced: GeminiMessage[] = [];
  readonly #dropped: GeminiMessage[] = [];
  #messages: GeminiMessage[] = [];
  #places = new Map<string, number>();
  #id: string | undefined;
  #title: string | undefined;
  #createdAt: number | undefined;

  /**
   * @param where - of its first line.
   * @param warn - told about what cannot be read.
   */
  constructor(where: string, warn: ReadContext['warn']) {
    this.where = where;
    this.#warn = warn;
  }

  /** As the file has it. */
  get id(): string | undefined {
    return this.#id;
  }

  /** What the tool summed the session up as. */
  get title(): string | undefined {
    return this.#title;
  }

  /** Unix time in milliseconds. */
  get createdAt(): number | undefined {
    return this.#createdAt;
  }

  /** What is left of the session: what a compaction replaced, what is live, and what was taken back. */
  read(): {
    readonly replaced: readonly GeminiMessage[];
    readonly messages: readonly GeminiMessage[];
    readonly dropped: readonly GeminiMessage[];
  } {
    const live = new Set(this.#places.keys());
    // A compaction writes what it kept again, behind its summary.
    const replaced = this.#replaced.filter(({ record }) => !live.has(readString(record.id) ?? ''));
    return { replaced, messages: this.#messages, dropped: this.#dropped };
  }

  /** Take facts over, the later ones over the earlier ones. */
  describe({ sessionId, summary, startTime }: UnknownRecord): void {
    this.#id ??= readString(sessionId);
    this.#title = readString(summary) ?? this.#title;
    this.#createdAt ??= readTime(startTime);
  }

  /** Take one line. */
  replay(line: UnknownRecord, where: string): void {
    if (isRecord(line.$set)) {
      this.describe(line.$set);
      if (Array.isArray(line.$set.messages)) this.replaceAll(line.$set.messages, `${where}.$set`);
    } else if (typeof line.$rewindTo === 'string') this.#rewind(line.$rewindTo);
    else this.#put(line, where);
  }

  /** All messages from now on. */
  replaceAll(messages: readonly unknown[], where: string): void {
    // Without a summary that stands for them, the old messages are no part of the conversation any more.
    const isCompaction = messages.some((message) => isRecord(message) && isSummaryRecord(message));
    const old = isCompaction ? this.#replaced : this.#dropped;
    for (const message of this.#messages) old.push(message);
    this.#messages = [];
    this.#places = new Map();
    messages.forEach((message, index) => {
      if (isRecord(message)) this.#put(message, `${where}.messages[${index}]`);
      else this.#warn('UNREADABLE', `${where}.messages[${index}]`, 'This is no message.');
    });
  }

  /** A message that is written again, with its tool calls or its tokens, stays where it is. */
  #put(record: UnknownRecord, where: string): void {
    const id = readString(record.id);
    const place = id === undefined ? undefined : this.#places.get(id);
    if (place !== undefined) {
      this.#messages[place] = { record, where };
      return;
    }
    if (id !== undefined) this.#places.set(id, this.#messages.length);
    this.#messages.push({ record, where });
  }

  /** To an id that is not there: all of it. */
  #rewind(id: string): void {
    for (const message of this.#messages.splice(this.#places.get(id) ?? 0)) {
      const messageId = readString(message.record.id);
      if (messageId !== undefined) this.#places.delete(messageId);
      this.#dropped.push(message);
    }
  }
}
