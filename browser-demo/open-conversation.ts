import {
  isSessionReferenceError,
  type ReferencingAgent,
  type SessionEvent,
  type SurfaceOperation,
} from '../src/index.ts';
import type { SessionReferencesClient } from '../worker/client.ts';
import type { ModelMessage } from './assistant.ts';
import {
  type ConversationEntry,
  type OutgoingMessage,
  readEntries,
  toAnswerEvent,
  toTitle,
  toTitleEvent,
  toUserEvents,
} from './conversation-log.ts';
import { noteWritten, readSentMessages, restoreSent, wasWritten } from './sent-messages.ts';

/** Conversations with more messages are read from their end, as text only: the page never holds all of a long one. */
const MAX_WHOLE_MESSAGES = 1_000;

/** Messages read at a time from the end of a long conversation. */
export const MESSAGE_PAGE = 200;

/** What is needed to open a conversation. */
export interface ConversationStart {
  readonly client: SessionReferencesClient;
  readonly agent: ReferencingAgent;
  /** Whether the store knows it already. */
  readonly isStored: boolean;
  readonly title?: string | undefined;
  /** How many messages it has, where that is known. */
  readonly messages?: number | undefined;
}

/** The conversation on the page: what is shown of it, and how it grows. */
export class OpenConversation {
  readonly agent: ReferencingAgent;
  readonly #client: SessionReferencesClient;
  readonly #messages: number;
  #isStored: boolean;
  #isLoaded: boolean;
  #title: string | undefined;
  #entries: readonly ConversationEntry[] = [];
  #omittedMessages = 0;
  #nextSeq = 0;
  /** The event of the message that was added last. */
  #lastUserSeq = 0;
  /** The last event of the surface, which need not be one that is shown; `undefined` where only texts were read. */
  #surfaceEnd: number | undefined;
  #newest = MESSAGE_PAGE;
  /** Whether somebody else wrote between what is shown. */
  #missedSome = false;

  constructor({ client, agent, isStored, title, messages }: ConversationStart) {
    this.#client = client;
    this.agent = agent;
    this.#isStored = isStored;
    this.#isLoaded = !isStored;
    this.#title = title;
    this.#messages = messages ?? 0;
  }

  get title(): string | undefined {
    return this.#title;
  }

  get isStored(): boolean {
    return this.#isStored;
  }

  /** Whether {@link OpenConversation.entries} are what there is: not before it was read. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** What is shown, oldest first. */
  get entries(): readonly ConversationEntry[] {
    return this.#entries;
  }

  /** Older messages that are not shown. */
  get omittedMessages(): number {
    return this.#omittedMessages;
  }

  /** Read it from the store. */
  async load(signal?: AbortSignal): Promise<void> {
    if (!this.#isStored) return;
    if (this.#isLong) await this.#loadEnd(signal);
    else await this.#loadWhole(signal);
    this.#isLoaded = true;
  }

  /** Read it again if somebody else wrote to it. */
  async catchUp(): Promise<void> {
    const { capturedThroughSeq } = await this.#client.readMessages(this.agent.id, { newest: 1 });
    if (!this.#missedSome && (capturedThroughSeq ?? -1) + 1 === this.#nextSeq) return;
    await this.load();
    await this.restoreSent();
    this.#missedSome = false;
  }

  /** Give a long conversation the chips and contexts back that were sent from here. Resolves to whether it has any. */
  async restoreSent(signal?: AbortSignal): Promise<boolean> {
    if (!this.#isLong || !wasWritten(this.agent.id)) return false;
    const log = await this.#client.exportSession(this.agent.id, signal === undefined ? {} : { signal });
    const sent = await readSentMessages(log);
    // Must look at the entries only now: there may be more than before.
    this.#entries = restoreSent(this.#entries, sent);
    return true;
  }

  /** Show a page of older messages more. */
  async loadEarlier(): Promise<void> {
    this.#newest += MESSAGE_PAGE;
    await this.#loadEnd();
    await this.restoreSent();
  }

  /** Note a title that was given somewhere else. */
  noteTitle(title: string | undefined): void {
    this.#title = title;
  }

  /**
   * Add a message, its context and itself as one unit.
   *
   * @param replacing - the entry that it is an edit of; what follows that one leaves the active branch.
   */
  async addMessage(message: OutgoingMessage, replacing?: ConversationEntry): Promise<void> {
    const operation = this.#replaceFrom(replacing);
    await this.#append((seq) => [...toUserEvents(message, seq, operation), ...this.#firstTitle(message, seq)]);
    // Must go by the seq: the entries are made anew whenever the conversation is read again.
    const replaced = this.#entries.findIndex(({ seq }) => seq !== undefined && seq === replacing?.seq);
    if (replaced >= 0) this.#entries = this.#entries.slice(0, replaced);
    const text = readText(message);
    if (this.#isUntitled) this.#title = toTitle(text);
    const seq = this.#lastUserSeq;
    const startSeq = message.context === undefined ? seq : seq - 1;
    const { draft, context } = message;
    const entry = { role: 'user', text, checkpoint: false, draft, seq, startSeq } as const;
    this.#entries = [...this.#entries, context === undefined ? entry : { ...entry, context }];
  }

  /** Add an answer, in place of the last one when that is retried. */
  async addAnswer(text: string, details: { readonly model: string; readonly interrupted: boolean }): Promise<void> {
    const last = this.#entries.at(-1);
    const retried = last?.role === 'assistant' && last.seq !== undefined ? last : undefined;
    const replaced = retried?.seq === undefined ? undefined : toRange(retried.seq, retried.seq);
    await this.#append((seq) => [
      toAnswerEvent(text, replaced === undefined ? details : { ...details, replaced }, seq),
    ]);
    const before = retried === undefined ? this.#entries : this.#entries.slice(0, -1);
    const answer: ConversationEntry = {
      role: 'assistant',
      text,
      checkpoint: false,
      ...details,
      seq: this.#nextSeq - 1,
    };
    this.#entries = [...before, answer];
  }

  /** What a model gets of it: of a long conversation, the messages that are shown. */
  toModelMessages(): readonly ModelMessage[] {
    return this.#entries.flatMap(({ role, text, context }) => {
      const message = { role, content: text };
      return context === undefined ? [message] : [{ role: 'user' as const, content: context.content[0].text }, message];
    });
  }

  /** The same without the last answer, when that is to be given again. */
  toRetriedMessages(): readonly ModelMessage[] {
    const messages = this.toModelMessages();
    return messages.at(-1)?.role === 'assistant' ? messages.slice(0, -1) : messages;
  }

  get #isLong(): boolean {
    return this.#messages > MAX_WHOLE_MESSAGES;
  }

