/**
 * Everything that crosses the border between a page and its worker.
 *
 * Two channels are used. The worker's own one, which the host may use as well, carries three tagged messages: `hello`,
 * `ready` and `connect`. The last hands over a private port, and everything else goes through that.
 */

import { isRecord } from '../src/record.ts';
import type { ErrorData } from './error-data.ts';

/**
 * Raised whenever a message changes its meaning. The page refuses a worker of another version: the two files come
 * from different releases, usually because one of them is cached.
 */
export const PROTOCOL_VERSION = 1;

/**
 * On the worker's own channel. `hello` (from the page) asks for `ready` (from the worker), which the worker also says
 * unasked when it starts: whichever is not lost makes the connection. `connect` (from the page) comes with one port.
 */
export type ChannelMessage =
  | { readonly sessionReference: 'hello' }
  | { readonly sessionReference: 'ready'; readonly version: number }
  | { readonly sessionReference: 'connect' };

/**
 * Narrow a message of the worker's own channel.
 *
 * @param data - what arrived; a foreign message is `undefined`.
 */
export function parseChannelMessage(data: unknown): ChannelMessage | undefined {
  if (!isRecord(data)) return undefined;
  const { sessionReference: kind, version } = data;
  if (kind === 'hello' || kind === 'connect') return { sessionReference: kind };
  return kind === 'ready' ? { sessionReference: kind, version: Number(version) } : undefined;
}

/** The named arguments of a call. Names, not positions, so that an error can say where in them a fault is. */
export interface CallArguments {
  readonly [name: string]: unknown;
}

/** Asks the other side to run a method, and to answer with a `result` or an `error` of the same id. */
export interface CallMessage {
  readonly kind: 'call';
  readonly id: number;
  readonly method: string;
  readonly value: CallArguments;
  /** There when the caller's signal was aborted before the call. */
  readonly aborted?: { readonly reason: ErrorData };
}

/**
 * On the private port, in both directions: the page calls the worker, and the worker calls a query that lives on the
 * page.
 */
export type PortMessage =
  | CallMessage
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'progress'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'abort'; readonly id: number; readonly value: unknown }
  /** Asks for a `pong`, and for an `error` of every call that is not running there: its message was lost. */
  | { readonly kind: 'ping'; readonly value: readonly unknown[] }
  | { readonly kind: 'pong' }
  /** A message arrived that could not be read. */
  | { readonly kind: 'unreadable' }
  /** The sender ends the connection. */
  | { readonly kind: 'bye' };

/**
 * Narrow a message of the private port. What a method makes of its arguments, and a caller of its result, is theirs.
 *
 * @param data - what arrived; `undefined` for anything else than a {@link PortMessage}.
 */
export function parsePortMessage(data: unknown): PortMessage | undefined {
  return isRecord(data) && isPortMessage(data) ? (data as unknown as PortMessage) : undefined;
}

function isPortMessage({ kind, id, method, value }: { readonly [field: string]: unknown }): boolean {
  switch (kind) {
    case 'call':
      return typeof id === 'number' && typeof method === 'string' && isRecord(value);
    case 'result':
    case 'error':
    case 'progress':
    case 'abort':
      return typeof id === 'number';
    case 'ping':
      return Array.isArray(value);
    default:
      return kind === 'pong' || kind === 'unreadable' || kind === 'bye';
  }
}
