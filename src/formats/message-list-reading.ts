import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { type ConversationFacts, ConversationWriter } from './conversation-writer.ts';
import type { FormatName, FormatReading, ReadContext, Row } from './format-reader.ts';
import { SessionNames } from './session-names.ts';

/** A conversation that stands in one row, with its messages in order. */
export interface ListedConversation extends ConversationFacts {
  readonly messages: readonly unknown[];
}

/** Reports something about one message that is not read as it stands. */
export type WarnAboutMessage = (code: 'UNREADABLE' | 'UNKNOWN' | 'BROKEN_COMPACTION', message: string) => void;

/** What tells one format whose conversations are lists of messages from another. */
export interface MessageListRules {
  readonly format: FormatName;
  /** The conversation a row holds; `undefined` when the row is itself one message. */
  readonly conversationOf: (
    row: UnknownRecord,
    where: string,
    warn: ReadContext['warn'],
  ) => ListedConversation | undefined;
  /** Write one message. */
  readonly addMessage: (message: UnknownRecord, conversation: ConversationWriter, warn: WarnAboutMessage) => void;
  /** The conversation that a message belongs to, where rows of several are mixed. */
  readonly conversationIdOf?: (message: UnknownRecord) => string | undefined;
  /** The id of a conversation that is one message only. */
  readonly idOfOnly?: (message: UnknownRecord) => string | undefined;
  /** The id that the name of a file of messages is. */
  readonly idOfFile?: (fileName: string) => string | undefined;
}

interface OpenConversation {
  readonly writer: ConversationWriter;
  readonly where: string;
  readonly id: string | undefined;
  readonly first: UnknownRecord;
  messages: number;
}

/**
 * Reads files whose rows are messages, one conversation in all, or whole conversations, one in each row: a request
 * body, a list of messages, a file of training examples.
 */
export class MessageListReading implements FormatReading {
  readonly #rules: MessageListRules;
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  readonly #open = new Map<string | undefined, OpenConversation>();

  /**
   * @param rules - of the format.
   * @param context - of the file.
   */
  constructor(rules: MessageListRules, context: ReadContext) {
    this.#rules = rules;
    this.#context = context;
    this.#names = new SessionNames(rules.format, context);
  }

  /** @inheritdoc */
  add({ value, where }: Row): SessionLog[] {
    if (Array.isArray(value)) return [this.#readConversation({ messages: value }, where)];
    if (!isRecord(value)) {
      this.#context.warn('UNREADABLE', where, 'This is neither a message nor a conversation.');
      return [];
    }
    const conversation = this.#rules.conversationOf(value, where, this.#context.warn);
    if (conversation !== undefined) return [this.#readConversation(conversation, where)];
    this.#addRow(value, where);
    return [];
  }

  /** @inheritdoc */
  finish(): SessionLog[] {
    return [...this.#open.values()].map((conversation) => {
      return conversation.writer.build(this.#names, conversation.where, conversation.id ?? this.#idOf(conversation));
    });
  }

  #readConversation({ messages, ...facts }: ListedConversation, where: string): SessionLog {
    const writer = new ConversationWriter(this.#rules.format, facts);
    messages.forEach((message, index) => {
      this.#addMessage(message, writer, () => `${where}.messages[${index}]`);
    });
    return writer.build(this.#names, where);
  }

  #idOf({ first, messages }: OpenConversation): string | undefined {
    const id = messages === 1 ? this.#rules.idOfOnly?.(first) : undefined;
    const { sessionId, fileName } = this.#context;
    if (id !== undefined || sessionId !== undefined || fileName === undefined) return id;
    return this.#open.size === 1 ? this.#rules.idOfFile?.(fileName) : undefined;
  }

  #addRow(message: UnknownRecord, where: string): void {
    const id = this.#rules.conversationIdOf?.(message);
    let conversation = this.#open.get(id);
    if (conversation === undefined) {
      const writer = new ConversationWriter(this.#rules.format, { id });
      conversation = { writer, where, id, first: message, messages: 0 };
      this.#open.set(id, conversation);
    }
    conversation.messages += 1;
    this.#addMessage(message, conversation.writer, () => where);
  }

  /** The place is told only when it is needed: most messages give no reason for a warning. */
  #addMessage(message: unknown, writer: ConversationWriter, placeOf: () => string): void {
    const warn: WarnAboutMessage = (code, text) => this.#context.warn(code, placeOf(), text);
    if (isRecord(message)) this.#rules.addMessage(message, writer, warn);
    else warn('UNREADABLE', 'This is no message.');
  }
}
