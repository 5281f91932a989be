import type { Pause } from './slices.ts';

/**
 * What the service takes from its host where the host offers it. Looked up inside functions only: importing the library
 * touches nothing, on a server as little as in a page.
 */

/** The parts of a host that may be missing. */
interface HostGlobals {
  readonly crypto?: {
    readonly randomUUID?: () => string;
    readonly getRandomValues?: (bytes: Uint8Array<ArrayBuffer>) => unknown;
  };
  readonly setTimeout?: (callback: () => void, delay: number) => unknown;
  readonly MessageChannel?: new () => { readonly port1: HostPort; readonly port2: HostPort };
}

interface HostPort {
  onmessage: (() => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

/** An id that no other message has. `crypto.randomUUID` is missing on plain http pages, `crypto` in some engines. */
export function createRandomId(): string {
  const { crypto } = globalThis as HostGlobals;
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID();
  const bytes = Uint8Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  if (typeof crypto?.getRandomValues === 'function') crypto.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Lets timers, messages and rendering of the same thread have a turn: by a message to itself, since browsers delay
 * nested timers by 4 ms; where there is no channel by a timer, and where there is none either by a promise.
 */
export const pauseForOthers: Pause = () => {
  const { MessageChannel, setTimeout } = globalThis as HostGlobals;
  if (typeof MessageChannel === 'function') return pauseWithMessage(new MessageChannel());
  return typeof setTimeout === 'function' ? new Promise((resolve) => void setTimeout(resolve, 0)) : Promise.resolve();
};

function pauseWithMessage({ port1, port2 }: { readonly port1: HostPort; readonly port2: HostPort }): Promise<void> {
  return new Promise((resolve) => {
    port1.onmessage = (): void => {
      // Must be closed: an open port keeps a process of Node alive.
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
