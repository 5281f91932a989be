import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import type { FormatName, FormatReading, ReadContext, Row } from './format-reader.ts';
import { SessionNames } from './session-names.ts';

/** What tells one format whose rows are whole conversations from another. */
export interface ConversationListRules {
  readonly format: FormatName;
  /** Write the conversation of one row; `undefined` when the row is none. */
  readonly read: (row: UnknownRecord, where: string, warn: ReadContext['warn']) => ConversationWriter | undefined;
}

/** Reads files with one conversation in each row: the data exports of chat services. Each comes out at once. */
export class ConversationListReading implements FormatReading {
  readonly #rules: ConversationListRules;
  readonly #context: ReadContext;
  readonly #names: SessionNames;

  /**
   * @param rules - of the format.
   * @param context - of the file.
   */
  constructor(rules: ConversationListRules, context: ReadContext) {
    this.#rules = rules;
    this.#context = context;
    this.#names = new SessionNames(rules.format, context);
  }

  /** @inheritdoc */
  add({ value, where }: Row): SessionLog[] {
    const writer = isRecord(value) ? this.#rules.read(value, where, this.#context.warn) : undefined;
    if (writer !== undefined) return [writer.build(this.#names, where)];
    this.#context.warn('UNREADABLE', where, 'This is no conversation of the format.');
    return [];
  }

  /** @inheritdoc */
  finish(): SessionLog[] {
    return [];
  }
}
