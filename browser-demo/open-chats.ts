import type { SessionRecord } from '../src/index.ts';
import type { SessionReferencesClient } from '../worker/client.ts';
import { Chat, type ChatOptions } from './chat.ts';
import { createId } from './new-id.ts';
import { OpenConversation } from './open-conversation.ts';

/** The chats that are open: the one on the page, and those elsewhere that are still sent or answered. */
export class OpenChats {
  readonly #client: SessionReferencesClient;
  readonly #options: ChatOptions;
  readonly #busy = new Map<string, Chat>();
  #current: Chat;
  /** The conversation without messages, which is come back to as long as it has none. */
  #fresh: Chat;

  constructor(client: SessionReferencesClient, options: ChatOptions) {
    this.#client = client;
    this.#options = options;
    this.#fresh = this.#createFresh(undefined);
    this.#current = this.#fresh;
  }

  /** The chat on the page. */
  get current(): Chat {
    return this.#current;
  }

  /** Go to the conversation that has no messages yet; its folder is not asked for again. */
  startNew(cwd: string | undefined): Chat {
    if (this.#fresh.conversation.isStored || this.#fresh.isBusy) this.#fresh = this.#createFresh(cwd);
    return this.#goTo(this.#fresh);
  }

  /** The same in another folder: nothing is stored yet. */
  startIn(cwd: string | undefined): Chat {
    this.#fresh = this.#createFresh(cwd);
    return this.#goTo(this.#fresh);
  }

  /** Go to a stored conversation. What is still answered there is found as it is; everything else must be loaded. */
  open({ header, title, messages }: SessionRecord): Chat {
    const busy = header.id === this.#current.conversation.agent.id ? this.#current : this.#busy.get(header.id);
    if (busy?.isBusy) return this.#goTo(busy);
    const agent = { id: header.id, ...(typeof header.cwd === 'string' ? { cwd: header.cwd } : {}) };
    const start = { client: this.#client, agent, isStored: true, title: title ?? undefined, messages };
    return this.#goTo(new Chat(new OpenConversation(start), this.#options));
  }

  #goTo(chat: Chat): Chat {
    for (const [id, other] of this.#busy) if (!other.isBusy) this.#busy.delete(id);
    if (this.#current.isBusy) this.#busy.set(this.#current.conversation.agent.id, this.#current);
    this.#current = chat;
    return chat;
  }

  #createFresh(cwd: string | undefined): Chat {
    const agent = { id: createId('chat'), ...(cwd === undefined ? {} : { cwd }) };
    return new Chat(new OpenConversation({ client: this.#client, agent, isStored: false }), this.#options);
  }
}
