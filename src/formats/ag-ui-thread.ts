import { isRecord, type UnknownRecord } from '../record.ts';
import { addAgUiMessage } from './ag-ui-message.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { showField } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { WarnAboutMessage } from './message-list-reading.ts';

const EVENT_TYPE =
  /^(?:RUN_(?:STARTED|FINISHED|ERROR)|STEP_(?:STARTED|FINISHED)|TEXT_MESSAGE_(?:START|CONTENT|END|CHUNK)|TOOL_CALL_(?:START|ARGS|END|RESULT|CHUNK)|STATE_(?:SNAPSHOT|DELTA)|MESSAGES_SNAPSHOT|ACTIVITY_(?:SNAPSHOT|DELTA)|(?:REASONING|THINKING)_[A-Z_]+|RAW|CUSTOM|META_EVENT)$/;

/** Events that other formats may have too. */
const COMMON_TYPES: readonly unknown[] = ['RAW', 'CUSTOM'];

/** A message of the thread, in the order in which it began. */
interface Entry {
  readonly value: UnknownRecord;
  /** The pieces of a text that is being streamed. */
  readonly pieces: string[] | undefined;
  isFinished: boolean;
}

/**
 * Whether a value is surely an event of AG-UI.
 *
 * @param value - an object of unknown shape.
 */
export function isAgUiEvent({ type }: UnknownRecord): boolean {
  return typeof type === 'string' && EVENT_TYPE.test(type) && !COMMON_TYPES.includes(type);
}

/** The messages of one thread, as its events build them up. */
export class AgUiThread {
  #messages: Entry[] = [];
  /** Events besides messages. */
  readonly #events: UnknownRecord[] = [];
  /** What tells the messages apart; an assistant's id can be a user's too. */
  readonly #known = new Set<string>();
  /** Texts that have begun and not ended, by message id. */
  readonly #open = new Map<unknown, Entry>();
  /** The text of which pieces come without a beginning and an end. */
  #chunked: { readonly id: unknown; readonly entry: Entry } | undefined;
  #firstTime: number | undefined;

  /** The time of the first event, in Unix ms, where one is told. */
  get firstTime(): number | undefined {
    return this.#firstTime;
  }

  /**
   * Take one event.
   *
   * @param event - an object with a `type`.
   * @param warn - told when it makes no sense.
   */
  add(event: UnknownRecord, warn: WarnAboutMessage): void {
    this.#firstTime ??= readTime(event.timestamp);
    if (event.type !== 'TEXT_MESSAGE_CHUNK') this.#endChunks(event.type !== 'RUN_ERROR');
    switch (event.type) {
      case 'TEXT_MESSAGE_START':
        this.#open.set(event.messageId, this.#startText(event));
        return;
      case 'TEXT_MESSAGE_CONTENT':
        this.#addPiece(this.#open.get(event.messageId), event, warn);
        return;
      case 'TEXT_MESSAGE_END':
        this.#endText(event, warn);
        return;
      case 'TEXT_MESSAGE_CHUNK':
        this.#addChunk(event, warn);
        return;
      case 'MESSAGES_SNAPSHOT':
        this.#replaceAll(event, warn);
        return;
      case 'RUN_STARTED':
        this.#addInput(event);
        return;
      case 'TOOL_CALL_RESULT':
        this.#addMessage({ ...event, role: 'tool' });
        return;
      default:
        this.#events.push(event);
        if (!EVENT_TYPE.test(showField(event.type))) warn('UNKNOWN', 'The type of the event is not known.');
    }
  }

  /**
   * Write what the thread came to.
   *
   * @param conversation - to write into.
   * @param warn - told about messages that cannot be read.
   */
  write(conversation: ConversationWriter, warn: WarnAboutMessage): void {
    for (const { value, pieces, isFinished } of this.#messages) {
      const message = pieces === undefined ? value : { ...value, content: pieces.join('') };
      addAgUiMessage(message, conversation, warn, isFinished);
    }
    for (const event of this.#events) conversation.other(showField(event.type), event, readTime(event.timestamp));
  }

  #startText({ messageId, role, timestamp }: UnknownRecord): Entry {
    return this.#addEntry({ id: messageId, role: role ?? 'assistant', timestamp }, []);
  }

  #addPiece(entry: Entry | undefined, { delta }: UnknownRecord, warn: WarnAboutMessage): void {
    if (entry === undefined) warn('UNREADABLE', 'A piece of text belongs to no message.');
    else if (typeof delta === 'string') entry.pieces?.push(delta);
  }

  #endText({ messageId }: UnknownRecord, warn: WarnAboutMessage): void {
    const entry = this.#open.get(messageId);
    if (entry === undefined) {
      warn('UNREADABLE', 'A text ends that has not begun.');
      return;
    }
    entry.isFinished = true;
    this.#open.delete(messageId);
  }

  /** Only the first piece must name its message. */
  #addChunk(event: UnknownRecord, warn: WarnAboutMessage): void {
    const { messageId } = event;
    if (messageId !== undefined && messageId !== this.#chunked?.id) {
      this.#endChunks(true);
      this.#chunked = { id: messageId, entry: this.#startText(event) };
    }
    if (event.delta !== undefined) this.#addPiece(this.#chunked?.entry, event, warn);
  }

  #endChunks(isFinished: boolean): void {
    if (this.#chunked !== undefined) this.#chunked.entry.isFinished = isFinished;
    this.#chunked = undefined;
  }

  #replaceAll({ messages }: UnknownRecord, warn: WarnAboutMessage): void {
    if (!Array.isArray(messages)) {
      warn('UNREADABLE', 'A snapshot has no messages.');
      return;
    }
    this.#messages = [];
    this.#known.clear();
    this.#open.clear();
    for (const message of messages) this.#addMessage(message);
  }

  /** A run may tell what it was started with; messages that the thread has are told again. */
  #addInput(event: UnknownRecord): void {
    const input = isRecord(event.input) ? event.input : {};
    if (!Array.isArray(input.messages)) return;
    const { length } = this.#messages;
    input.messages.forEach((message, index) => {
      const key = isRecord(message) ? keyOf(message) : undefined;
      if (key === undefined ? index >= length : !this.#known.has(key)) this.#addMessage(message);
    });
  }

  #addMessage(message: unknown): void {
    this.#addEntry(isRecord(message) ? message : { content: message }, undefined);
  }

  #addEntry(value: UnknownRecord, pieces: string[] | undefined): Entry {
    const entry: Entry = { value, pieces, isFinished: pieces === undefined };
    this.#messages.push(entry);
    const key = keyOf(value);
    if (key !== undefined) this.#known.add(key);
    return entry;
  }
}

function keyOf({ id, role }: UnknownRecord): string | undefined {
  return typeof id === 'string' ? `${showField(role)} ${id}` : undefined;
}
