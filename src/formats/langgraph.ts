import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { isLangChainMessage, toPlainMessage } from './langchain-message.ts';
import { writeLangGraphMessages } from './langgraph-messages.ts';
import { SessionNames } from './session-names.ts';

/**
 * Threads of LangGraph: a state, the history of states (newest first), the `values` of a state, or a list of LangChain
 * messages, plain or serialised. Of each thread the newest state is read.
 */
export const langgraphReader: FormatReader = {
  format: 'langgraph',
  title: 'LangGraph',
  recognizes: ({ rows }: FormatSample) => rows.some(isOfLangGraph),
  open: (context) => new LangGraphReading(context),
};

function isOfLangGraph(row: unknown): boolean {
  if (!isRecord(row)) return Array.isArray(row) && row.some(isLangChainMessage);
  const values = isRecord(row.values) ? row.values : row;
  if (!Array.isArray(values.messages)) return isLangChainMessage(row);
  return values.messages.some(isLangChainMessage) || (values !== row && isRecord(row.checkpoint));
}

/** A state of a thread. */
interface ThreadState {
  readonly row: UnknownRecord;
  readonly values: UnknownRecord;
  readonly time: number | undefined;
  readonly where: string;
}

class LangGraphReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  readonly #newest = new Map<string, ThreadState>();
  readonly #list: unknown[] = [];
  #listedAt: string | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('langgraph', context);
  }

  add({ value, where }: Row): SessionLog[] {
    if (Array.isArray(value)) return [this.#read({}, { messages: value }, where)];
    if (!isRecord(value)) {
      this.#context.warn('UNREADABLE', where, 'This is neither a state nor a message.');
      return [];
    }
    const values = isRecord(value.values) ? value.values : value;
    if (!Array.isArray(values.messages)) {
      if (values === value) this.#addRow(value, where);
      else this.#context.warn('UNREADABLE', where, 'The state has no messages.');
      return [];
    }
    const id = readThreadId(value);
    if (id === undefined) return [this.#read(value, values, where)];
    this.#keepNewest(id, { row: value, values, time: readTime(value.created_at), where });
    return [];
  }

  finish(): SessionLog[] {
    const logs = [...this.#newest.values()].map(({ row, values, where }) => this.#read(row, values, where));
    if (this.#listedAt !== undefined) logs.push(this.#read({}, { messages: this.#list }, this.#listedAt));
    return logs;
  }

  #addRow(message: UnknownRecord, where: string): void {
    this.#listedAt ??= where;
    this.#list.push(message);
  }

  /** Histories begin with the newest state; where times are told, they decide. */
  #keepNewest(id: string, state: ThreadState): void {
    const newest = this.#newest.get(id);
    const isNewer = newest?.time !== undefined && state.time !== undefined && state.time > newest.time;
    if (newest === undefined || isNewer) this.#newest.set(id, state);
  }

  #read(row: UnknownRecord, values: UnknownRecord, where: string): SessionLog {
    const metadata = isRecord(row.metadata) ? row.metadata : {};
    const conversation = new ConversationWriter('langgraph', {
      id: readThreadId(row),
      title: readString(metadata.title),
      createdAt: readTime(row.created_at),
    });
    const messages: readonly unknown[] = Array.isArray(values.messages) ? values.messages : [];
    const plain = messages.flatMap((message) => {
      const found = toPlainMessage(message);
      if (found === undefined) this.#context.warn('UNREADABLE', `${where}.messages`, 'A message cannot be read.');
      return found === undefined ? [] : [found];
    });
    writeLangGraphMessages(plain, values, conversation, (code, message) => {
      this.#context.warn(code, `${where}.messages`, message);
    });
    return conversation.build(this.#names, where);
  }
}

function readThreadId({ checkpoint, config, thread_id: own }: UnknownRecord): string | undefined {
  const configurable = isRecord(config) ? config.configurable : undefined;
  for (const holder of [checkpoint, configurable]) {
    if (isRecord(holder) && typeof holder.thread_id === 'string') return holder.thread_id;
  }
  return readString(own);
}
