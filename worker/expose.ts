import type { SessionQuery } from '../src/session/query.ts';
import { createBackend } from './backend.ts';
import { type ServedChannel, serveChannel, serveScope } from './serve.ts';

/**
 * Answer the pages that connect to this worker, over sessions of the host's own. To be called once, in a worker of the
 * host, while its script runs; pages connect with `connectSessionReferences({ worker })`.
 *
 * @param query - the host's sessions. A store, or whatever of one it has besides, can be written to by the pages.
 * @param channel - where pages connect. Default: the scope of the worker that runs this, dedicated or shared.
 */
export function exposeSessionReferences(query: SessionQuery, channel?: MessagePort): void {
  const backend = createBackend(() => query, false);
  if (channel === undefined) serveScope(backend);
  else serveChannel(channel as unknown as ServedChannel, backend);
}
