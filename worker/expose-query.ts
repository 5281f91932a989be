import type { SessionQuery } from '../src/session/query.ts';
import { exposeMethods } from './callee.ts';
import { packTitles } from './title-results.ts';

/**
 * Let the worker ask a query on the page.
 *
 * @param query - of the host.
 * @param port - of which the worker has the other end.
 */
export function exposeQuery(query: SessionQuery, port: MessagePort): void {
  const { readConversation } = query;
  const methods: [string, (args: readonly unknown[], signal: AbortSignal) => unknown][] = [
    ['listSessions', (_, signal) => query.listSessions(signal)],
    ['readTitleSnapshots', async ([ids], signal) => packTitles(await query.readTitleSnapshots(ids as never, signal))],
    ['readSurface', ([id], signal) => query.readSurface(id as never, signal)],
  ];
  if (readConversation !== undefined) {
    const run = readConversation.bind(query);
    methods.push(['readConversation', ([id, bytes], signal) => run(id as never, bytes as never, signal)]);
  }
  exposeMethods(port, new Map(methods.map(([name, run]) => [name, (args, { signal }) => run(args, signal)])));
}
