import { isRecord } from '../../record.ts';
import { type ChangeListener, ChangeListeners, type SessionChange } from '../change-listeners.ts';

/** The part of `BroadcastChannel` that is used; it is missing in old browsers, where tabs do not hear of each other. */
interface Channel {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** Tells the listeners here, and the stores of the same name in other tabs and workers, what has changed. */
export class ChangeChannel {
  readonly #name: string;
  readonly #listeners = new ChangeListeners();
  #channel: Channel | undefined;
  #isClosed = false;

  /** @param name - of the database. */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Be told about every change from now on.
   *
   * @param listener - what it throws is reported and harms nobody else.
   * @returns what ends it.
   */
  subscribe(listener: ChangeListener): () => void {
    this.#open();
    return this.#listeners.add(listener);
  }

  /**
   * Tell about a change that was written.
   *
   * @param change - of this store.
   */
  tell(change: SessionChange): void {
    this.#listeners.tell(change);
    this.#open()?.postMessage(change);
  }

  /** Say nothing and hear nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#channel?.close();
    this.#channel = undefined;
  }

  #open(): Channel | undefined {
    if (this.#isClosed || this.#channel !== undefined) return this.#channel;
    const { BroadcastChannel } = globalThis as { readonly BroadcastChannel?: new (name: string) => Channel };
    if (typeof BroadcastChannel !== 'function') return undefined;
    const channel = new BroadcastChannel(`session-reference:${this.#name}`);
    channel.onmessage = ({ data }): void => {
      const change = parseChange(data);
      if (change !== undefined) this.#listeners.tell(change);
    };
    // Only Node has it: an open channel would keep the process alive.
    (channel as { unref?: () => void }).unref?.();
    this.#channel = channel;
    return channel;
  }
}

/** Any page of the origin can send anything. */
function parseChange(data: unknown): SessionChange | undefined {
  if (!isRecord(data) || (data.kind !== 'changed' && data.kind !== 'deleted') || !Array.isArray(data.ids)) {
    return undefined;
  }
  const ids = data.ids.filter((id): id is string => typeof id === 'string');
  return { kind: data.kind, ids };
}
