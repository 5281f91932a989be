import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { KimiHistory } from './kimi-code-history.ts';
import { SessionNames } from './session-names.ts';

/** The `wire.jsonl` of an agent of Kimi Code: records that are replayed into the history of its model. */
export const kimiCodeReader: FormatReader = {
  format: 'kimi-code',
  title: 'Kimi Code',
  recognizes: ({ rows }: FormatSample) => rows.some(isKimiRow),
  open: (context) => new KimiReading(context),
};

function isKimiRow(row: unknown): boolean {
  if (!isRecord(row)) return false;
  const { type } = row;
  if (type === 'metadata') return typeof row.protocol_version === 'string';
  if (type === 'context.append_message') return isRecord(row.message);
  return type === 'context.append_loop_event' && isRecord(row.event);
}

class KimiReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #history: KimiHistory;
  #where: string | undefined;
  #createdAt: number | undefined;
  #cwd: string | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#history = new KimiHistory(context.warn);
  }

  add({ value, where }: Row): SessionLog[] {
    if (!isRecord(value) || typeof value.type !== 'string') {
      this.#context.warn('UNREADABLE', where, 'This is no record of Kimi Code.');
      return [];
    }
    this.#where ??= where;
    this.#readFacts(value);
    this.#history.replay(value, where);
    return [];
  }

  *finish(): Iterable<SessionLog | undefined> {
    if (this.#where === undefined) return;
    const writer = new ConversationWriter('kimi-code', { cwd: this.#cwd, createdAt: this.#createdAt });
    yield* this.#history.write(writer);
    yield writer.build(new SessionNames('kimi-code', this.#context), this.#where, this.#readFolder());
  }

  #readFacts(row: UnknownRecord): void {
    if (row.type === 'metadata') this.#createdAt ??= readTime(row.created_at);
    if (row.type === 'config.update') this.#cwd ??= readString(row.cwd);
    this.#createdAt ??= readTime(row.time);
  }

  /** `session_<id>/agents/main/wire.jsonl`; the other agents of a session are sessions of their own. */
  #readFolder(): string | undefined {
    const { sessionId, fileName } = this.#context;
    if (sessionId !== undefined || fileName === undefined) return undefined;
    const [, session, agent] = /(session_[^/\\]{1,200})[/\\]agents[/\\]([^/\\]{1,200})[/\\]/.exec(fileName) ?? [];
    return agent === undefined || agent === 'main' ? session : `${session}-${agent}`;
  }
}
