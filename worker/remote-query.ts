import type { SessionQuery } from '../src/session/query.ts';
import { Caller } from './caller.ts';
import { unpackTitles } from './title-results.ts';
import { workerFailed } from './worker-failed.ts';

/** A page that is gone says nothing; how long the worker waits, in ms. */
const SILENCE_TIMEOUT = 60_000;

/**
 * A query that lives on the page, as the worker sees it.
 *
 * @param port - of which the page exposes the query.
 * @param isBounded - whether the query has bounded reads.
 */
export function createRemoteQuery(port: MessagePort, isBounded: boolean): SessionQuery & { close(): void } {
  const caller = new Caller(port, { silenceTimeout: SILENCE_TIMEOUT, onEnd: () => undefined });
  const call = async (method: string, args: readonly unknown[], signal: AbortSignal | undefined): Promise<never> =>
    (await caller.call(method, args, { signal })) as never;
  return {
    listSessions: (signal) => call('listSessions', [], signal),
    readTitleSnapshots: async (ids, signal) => unpackTitles(await call('readTitleSnapshots', [ids], signal)),
    readSurface: (id, signal) => call('readSurface', [id], signal),
    ...(isBounded ? { readConversation: (id, bytes, signal) => call('readConversation', [id, bytes], signal) } : {}),
    close: () => caller.end(workerFailed('The connection was closed.')),
  };
}