  /** Only a conversation that starts here: one that came without a title keeps its id for a name. */
  get #isUntitled(): boolean {
    return this.#title === undefined && this.#entries.length === 0;
  }

  #firstTitle(message: OutgoingMessage, seq: number): readonly SessionEvent[] {
    if (!this.#isUntitled) return [];
    return [toTitleEvent(toTitle(readText(message)), 'fallback', seq + (message.context === undefined ? 1 : 2))];
  }

  #replaceFrom(entry: ConversationEntry | undefined): SurfaceOperation | undefined {
    const first = entry?.startSeq ?? entry?.seq;
    // Must reach to the end: what a tool said at last is not shown, and would stay behind the edited message.
    const last = this.#surfaceEnd;
    return first === undefined || last === undefined ? undefined : toRange(first, last);
  }

  async #loadWhole(signal?: AbortSignal): Promise<void> {
    const { events, capturedThroughSeq } = await this.#client.readSurface(this.agent.id, signal);
    this.#entries = readEntries(events);
    this.#surfaceEnd = events.at(-1)?.seq;
    this.#omittedMessages = 0;
    this.#nextSeq = (capturedThroughSeq ?? -1) + 1;
  }

  async #loadEnd(signal?: AbortSignal): Promise<void> {
    const options = { newest: this.#newest, ...(signal === undefined ? {} : { signal }) };
    const { messages, omittedMessages, capturedThroughSeq } = await this.#client.readMessages(this.agent.id, options);
    this.#entries = messages;
    this.#surfaceEnd = undefined;
    this.#omittedMessages = omittedMessages;
    this.#nextSeq = (capturedThroughSeq ?? -1) + 1;
  }

  async #append(make: (seq: number) => readonly SessionEvent[]): Promise<void> {
    if (!this.#isStored) {
      const { id, cwd } = this.agent;
      const header = { version: 0, id, createdAt: Date.now(), ...(cwd === undefined ? {} : { cwd }) };
      await this.#client.put({ header, events: [] });
      this.#isStored = true;
    }
    let events = make(this.#nextSeq);
    try {
      await this.#client.append(this.agent.id, events);
    } catch (error) {
      // Another tab may have written to the same conversation: try once more behind what it wrote.
      if (!isSessionReferenceError(error) || error.code !== 'SESSION_REFERENCE_INVALID_LOG') throw error;
      this.#missedSome = true;
      const { capturedThroughSeq } = await this.#client.readMessages(this.agent.id, { newest: 1 });
      events = make((capturedThroughSeq ?? -1) + 1);
      await this.#client.append(this.agent.id, events);
    }
    if (this.#isLong) noteWritten(this.agent.id);
    this.#nextSeq = (events.at(-1)?.seq ?? this.#nextSeq - 1) + 1;
    this.#surfaceEnd = events.findLast(({ surfaceOp }) => surfaceOp !== undefined)?.seq ?? this.#surfaceEnd;
    this.#lastUserSeq = events.findLast(({ type }) => type === 'user/message')?.seq ?? this.#lastUserSeq;
  }
}

function readText({ content }: OutgoingMessage): string {
  return content.map((block) => (typeof block.text === 'string' ? block.text : '')).join('\n');
}

function toRange(start: number, end: number): SurfaceOperation {
  return { op: 'replace', start, end };
}
