import { throwIfCancelled } from '../src/cancellation.ts';
import { resolveConfig, type SessionReferencesConfig } from '../src/config.ts';
import { SessionReferenceError, type SessionReferenceErrorCode } from '../src/error.ts';
import { isRecord } from '../src/record.ts';
import type { SessionQuery } from '../src/session/query.ts';
import { parseSessionList, parseSurfaceSnapshot } from '../src/session/query-answers.ts';
import type { SessionEvent, SessionLog } from '../src/session/session.ts';
import { SessionReferences } from '../src/session-references.ts';
import type { SessionChange } from '../src/stores/change-listeners.ts';
import { type Callee, exposeMethods, type Method, type Methods } from './callee.ts';
import { exportSession } from './export-session.ts';
import { withCode } from './host-failure.ts';
import { ReceivedLogs } from './log-parts.ts';
import { readMessages } from './read-messages.ts';
import type { CreateMethods, Notify } from './serve.ts';
import { packTitles } from './title-results.ts';
import { workerFailed } from './worker-failed.ts';

const STORE_FAILED: SessionReferenceErrorCode = 'SESSION_REFERENCE_STORE_FAILED';

/** The writes of a store. One that can be cancelled, as that of IndexedDB, uses the signal. */
interface SessionWrites {
  put(log: SessionLog, signal?: AbortSignal): Promise<void>;
  putAll?(logs: readonly SessionLog[], signal?: AbortSignal): Promise<void>;
  append(id: string, events: readonly SessionEvent[], signal?: AbortSignal): Promise<void>;
  delete(id: string, signal?: AbortSignal): Promise<boolean>;
}

/** A query, or a store, in the worker. What a store has beside the contract is used where it is there. */
export type WorkerSessions = SessionQuery &
  Partial<SessionWrites> & {
    readLog?(id: string, signal?: AbortSignal): Promise<SessionLog>;
    subscribe?(listener: (change: SessionChange) => void): () => void;
    close?(): void;
  };

/** What the worker shall work on: the first argument of `open`, not narrowed yet. */
export type OpenSessions = (setup: unknown, port: MessagePort | undefined) => WorkerSessions;

/**
 * The methods of one connection.
 *
 * @param openSessions - from the setup to the sessions.
 * @param closesSessions - whether they end with the connection: not those of a host, which other pages may use.
 */
export function createBackend(openSessions: OpenSessions, closesSessions = true): CreateMethods {
  return (notify) => {
    const backend = new Backend(notify, openSessions, closesSessions);
    return { methods: backend.methods(), close: () => backend.close() };
  };
}

