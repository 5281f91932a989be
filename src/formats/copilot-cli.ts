import { isRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { type CopilotEvent, writeCopilotEvents } from './copilot-cli-events.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { SessionNames } from './session-names.ts';

/** The `events.jsonl` of a session of the GitHub Copilot CLI. */
export const copilotCliReader: FormatReader = {
  format: 'copilot-cli',
  title: 'GitHub Copilot CLI',
  recognizes: ({ rows }: FormatSample) => rows.some(isCopilotRow),
  open: (context) => new CopilotReading(context),
};

const TYPES: ReadonlySet<unknown> = new Set(['session.start', 'session.resume', 'user.message', 'assistant.message']);

function isCopilotRow(row: unknown): boolean {
  return isRecord(row) && TYPES.has(row.type) && isRecord(row.data) && typeof row.timestamp === 'string';
}

class CopilotReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  #events: CopilotEvent[] = [];

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('copilot-cli', context);
  }

  *add({ value, where }: Row): Iterable<SessionLog | undefined> {
    if (!isRecord(value) || typeof value.type !== 'string') {
      this.#context.warn('UNREADABLE', where, 'This is no event of the Copilot CLI.');
      return;
    }
    if (value.type === 'session.start') yield* this.finish();
    this.#events.push({ row: value, data: isRecord(value.data) ? value.data : {}, where });
  }

  *finish(): Iterable<SessionLog | undefined> {
    const events = this.#events;
    this.#events = [];
    const [first] = events;
    if (first === undefined) return;
    const start = events.find(({ row }) => row.type === 'session.start')?.data ?? {};
    const writer = new ConversationWriter('copilot-cli', {
      title: findTitle(events),
      cwd: findCwd(events),
      createdAt: readTime(start.startTime) ?? readTime(first.row.timestamp),
    });
    yield* writeCopilotEvents(events, writer, this.#context.warn);
    yield writer.build(this.#names, first.where, readString(start.sessionId) ?? this.#readFolder());
  }

  /** `<session>/events.jsonl` */
  #readFolder(): string | undefined {
    const { sessionId, fileName } = this.#context;
    return sessionId === undefined ? /([^/\\]{1,200})[/\\]events\.jsonl$/.exec(fileName ?? '')?.[1] : undefined;
  }
}

function findTitle(events: readonly CopilotEvent[]): string | undefined {
  let title: string | undefined;
  for (const { row, data } of events) {
    if (row.type === 'session.title_changed') title = readString(data.title) ?? title;
  }
  return title;
}

function findCwd(events: readonly CopilotEvent[]): string | undefined {
  for (const { data } of events) {
    const cwd = isRecord(data.context) ? readString(data.context.cwd) : undefined;
    if (cwd !== undefined) return cwd;
  }
  return undefined;
}
