import { checkSignal, untilCancelled } from '../src/cancellation.ts';
import type { SessionReferencesConfig } from '../src/config.ts';
import { deepFreeze } from '../src/deep-freeze.ts';
import { SessionReferenceError } from '../src/error.ts';
import { isRecord } from '../src/record.ts';
import type { PreparedMessage } from '../src/reference.ts';
import { ChangeListeners, type SessionChange } from '../src/stores/change-listeners.ts';
import type { Caller, CallOptions } from './caller.ts';
import type { ConnectOptions, SessionReferencesClient } from './client-types.ts';
import { importFile } from './import-file.ts';
import { loadPart } from './load-part.ts';
import { copyPlain } from './plain-copy.ts';
import type { Notice } from './protocol.ts';
import { type StartedWorker, startWorker, type WorkerLike } from './start-worker.ts';
import { unpackTitles } from './title-results.ts';
import { workerFailed } from './worker-failed.ts';

export type { ChangeListener, SessionChange } from '../src/stores/change-listeners.ts';
export type {
  CancelOptions,
  ConnectOptions,
  DisplayedConversation,
  ImportedSession,
  ImportInput,
  ImportOptions,
  ImportProgress,
  ImportReport,
  SessionReferencesClient,
} from './client-types.ts';
export type { WorkerLike } from './start-worker.ts';

const DEFAULT_START_TIMEOUT = 10_000;
const DEFAULT_SILENCE_TIMEOUT = 15_000;

/**
 * Connect to the service in a worker. Returns at once; calls wait for the worker, and reject with `WORKER_FAILED` when
 * it cannot be started. To try again, connect again.
 *
 * @param given - see {@link ConnectOptions}.
 * @throws SessionReferenceError `INVALID_CONFIG` for a time that is none, `INVALID_REFERENCE` for a signal that is none.
 */
export function connectSessionReferences(given?: ConnectOptions | null): SessionReferencesClient {
  const options = given ?? {};
  const listeners = new ChangeListeners();
  const { signal } = options;
  checkSignal(signal);
  let ended: SessionReferenceError | undefined;
  let started: StartedWorker;
  let reader: StartedWorker | undefined;

  const settings = {
    startTimeout: readTimeout(options, 'startTimeout', DEFAULT_START_TIMEOUT),
    silenceTimeout: readTimeout(options, 'silenceTimeout', DEFAULT_SILENCE_TIMEOUT),
    onNotice: (notice: Notice): void => {
      if (notice.notice === 'change') listeners.tell(notice.value as SessionChange);
    },
    // Must end imports as well: the worker that reads would only notice by the silence of the one that keeps.
    onEnd: (error: SessionReferenceError): void => end(error),
  };
  const start = (worker: WorkerLike | (() => WorkerLike)): Promise<Caller> => {
    // Must look when nothing more is waited for: nobody would stop what is started after the end.
    if (ended !== undefined) throw ended;
    const setup = createSetup(options, end);
    started = startWorker(worker, { ...settings, setup, transferred: setup.slice(1) as Transferable[] });
    return started.caller;
  };
  const connect = async (): Promise<Connection> => {
    try {
      return { caller: await start(options.worker ?? startDefaultWorker), mode: 'worker' };
    } catch (error) {
      if (options.fallback !== 'page' || ended !== undefined || !isWorkerFailure(error)) throw error;
      const { openPageSessions } = await loadPart(import('./page-fallback.ts'));
      return { caller: await start(openPageSessions), mode: 'page' };
    }
  };
  const openReader = async (mode: Connection['mode']): Promise<Caller> => {
    const onPage = mode === 'page' ? (await loadPart(import('./page-fallback.ts'))).openPageReader : undefined;
    if (ended !== undefined) throw ended;
    reader ??= startWorker(options.readerWorker ?? onPage ?? startDefaultReader, {
      ...settings,
      setup: [],
      transferred: [],
      // The next import starts another one.
      onEnd: () => {
        reader = undefined;
      },
    });
    return reader.caller;
  };
  const end = (error: SessionReferenceError): void => {
    ended ??= error;
    started.stop(ended);
    reader?.stop(ended);
  };

  const connection = connect();
  const onAbort = (): void => end(workerFailed('The connection was ended by its signal.', signal?.reason));
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return createClient(connection, openReader, listeners, () => {
    signal?.removeEventListener('abort', onAbort);
    end(workerFailed('The connection was closed.'));
  });
}

