/**
 * Everything that crosses the border between a page and its worker.
 *
 * Two channels are used. The worker's own one, which the host may use as well, carries three tagged messages: `hello`,
 * `ready` and `connect`. The last hands over a private port. Comlink makes the calls on that port, all of them to one
 * function, `run`; a few tagged notices go beside them, which need no answer.
 */

import { isRecord } from '../src/record.ts';
import type { ErrorData } from './error-data.ts';

/**
 * Raised whenever a message changes its meaning. The page refuses a worker of another version: the two files come
 * from different releases, usually because one of them is cached.
 */
export const PROTOCOL_VERSION = 3;

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
  return kind === 'ready'
    ? { sessionReference: kind, version: typeof version === 'number' ? version : Number.NaN }
    : undefined;
}

/** One call, the only argument of `run`. */
export interface Call {
  /** Chosen by the caller; notices about the call carry it. */
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
  /** There when the caller's signal was aborted before the call. */
  readonly aborted?: { readonly reason: ErrorData };
}

/** What `run` resolves to; it never rejects, because errors lose their code and cause on the way. */
export type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ErrorData };

/** The one function that is exposed on the private port. */
export interface RunApi {
  run(call: Call): Promise<Answer>;
}

/** What is said on the private port beside the calls, in either direction. */
export type Notice =
  /** The caller gave up a call. */
  | { readonly notice: 'abort'; readonly id: number; readonly reason: ErrorData }
  /** How far a call has come. */
  | { readonly notice: 'progress'; readonly id: number; readonly value: unknown }
  /** Sessions changed, by whomever. */
  | { readonly notice: 'change'; readonly value: unknown }
  /** Asks for a `pong`: is anybody there? */
  | { readonly notice: 'ping' }
  | { readonly notice: 'pong' }
  /** The sender ends the connection. */
  | { readonly notice: 'bye' };

/**
 * Narrow a message of the private port.
 *
 * @param data - what arrived; `undefined` when it is no notice.
 */
export function parseNotice(data: unknown): Notice | undefined {
  if (!isRecord(data)) return undefined;
  const { notice, id } = data;
  const isNotice =
    notice === 'ping' || notice === 'pong' || notice === 'bye' || notice === 'change' || typeof id === 'number';
  return isNotice && typeof notice === 'string' ? (data as unknown as Notice) : undefined;
}

/**
 * Narrow the argument of `run`.
 *
 * @param value - what arrived.
 */
export function parseCall(value: unknown): Call | undefined {
  if (!isRecord(value)) return undefined;
  const { id, method, args } = value;
  const isCall = typeof id === 'number' && typeof method === 'string' && Array.isArray(args);
  return isCall ? (value as unknown as Call) : undefined;
}
