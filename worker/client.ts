import { deepFreeze } from '../src/deep-freeze.ts';
import { SessionReferenceError } from '../src/error.ts';
import type { PreparedMessage } from '../src/reference.ts';
import { type Callee, exposeMethods } from './callee.ts';
import type { Caller, CallOptions } from './caller.ts';
import type { ConnectOptions, SessionChange, SessionReferencesClient } from './client-types.ts';
import { createQueryMethods } from './page-query.ts';
import { type StartedWorker, startWorker } from './start-worker.ts';

export type {
  CancelOptions,
  ConnectOptions,
  DisplayedConversation,
  ImportedSession,
  ImportInput,
  ImportOptions,
  ImportProgress,
  ImportReport,
  SessionChange,
  SessionReferencesClient,
} from './client-types.ts';
export type { WorkerLike } from './start-worker.ts';

const DEFAULT_START_TIMEOUT = 10_000;
const DEFAULT_SILENCE_TIMEOUT = 15_000;

/**
 * Connect to the service in a worker. Returns at once; calls wait for the worker, and reject with `WORKER_FAILED` when
 * it cannot be started. To try again, connect again.
 *
 * @param options - see {@link ConnectOptions}.
 */
export function connectSessionReferences(options: ConnectOptions = {}): SessionReferencesClient {
  const listeners = new Set<(change: SessionChange) => void>();
  const { port, callee } = exposeQuery(options);
  const setup = { config: options.config, store: options.store, hasQuery: port !== undefined };
  const timeouts = {
    startTimeout: options.startTimeout ?? DEFAULT_START_TIMEOUT,
    silenceTimeout: options.silenceTimeout ?? DEFAULT_SILENCE_TIMEOUT,
  };
  const started: StartedWorker = startWorker(options.worker ?? startDefaultWorker, {
    setup: [setup, port],
    transferred: port === undefined ? [] : [port],
    ...timeouts,
    onNotice: (notice) => {
      if (notice.notice === 'change') for (const listener of listeners) listener(notice.value as SessionChange);
    },
    onEnd: () => callee?.end(),
  });
  let readerWorker: StartedWorker | undefined;
  const openReader = (): Promise<Caller> => {
    readerWorker ??= startWorker(options.readerWorker ?? startDefaultReader, {
      ...timeouts,
      setup: [],
      transferred: [],
      onNotice: () => undefined,
      // The next import starts another one.
      onEnd: () => {
        readerWorker = undefined;
      },
    });
    return readerWorker.caller;
  };
  const end = (message: string, cause?: unknown): void => {
    callee?.end();
    const error = new SessionReferenceError('SESSION_REFERENCE_WORKER_FAILED', message, { cause });
    started.stop(error);
    readerWorker?.stop(error);
  };
  const { signal } = options;
  const onAbort = (): void => end('The connection was ended by its signal.', signal?.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return createClient(started.caller, openReader, listeners, () => {
    signal?.removeEventListener('abort', onAbort);
    end('The connection was closed.');
  });
}

/** Bundlers find the worker file by this expression, and only when it is written like this. */
function startDefaultWorker(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}

function startDefaultReader(): Worker {
  return new Worker(new URL('./reader.js', import.meta.url), { type: 'module' });
}

function exposeQuery({ query }: ConnectOptions): { readonly port?: MessagePort; readonly callee?: Callee } {
  if (query === undefined || typeof MessageChannel !== 'function') return {};
  const { port1, port2 } = new MessageChannel();
  return { port: port2, callee: exposeMethods(port1, createQueryMethods(query)) };
}

function createClient(
  caller: Promise<Caller>,
  reader: () => Promise<Caller>,
  listeners: Set<(change: SessionChange) => void>,
  close: () => void,
): SessionReferencesClient {
  const ready = caller.then((): { mode: 'worker' } => ({ mode: 'worker' }));
  // Must be handled here: nobody has to look at `ready`, and every call reports the failure.
  ready.catch(() => undefined);
  const call = async (method: string, args: readonly unknown[], options?: CallOptions): Promise<never> =>
    (await (await caller).call(method, args, options)) as never;
  return {
    ready,
    listCandidates: (agent, query, limit, signal) => call('listCandidates', [agent, query, limit], { signal }),
    prepare: async (agent, content, references, signal) => {
      const prepared: PreparedMessage = await call('prepare', [agent, content, references], { signal });
      // What crosses the border arrives thawed.
      deepFreeze(prepared.additionalContext);
      return prepared;
    },
    listSessions: (signal) => call('listSessions', [], { signal }),
    readTitleSnapshots: (ids, signal) => call('readTitleSnapshots', [ids], { signal }),
    readSurface: (id, signal) => call('readSurface', [id], { signal }),
    importSessions: async (file, { signal, onProgress, ...options } = {}) => {
      const fileName = file instanceof Blob && 'name' in file ? file.name : undefined;
      const { port1, port2 } = new MessageChannel();
      const transferred = file instanceof Blob ? [port1] : [port1, file];
      const report = onProgress as CallOptions['onProgress'];
      // Must begin with the reader: it must hold the file before the host can change it.
      const read = reader().then((one) =>
        one.call('read', [file, { fileName, ...options }, port1], { signal, onProgress: report, transferred }),
      );
      const [imported] = await Promise.all([read, call('receive', [port2], { transferred: [port2] })]);
      return imported as never;
    },
    put: (log, options) => call('put', [log], options),
    append: (id, events, options) => call('append', [id, events], options),
    delete: (id, options) => call('delete', [id], options),
    readMessages: (id, { newest, signal } = {}) => call('readMessages', [id, newest], { signal }),
    exportSession: (id, options) => call('exportSession', [id], options),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
  };
}
