import type { SessionLog } from '../src/session/session.ts';
import type { CallContext, Method, Methods } from './callee.ts';
import { Caller } from './caller.ts';
import type { ImportInput, ImportReport } from './client-types.ts';
import { importSessions, type ReadSessions } from './import-sessions.ts';
import { splitLogs } from './log-parts.ts';
import type { CreateMethods } from './serve.ts';
import { workerFailed } from './worker-failed.ts';

/** How long to wait for a store that keeps a session, in ms without a sign of life. */
const SILENCE_TIMEOUT = 60_000;

/**
 * The methods of the worker that reads files. What it reads goes to the worker that keeps sessions, over a port between
 * the two, and never touches the page.
 *
 * @param readSessions - reads files.
 */
export function createReader(readSessions: ReadSessions): CreateMethods {
  const methods: Methods = new Map<string, Method>([
    ['open', () => undefined],
    ['read', ([input, options, port], context) => read(readSessions, input, options, port, context)],
  ]);
  return () => ({ methods, close: () => undefined });
}

async function read(
  readSessions: ReadSessions,
  input: unknown,
  options: unknown,
  port: unknown,
  context: CallContext,
): Promise<ImportReport> {
  const store = new Caller(port as MessagePort, { silenceTimeout: SILENCE_TIMEOUT, onEnd: () => undefined });
  const keep = async (logs: readonly SessionLog[]): Promise<void> => {
    for (const parts of splitLogs(logs)) await store.call('put', [parts], { signal: context.signal });
  };
  try {
    return await importSessions(readSessions, input as ImportInput, options, keep, context);
  } finally {
    store.end(workerFailed('The import is over.'));
  }
}
