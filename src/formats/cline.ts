import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { addApiMessage, addDisplayLine, addSdkMessage } from './cline-messages.ts';
import { type ClineRow, ClineTask, isTaskHistory } from './cline-task.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { isRooMessage } from './roo-messages.ts';
import { SessionNames } from './session-names.ts';

/**
 * What Cline stores of a task: `api_conversation_history.json`, or `ui_messages.json`, and since its SDK the messages or
 * the compacted messages of a session.
 */
export const clineReader: FormatReader = {
  format: 'cline',
  title: 'Cline',
  recognizes: (sample: FormatSample) => {
    const { rows } = sample;
    return rows.some(isSdkSession) || rows.some(isDisplayLine) || (isTaskHistory(sample) && !rows.some(isRooMessage));
  },
  open: (context) => new ClineReading(context),
};

function isSdkSession(row: unknown): boolean {
  if (!isRecord(row) || !Array.isArray(row.messages) || typeof row.sessionId !== 'string') return false;
  return typeof row.version === 'number' && typeof row.agent === 'string';
}

function isDisplayLine(row: unknown): boolean {
  if (!isRecord(row) || typeof row.ts !== 'number') return false;
  return (row.type === 'say' && typeof row.say === 'string') || (row.type === 'ask' && typeof row.ask === 'string');
}

class ClineReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  readonly #messages: ClineRow[] = [];
  readonly #lines: ClineRow[] = [];

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('cline', context);
  }

  add({ value, where }: Row): SessionLog[] {
    if (isRecord(value)) {
      if (Array.isArray(value.messages)) return [this.#readSession(value, value.messages, where)];
      if (isDisplayLine(value)) {
        this.#lines.push({ row: value, where });
        return [];
      }
      if (typeof value.role === 'string') {
        this.#messages.push({ row: value, where });
        return [];
      }
    }
    this.#context.warn('UNREADABLE', where, 'This is no message of Cline.');
    return [];
  }

  *finish(): Iterable<SessionLog | undefined> {
    const task = new ClineTask(this.#context);
    const [messages, lines] = [this.#messages.splice(0), this.#lines.splice(0)];
    const { warn } = this.#context;
    if (messages[0] !== undefined) {
      const writer = task.open('cline', messages);
      for (const { row, where } of messages) {
        yield;
        addApiMessage(row, writer, (code, text) => warn(code, where, text));
      }
      yield writer.build(this.#names, messages[0].where, task.id);
    }
    if (lines[0] !== undefined) {
      const writer = task.open('cline', lines);
      for (const { row } of lines) {
        yield;
        addDisplayLine(row, writer);
      }
      yield writer.build(this.#names, lines[0].where, task.id);
    }
  }

  #readSession(session: UnknownRecord, messages: readonly unknown[], where: string): SessionLog {
    const { warn } = this.#context;
    const first = messages.find(isRecord);
    const createdAt = readTime(first?.ts) ?? readTime(session.updated_at);
    const writer = new ConversationWriter('cline', { id: readString(session.sessionId), createdAt });
    messages.forEach((message, index) => {
      const place = `${where}.messages[${index}]`;
      if (isRecord(message)) addSdkMessage(message, writer, (code, text) => warn(code, place, text));
      else warn('UNREADABLE', place, 'This is no message.');
    });
    return writer.build(this.#names, where);
  }
}
