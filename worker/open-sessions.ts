import { describeType, quoteInput, SessionReferenceError } from '../src/error.ts';
import { isRecord } from '../src/record.ts';
import { IndexedDbSessionStore } from '../src/stores/indexeddb.ts';
import { MemorySessionStore } from '../src/stores/memory.ts';
import type { WorkerSessions } from './backend.ts';
import { createRemoteQuery } from './remote-query.ts';

/**
 * What a client wants the worker to work on: an IndexedDB unless it says otherwise.
 *
 * @param setup - of the client: `{ store, isBounded }`.
 * @param port - of the page's query, where there is one.
 * @throws SessionReferenceError `INVALID_CONFIG` when the store is none that there is.
 */
export function openSessions(setup: unknown, port: MessagePort | undefined): WorkerSessions {
  const { store = {}, isBounded } = isRecord(setup) ? setup : {};
  if (port !== undefined) return createRemoteQuery(port, isBounded === true);
  if (store === 'memory') return new MemorySessionStore();
  if (!isRecord(store)) throw invalidStore(typeof store === 'string' ? quoteInput(store) : describeType(store));
  const { name } = store;
  if (name !== undefined && typeof name !== 'string') throw invalidStore(`one whose name is ${describeType(name)}`);
  return new IndexedDbSessionStore(name === undefined ? {} : { name });
}

function invalidStore(found: string): SessionReferenceError {
  const message = `The store must be 'memory' or { name }, not ${found}.`;
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_CONFIG', message);
}
