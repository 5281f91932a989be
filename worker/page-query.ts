import type { SessionQuery } from '../src/session/query.ts';
import type { Methods } from './callee.ts';

/**
 * A query on the page, as methods that the worker may call.
 *
 * @param query - of the host.
 */
export function createQueryMethods(query: SessionQuery): Methods {
  const { readConversation } = query;
  const methods: [string, (args: readonly unknown[], signal: AbortSignal) => unknown][] = [
    ['listSessions', (_, signal) => query.listSessions(signal)],
    ['readTitleSnapshots', ([ids], signal) => query.readTitleSnapshots(ids as never, signal)],
    ['readSurface', ([id], signal) => query.readSurface(id as never, signal)],
  ];
  if (readConversation !== undefined) {
    methods.push([
      'readConversation',
      ([id, bytes], signal) => readConversation.call(query, id as never, bytes as never, signal),
    ]);
  }
  return new Map(methods.map(([name, run]) => [name, (args, { signal }) => run(args, signal)]));
}
