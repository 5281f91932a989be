/** One message as a model gets it. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** Whoever answers in this chat. */
export interface Assistant {
  /** What the page calls it. Untrusted where it is the name of a model. */
  readonly name: string;
  /**
   * Answer a conversation.
   *
   * @param messages - the whole of it, oldest first.
   * @param onText - called with each further piece of the answer.
   * @param signal - stops it; what came until then stays.
   */
  answer(messages: readonly ModelMessage[], onText: (text: string) => void, signal: AbortSignal): Promise<void>;
}
