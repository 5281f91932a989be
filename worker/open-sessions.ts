import { quoteInput, SessionReferenceError } from '../src/error.ts';
import { isRecord } from '../src/record.ts';
import { MemorySessionStore } from '../src/stores/memory.ts';
import type { WorkerSessions } from './backend.ts';
import { createRemoteQuery } from './remote-query.ts';

/**
 * What a client wants the worker to work on.
 *
 * @param setup - of the client: `{ store, hasQuery }`.
 * @param port - of the page's query, where there is one.
 * @throws SessionReferenceError `INVALID_CONFIG` when the store is none that there is.
 */
export function openSessions(setup: unknown, port: MessagePort | undefined): WorkerSessions {
  const { store = 'memory', hasQuery } = isRecord(setup) ? setup : {};
  if (hasQuery === true && port !== undefined) return createRemoteQuery(port);
  if (store === 'memory') return new MemorySessionStore();
  const found = typeof store === 'string' ? quoteInput(store) : 'something else';
  const message = `The store must be 'memory' or { name }, not ${found}.`;
  throw new SessionReferenceError('SESSION_REFERENCE_INVALID_CONFIG', message);
}