function readTimeout(options: ConnectOptions, key: 'startTimeout' | 'silenceTimeout', fallback: number): number {
  const value = options[key] ?? fallback;
  if (typeof value === 'number' && value > 0) return value;
  throw new SessionReferenceError('SESSION_REFERENCE_INVALID_CONFIG', `${key} must be a time in ms above 0.`);
}

/** A connection that was made, and where the work is done. */
interface Connection {
  readonly caller: Caller;
  readonly mode: 'worker' | 'page';
}

/** The arguments of `open`: plain settings, and a port where the sessions are a query on the page. */
function createSetup(
  { config: given, store, query }: ConnectOptions,
  onFailure: (error: SessionReferenceError) => void,
): readonly unknown[] {
  const config = isRecord(given) ? pickSettings(given) : given;
  const isBounded = query?.readConversation !== undefined;
  if (query === undefined || typeof MessageChannel !== 'function') return [{ config, store }];
  const { port1, port2 } = new MessageChannel();
  // What the worker asks meanwhile waits in the port.
  loadPart(import('./expose-query.ts')).then(({ exposeQuery }) => exposeQuery(query, port1), onFailure);
  return [{ config, isBounded }, port2];
}

/** Unknown settings are ignored, also those that could not be sent. */
function pickSettings(config: SessionReferencesConfig): SessionReferencesConfig {
  const { maxReferences, candidateLimit, maxReferenceBytes } = config;
  return { maxReferences, candidateLimit, maxReferenceBytes };
}

function isWorkerFailure(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'SESSION_REFERENCE_WORKER_FAILED';
}

/** Bundlers find the worker file by this expression, and only when it is written like this. */
function startDefaultWorker(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}

function startDefaultReader(): Worker {
  return new Worker(new URL('./reader.js', import.meta.url), { type: 'module' });
}

function createClient(
  connection: Promise<Connection>,
  openReader: (mode: Connection['mode']) => Promise<Caller>,
  listeners: ChangeListeners,
  close: () => void,
): SessionReferencesClient {
  let open: Connection | undefined;
  const ready = connection.then((made) => {
    open = made;
    return { mode: made.mode };
  });
  // Must be handled here: nobody has to look at `ready`, and every call reports the failure.
  ready.catch(() => undefined);
  const call = async (method: string, args: readonly unknown[], options?: CallOptions | null): Promise<never> => {
    const { signal, transferred } = options ?? {};
    checkSignal(signal);
    // Must be taken now, sent or copied: the host may go on to change what it gave.
    if (open !== undefined) return (await open.caller.call(method, args, options ?? {})) as never;
    const held = transferred === undefined ? (copyPlain(args) as readonly unknown[]) : args;
    // Must wait in spite of a signal that is aborted already: other faults of the call come first.
    const { caller } = await (signal?.aborted ? connection : untilCancelled(connection, signal));
    return (await caller.call(method, held, options ?? {})) as never;
  };
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
    readTitleSnapshots: async (ids, signal) => unpackTitles(await call('readTitleSnapshots', [ids], { signal })),
    readSurface: (id, signal) => call('readSurface', [id], { signal }),
    importSessions: async (file, given) => {
      // Must be taken now: the host may go on to change what it gave.
      const taken = { ...given };
      const { signal } = taken;
      checkSignal(signal);
      const { mode } = await untilCancelled(ready, signal);
      return importFile(file, taken, () => openReader(mode), call);
    },
    put: (log, options) => call('put', [log], options),
    append: (id, events, options) => call('append', [id, events], options),
    delete: (id, options) => call('delete', [id], options),
    readMessages: (id, options) => call('readMessages', [id, options?.newest], options),
    exportSession: (id, options) => call('exportSession', [id], options),
    subscribe: (listener) => listeners.add(listener),
    close,
  };
}
