import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { type OpencodeMessage, writeOpencodeMessages } from './opencode-messages.ts';
import { SessionNames } from './session-names.ts';

/**
 * What `opencode export` prints, or the messages of opencode's server, each with its parts. What was reverted is no
 * part of the conversation.
 */
export const opencodeReader: FormatReader = {
  format: 'opencode',
  title: 'opencode',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isExport(row) || isMessage(row)),
  open: (context) => new OpencodeReading(context),
};

/** The title of a session that nobody named. */
const PLACEHOLDER = /^(?:New|Child) session - \d{4}-/;

function isExport(row: unknown): row is UnknownRecord {
  if (!isRecord(row) || !isRecord(row.info) || !Array.isArray(row.messages)) return false;
  return typeof row.info.id === 'string' && (row.messages.some(isMessage) || 'projectID' in row.info);
}

function isMessage(row: unknown): boolean {
  return isRecord(row) && isRecord(row.info) && typeof row.info.role === 'string' && Array.isArray(row.parts);
}

class OpencodeReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  /** Messages that stand in no export, by session. */
  readonly #loose = new Map<string | undefined, Row[]>();

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('opencode', context);
  }

  add(row: Row): SessionLog[] {
    const { value, where } = row;
    if (isRecord(value) && isRecord(value.info) && Array.isArray(value.messages)) {
      const rows = value.messages.map((message: unknown, index) => {
        return { value: message, where: `${where}.messages[${index}]` };
      });
      return [this.#read(value.info, rows, where)];
    }
    if (isRecord(value) && isMessage(value) && isRecord(value.info)) {
      const id = readString(value.info.sessionID);
      const loose = this.#loose.get(id);
      if (loose === undefined) this.#loose.set(id, [row]);
      else loose.push(row);
    } else this.#context.warn('UNREADABLE', where, 'This is neither a session nor a message of opencode.');
    return [];
  }

  *finish(): Iterable<SessionLog> {
    for (const [id, rows] of this.#loose) yield this.#read({ id }, rows, rows[0]?.where ?? 'the file');
    this.#loose.clear();
  }

  #read(info: UnknownRecord, rows: readonly Row[], where: string): SessionLog {
    const { warn } = this.#context;
    const messages = sortByTime(this.#readMessages(rows));
    const title = readString(info.title);
    const writer = new ConversationWriter('opencode', {
      title: title !== undefined && PLACEHOLDER.test(title) ? undefined : title,
      cwd: readString(info.directory) ?? findCwd(messages),
      createdAt: isRecord(info.time) ? readTime(info.time.created) : undefined,
      parentSession: readString(info.parentID),
    });
    const { live, reverted } = splitReverted(messages, info.revert);
    writeOpencodeMessages(live, writer, warn);
    for (const message of reverted) writer.other('reverted', message);
    return writer.build(this.#names, where, readString(info.id));
  }

  #readMessages(rows: readonly Row[]): readonly OpencodeMessage[] {
    return rows.flatMap(({ value, where }) => {
      if (isRecord(value) && isRecord(value.info)) {
        return [{ info: value.info, parts: Array.isArray(value.parts) ? value.parts : [], where }];
      }
      this.#context.warn('UNREADABLE', where, 'This is no message.');
      return [];
    });
  }
}

/** Where a message has no time, it stays behind the one before it. */
function sortByTime(messages: readonly OpencodeMessage[]): readonly OpencodeMessage[] {
  let latest = Number.NEGATIVE_INFINITY;
  const timed = messages.map((message) => {
    const { time } = message.info;
    latest = readTime(isRecord(time) ? time.created : undefined) ?? latest;
    return { message, time: latest };
  });
  return timed.sort((one, other) => compare(one.time, other.time)).map(({ message }) => message);
}

/** Must not subtract: the difference of two infinities is no number. */
function compare(one: number, other: number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** From the reverted message on; where only parts of it were reverted, its earlier parts stay. */
function splitReverted(
  messages: readonly OpencodeMessage[],
  revert: unknown,
): { readonly live: readonly OpencodeMessage[]; readonly reverted: readonly OpencodeMessage[] } {
  const messageId = isRecord(revert) ? readString(revert.messageID) : undefined;
  const partId = isRecord(revert) ? readString(revert.partID) : undefined;
  const start = messageId === undefined ? -1 : messages.findIndex(({ info }) => info.id === messageId);
  const first = messages[start];
  if (first === undefined) return { live: messages, reverted: [] };
  const [live, reverted] = [messages.slice(0, start), messages.slice(start)];
  const end = partId === undefined ? 0 : first.parts.findIndex((part) => isRecord(part) && part.id === partId);
  if (end > 0) live.push({ ...first, parts: first.parts.slice(0, end) });
  return { live, reverted };
}

function findCwd(messages: readonly OpencodeMessage[]): string | undefined {
  for (const { info } of messages) {
    const cwd = isRecord(info.path) ? readString(info.path.cwd) : undefined;
    if (cwd !== undefined) return cwd;
  }
  return undefined;
}
