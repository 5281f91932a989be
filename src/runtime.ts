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
}

/** An id that no other message has. `crypto.randomUUID` is missing on plain http pages, `crypto` in some engines. */
export function createRandomId(): string {
  const { crypto } = globalThis as HostGlobals;
  if (typeof crypto?.randomUUID === 'function') return crypto.randomUUID();
  const bytes = Uint8Array.from({ length: 16 }, () => Math.floor(Math.random() * 256));
  if (typeof crypto?.getRandomValues === 'function') crypto.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Lets timers, messages and rendering of the same thread have a turn; where there are no timers, only promises. */
export const pauseWithTimer: Pause = () => {
  const { setTimeout } = globalThis as HostGlobals;
  return typeof setTimeout === 'function' ? new Promise((resolve) => void setTimeout(resolve, 0)) : Promise.resolve();
};
