import type { PreparedMessage, SessionReferenceService } from '../src/index.ts';
import type { Assistant, ModelMessage } from './assistant.ts';
import type { ConversationEntry } from './conversation-log.ts';
import { type Draft, readDraft } from './mention-picker/index.ts';
import type { OpenConversation } from './open-conversation.ts';

/** What a chat is doing. */
export type ChatState =
  | { readonly kind: 'idle' }
  /** Snapshots are being taken. */
  | { readonly kind: 'preparing' }
  /** An answer is coming in. */
  | {
      readonly kind: 'answering';
      readonly text: string;
      readonly name: string;
      /** Whether it takes the place of the last answer. */
      readonly isRetry: boolean;
    }
  /** The answer failed; it can be asked for again. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** What a chat needs. */
export interface ChatOptions {
  readonly service: SessionReferenceService;
  readonly assistant: () => Assistant;
  readonly onChange: (chat: Chat) => void;
}

/** Sending and answering in one conversation. */
export class Chat {
  readonly conversation: OpenConversation;
  readonly #options: ChatOptions;
  #state: ChatState = { kind: 'idle' };
  #running: AbortController | undefined;

  constructor(conversation: OpenConversation, options: ChatOptions) {
    this.conversation = conversation;
    this.#options = options;
  }

  get state(): ChatState {
    return this.#state;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Send a draft: take the snapshots, put context and message into the conversation together, then ask for an answer.
   *
   * @param draft - what to send; the caller keeps it until this resolves.
   * @param replacing - the message it is an edit of.
   * @param onSent - called when both messages are in the conversation.
   * @throws what kept it from being sent; nothing was delivered then.
   */
  async send(draft: Draft, replacing: ConversationEntry | undefined, onSent: () => void): Promise<void> {
    await this.#run(async (signal) => {
      this.#show({ kind: 'preparing' });
      const prepared = await this.#prepare(draft, signal);
      const { content, additionalContext: context } = prepared;
      await this.conversation.addMessage({ draft, content, context }, replacing);
      onSent();
      await this.#answer(this.conversation.toModelMessages(), signal, false);
    });
  }

  /** Ask for the last answer again. */
  async retry(): Promise<void> {
    await this.#run((signal) => this.#answer(this.conversation.toRetriedMessages(), signal, true));
  }

  /** Stop what is under way. What was answered so far stays. */
  stop(): void {
    this.#running?.abort();
  }

  #prepare(draft: Draft, signal: AbortSignal): Promise<PreparedMessage> {
    const { text, references } = readDraft(draft);
    return this.#options.service.prepare(this.conversation.agent, [{ type: 'text', text }], references, signal);
  }

  async #answer(messages: readonly ModelMessage[], signal: AbortSignal, isRetry: boolean): Promise<void> {
    const assistant = this.#options.assistant();
    const { name } = assistant;
    let text = '';
    this.#show({ kind: 'answering', text, name, isRetry });
    try {
      await assistant.answer(
        messages,
        (piece) => {
          text += piece;
          this.#show({ kind: 'answering', text, name, isRetry });
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) {
        if (text !== '') await this.conversation.addAnswer(text, { model: name, interrupted: true });
        this.#show({ kind: 'failed', error });
        return;
      }
    }
    if (text !== '') await this.conversation.addAnswer(text, { model: name, interrupted: signal.aborted });
    this.#show({ kind: 'idle' });
  }

  async #run(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#running !== undefined) return;
    const controller = new AbortController();
    this.#running = controller;
    try {
      await task(controller.signal);
    } catch (error) {
      this.#state = { kind: 'idle' };
      throw error;
    } finally {
      this.#running = undefined;
      this.#options.onChange(this);
    }
  }

  #show(state: ChatState): void {
    this.#state = state;
    this.#options.onChange(this);
  }
}