class Backend {
  readonly #notify: Notify;
  readonly #openSessions: OpenSessions;
  readonly #closesSessions: boolean;
  readonly #receiving = new Set<Callee>();
  #sessions: WorkerSessions | undefined;
  #references: SessionReferences | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(notify: Notify, openSessions: OpenSessions, closesSessions: boolean) {
    this.#notify = notify;
    this.#openSessions = openSessions;
    this.#closesSessions = closesSessions;
  }

  methods(): Methods {
    const methods: Readonly<Record<string, Method>> = {
      open: ([setup, port]) => this.#open(setup, port as MessagePort | undefined),
      listCandidates: ([agent, query, limit], { signal }) =>
        this.#service().listCandidates(agent as never, query as never, limit as never, signal),
      prepare: ([agent, content, references], { signal }) =>
        this.#service().prepare(agent as never, content as never, references as never, signal),
      listSessions: (_, { signal }) =>
        this.#read(signal, async (query) => parseSessionList(await query.listSessions(signal))),
      readTitleSnapshots: ([ids], { signal }) =>
        this.#read(signal, async (query) => packTitles(await query.readTitleSnapshots(ids as never, signal))),
      readSurface: ([id], { signal }) =>
        this.#read(signal, async (query) => parseSurfaceSnapshot(await query.readSurface(id as never, signal))),
      readMessages: ([id, newest], { signal }) =>
        this.#read(signal, (query) => readMessages(query, id as never, newest as never, signal)),
      put: ([log], { signal }) => this.#change((store) => store.put(log as never, signal), signal, [idOf(log)]),
      append: ([id, events], { signal }) =>
        this.#change((store) => store.append(id as never, events as never, signal), signal, [id]),
      delete: ([id], { signal }) => this.#change((store) => store.delete(id as never, signal), signal, [id], 'deleted'),
      receive: ([port], { signal }) => this.#receive(port as MessagePort, signal),
      exportSession: ([id], { signal }) => this.#read(signal, (query) => exportSession(query, id as never, signal)),
    };
    return new Map(Object.entries(methods));
  }

  close(): void {
    for (const callee of this.#receiving) callee.end();
    this.#unsubscribe?.();
    if (this.#closesSessions) this.#sessions?.close?.();
  }

  #open(setup: unknown, port: MessagePort | undefined): void {
    const config = isRecord(setup) ? (setup.config as SessionReferencesConfig | undefined) : undefined;
    // Must come first: a store that was opened for settings that are refused would stay open.
    resolveConfig(config);
    const sessions = this.#openSessions(setup, port);
    this.#sessions = sessions;
    this.#references = new SessionReferences(sessions, config);
    this.#unsubscribe = sessions.subscribe?.((change) => this.#notify({ notice: 'change', value: change }));
  }

  /** Keep the sessions that the worker of the readers sends, until it ends the connection or the page gives up. */
  #receive(port: MessagePort, signal: AbortSignal): Promise<void> {
    this.#store();
    const received = new ReceivedLogs();
    const put: Method = async ([parts]) => {
      const logs = received.add(parts) as readonly SessionLog[];
      if (logs.length > 0) await this.#change((store) => putAll(store, logs, signal), signal, logs.map(idOf));
    };
    return new Promise((resolve) => {
      const finish = (): void => {
        callee.end();
        this.#receiving.delete(callee);
        resolve();
      };
      const callee = exposeMethods(port, new Map([['put', put]]), finish);
      this.#receiving.add(callee);
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  /** A store that tells about changes itself also tells about those of other tabs; for the others it is done here. */
  async #change<Result>(
    run: (store: SessionWrites) => Promise<Result>,
    signal: AbortSignal,
    changed: readonly unknown[],
    kind: SessionChange['kind'] = 'changed',
  ): Promise<Result> {
    const store = this.#store();
    throwIfCancelled(signal);
    const result = await withCode(STORE_FAILED, 'The sessions could not be changed.', signal, () => run(store));
    const ids = changed.filter((id) => typeof id === 'string');
    if (this.#unsubscribe === undefined && ids.length > 0) {
      this.#notify({ notice: 'change', value: { kind, ids } satisfies SessionChange });
    }
    return result;
  }

  #store(): SessionWrites {
    const sessions = this.#query();
    if (sessions.put === undefined || sessions.append === undefined || sessions.delete === undefined) {
      throw new SessionReferenceError(STORE_FAILED, 'The sessions of this host can only be read.');
    }
    return sessions as SessionWrites;
  }

  #read<Result>(signal: AbortSignal, run: (query: WorkerSessions) => Promise<Result>): Promise<Result> {
    const query = this.#query();
    return withCode('SESSION_REFERENCE_READ_FAILED', 'The sessions could not be read.', signal, () => run(query));
  }

  #query(): WorkerSessions {
    if (this.#sessions === undefined) throw notOpen();
    return this.#sessions;
  }

  #service(): SessionReferences {
    if (this.#references === undefined) throw notOpen();
    return this.#references;
  }
}

/** A store that cannot keep many at once keeps them one after the other. */
async function putAll(store: SessionWrites, logs: readonly SessionLog[], signal: AbortSignal): Promise<void> {
  if (store.putAll !== undefined) return await store.putAll(logs, signal);
  for (const log of logs) await store.put(log, signal);
}

function idOf(log: unknown): unknown {
  return isRecord(log) && isRecord(log.header) ? log.header.id : undefined;
}

function notOpen(): SessionReferenceError {
  return workerFailed('The connection was not opened.');
}
