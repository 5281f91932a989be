import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionEvent, SessionHeader, SessionLog } from '../session/session.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { stableSessionId } from './stable-id.ts';

/**
 * The session log of deepseek-harness (`packages/session/session-persistence-jsonl`, MIT): a header line and one event
 * per line. Committed fixtures leave out `seq` and `time`, older logs `version` and `surfaceOp`; runs of stream chunks
 * are packed into one row.
 */
export const deepseekHarnessReader: FormatReader = {
  format: 'deepseek-harness',
  title: 'deepseek-harness',
  recognizes,
  open: (context) => new DeepseekHarnessReading(context),
};

const NOTHING_YET: readonly SessionLog[] = [];

/** Rows that stand for as many stream chunks as this field has members. */
const PACKED_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['text-chunks', 'texts'],
  ['reasoning-chunks', 'texts'],
  ['tool-call-chunks', 'args'],
]);

/** Other tools begin with a `session` row too: this one has its time in ms, and event types with a slash. */
function recognizes({ rows }: FormatSample): boolean {
  const [first] = rows;
  if (!isRecord(first)) return false;
  if (isHeader(first)) return typeof first.createdAt === 'number' || (first.timestamp === undefined && hasEvent(rows));
  return isEvent(first);
}

function isHeader(row: UnknownRecord): boolean {
  return row.type === 'session';
}

function hasEvent(rows: readonly unknown[]): boolean {
  return rows.some((row) => isRecord(row) && isEvent(row));
}

function isEvent({ type, data }: UnknownRecord): boolean {
  return typeof type === 'string' && /^[a-z-]+\/[a-z-]+$/.test(type) && isRecord(data);
}

class DeepseekHarnessReading implements FormatReading {
  readonly #context: ReadContext;
  #header: UnknownRecord | undefined;
  #events: OpenEvent[] = [];
  #sessions = 0;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  add({ value, where }: Row): Iterable<SessionLog> {
    if (!isRecord(value) || typeof value.type !== 'string') {
      this.#context.warn('UNREADABLE', where, 'The row has no type.');
      return NOTHING_YET;
    }
    if (isHeader(value)) {
      const finished = this.#header !== undefined || this.#events.length > 0 ? [this.#finishSession()] : NOTHING_YET;
      this.#header = value;
      return finished;
    }
    const field = PACKED_FIELDS.get(value.type);
    if (field === undefined) this.#events.push(value);
    else this.#unpack(value, field, where);
    return NOTHING_YET;
  }

  *finish(): Iterable<SessionLog> {
    if (this.#header !== undefined || this.#events.length > 0) yield this.#finishSession();
  }

  #unpack(row: UnknownRecord, field: string, where: string): void {
    const { seq0, time0, data } = row;
    const members = isRecord(data) ? data[field] : undefined;
    if (!isRecord(data) || !Array.isArray(members)) {
      this.#context.warn('UNREADABLE', where, 'The packed row holds no chunks.');
      return;
    }
    const { turn, step, index } = data;
    for (const [offset, member] of (members as readonly unknown[]).entries()) {
      this.#events.push({
        type: 'assistant/chunk',
        ...(typeof seq0 === 'number' ? { seq: seq0 + offset } : {}),
        ...(typeof time0 === 'number' ? { time: time0 } : {}),
        data: { turn, step, index, kind: row.type, chunk: member },
      });
    }
  }

  #finishSession(): SessionLog {
    const events = this.#toEvents();
    const header = this.#toHeader(events);
    this.#header = undefined;
    this.#events = [];
    this.#sessions += 1;
    return { header, events };
  }

  /** A file has every `seq` or none. */
  #toEvents(): SessionEvent[] {
    const events = this.#events;
    if (!events.every(({ seq }) => typeof seq === 'number')) {
      if (events.some(({ seq }) => seq !== undefined)) {
        this.#context.warn(
          'UNREADABLE',
          'the file',
          'Some events have a seq and some have none: all are counted anew.',
        );
      }
      return events.map((event, seq) => toEvent(event, seq));
    }
    const numbered = events.map((event) => toEvent(event, event.seq as number));
    if (numbered.some(({ seq }, index) => index > 0 && seq < (numbered[index - 1]?.seq ?? 0))) {
      this.#context.warn('UNREADABLE', 'the file', 'The events were not in the order of their seq.');
      numbered.sort((one, other) => one.seq - other.seq);
    }
    return numbered;
  }

  #toHeader(events: readonly SessionEvent[]): SessionHeader {
    const { type: _, version, id, createdAt, cwd, parentSession, ...rest } = this.#header ?? {};
    return {
      ...rest,
      version: typeof version === 'number' ? version : 0,
      // Must be kept also when it is blank: a session may have any string as its id.
      id: typeof id === 'string' ? id : this.#chooseId(events),
      createdAt: readTime(createdAt) ?? events[0]?.time ?? this.#context.fallbackTime,
      ...(typeof cwd === 'string' ? { cwd } : {}),
      ...(typeof parentSession === 'string' ? { parentSession } : {}),
    };
  }

  #chooseId(events: readonly SessionEvent[]): string {
    const { sessionId, fileName } = this.#context;
    if (this.#sessions === 0 && sessionId !== undefined) return sessionId;
    const baseName = fileName?.replace(/\.jsonl(?:\.zstd?)?$/, '');
    if (this.#sessions === 0 && baseName !== undefined && /\S/.test(baseName)) return baseName;
    return stableSessionId('deepseek-harness', JSON.stringify(events.slice(0, MESSAGES_OF_ID)));
  }
}

/** Events whose content makes an id where nothing else does. */
const MESSAGES_OF_ID = 20;

/** An event whose `seq` may still be missing. */
type OpenEvent = UnknownRecord;

function toEvent(row: OpenEvent, seq: number): SessionEvent {
  // Most rows are events as they stand, and a log has hundreds of thousands of them.
  if (row.seq === seq && (row.time === undefined || typeof row.time === 'number'))
    return row as unknown as SessionEvent;
  const { time, ...rest } = row;
  return { ...rest, seq, ...(typeof time === 'number' ? { time } : {}) } as unknown as SessionEvent;
}

function readTime(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const parsed = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? undefined : parsed;
}
