import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { addAgUiMessage, isAgUiMessage } from './ag-ui-message.ts';
import { AgUiThread, isAgUiEvent } from './ag-ui-thread.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { SessionNames } from './session-names.ts';

/**
 * AG-UI: the input of a run with its messages, a list of messages, or a recorded stream of events. In a stream a text
 * counts once it has ended; a snapshot of the messages takes the place of all before it.
 */
export const agUiReader: FormatReader = {
  format: 'ag-ui',
  title: 'AG-UI',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isRecord(row) && isOfAgUi(row)),
  open: (context) => new AgUiReading(context),
};

function isOfAgUi(row: UnknownRecord): boolean {
  return isAgUiEvent(row) || isRunInput(row) || isAgUiMessage(row);
}

function isRunInput({ threadId, runId, messages }: UnknownRecord): boolean {
  return typeof threadId === 'string' && typeof runId === 'string' && Array.isArray(messages);
}

class AgUiReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  readonly #threads = new Map<string | undefined, { readonly where: string; readonly thread: AgUiThread }>();
  #list: { readonly where: string; readonly writer: ConversationWriter } | undefined;
  #threadId: string | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('ag-ui', context);
  }

  add({ value, where }: Row): SessionLog[] {
    if (!isRecord(value)) {
      this.#context.warn('UNREADABLE', where, 'This is neither an event nor a message of AG-UI.');
      return [];
    }
    if (isAgUiEvent(value) || (typeof value.type === 'string' && value.role === undefined))
      this.#addEvent(value, where);
    else if (Array.isArray(value.messages)) return [this.#readInput(value, value.messages, where)];
    else this.#addRow(value, where);
    return [];
  }

  finish(): SessionLog[] {
    const logs = [...this.#threads].map(([id, { thread, where }]) => {
      const writer = new ConversationWriter('ag-ui', { id, createdAt: thread.firstTime });
      thread.write(writer, (code, message) => this.#context.warn(code, where, message));
      return writer.build(this.#names, where);
    });
    if (this.#list !== undefined) logs.push(this.#list.writer.build(this.#names, this.#list.where));
    return logs;
  }

  #readInput({ threadId }: UnknownRecord, messages: readonly unknown[], where: string): SessionLog {
    const writer = new ConversationWriter('ag-ui', { id: readString(threadId) });
    messages.forEach((message, index) => {
      addAgUiMessage(message, writer, (code, text) => this.#context.warn(code, `${where}.messages[${index}]`, text));
    });
    return writer.build(this.#names, where);
  }

  #addRow(message: UnknownRecord, where: string): void {
    this.#list ??= { where, writer: new ConversationWriter('ag-ui', {}) };
    addAgUiMessage(message, this.#list.writer, (code, text) => this.#context.warn(code, where, text));
  }

  /** Events say which thread they are of only where a run starts and ends. */
  #addEvent(event: UnknownRecord, where: string): void {
    if (typeof event.threadId === 'string') this.#enter(event.threadId);
    let open = this.#threads.get(this.#threadId);
    if (open === undefined) {
      open = { where, thread: new AgUiThread() };
      this.#threads.set(this.#threadId, open);
    }
    open.thread.add(event, (code, message) => this.#context.warn(code, where, message));
  }

  /** A recording may begin in the middle of a run: what came before the name of the thread belongs to it. */
  #enter(threadId: string): void {
    const nameless = this.#threadId === undefined ? this.#threads.get(undefined) : undefined;
    if (nameless !== undefined && !this.#threads.has(threadId)) {
      this.#threads.delete(undefined);
      this.#threads.set(threadId, nameless);
    }
    this.#threadId = threadId;
  }
}
