import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { addApiMessage } from './cline-messages.ts';
import { type ClineRow, ClineTask, isTaskHistory } from './cline-task.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { toContentBlocks } from './foreign-content.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { isRooMessage, type RooFate, readFates } from './roo-messages.ts';
import { SessionNames } from './session-names.ts';

/** The `api_conversation_history.json` of a task of Roo Code. What Roo showed to the user is read as that of Cline. */
export const rooReader: FormatReader = {
  format: 'roo',
  title: 'Roo Code',
  recognizes: (sample: FormatSample) => sample.rows.some(isRooMessage) || isTaskHistory(sample),
  open: (context) => new RooReading(context),
};

class RooReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #messages: ClineRow[] = [];

  constructor(context: ReadContext) {
    this.#context = context;
  }

  add({ value, where }: Row): SessionLog[] {
    if (isRecord(value) && typeof value.role === 'string') this.#messages.push({ row: value, where });
    else this.#context.warn('UNREADABLE', where, 'This is no message of Roo Code.');
    return [];
  }

  *finish(): Iterable<SessionLog> {
    const messages = this.#messages.splice(0);
    const [first] = messages;
    if (first === undefined) return;
    const task = new ClineTask(this.#context);
    const writer = task.open('roo', messages);
    const fates = readFates(messages);
    messages.forEach(({ row, where }, index) => {
      const warn = (code: 'UNKNOWN' | 'BROKEN_COMPACTION', text: string): void => this.#context.warn(code, where, text);
      addMessage(row, fates[index] ?? 'live', writer, warn);
    });
    yield writer.build(new SessionNames('roo', this.#context), first.where, task.id);
  }
}

function addMessage(
  row: UnknownRecord,
  fate: RooFate,
  writer: ConversationWriter,
  warn: (code: 'UNKNOWN' | 'BROKEN_COMPACTION', message: string) => void,
): void {
  const time = readTime(row.ts);
  if (fate === 'summary') writer.summarize(toContentBlocks(row.content), { time });
  else if (row.type === 'reasoning') writer.other('reasoning', row, time);
  else if (fate === 'live' || (fate === 'summed-up' && row.isSummary !== true)) addApiMessage(row, writer, warn);
  else {
    if (fate === 'broken-summary') {
      warn('BROKEN_COMPACTION', 'A summary cannot be read; it replaces nothing.');
    }
    writer.other(fate, row, time);
  }
}
