import type { SessionReferencesConfig } from '../src/config.ts';
import type { FormatName, ReadWarning } from '../src/formats/format-reader.ts';
import type { SessionReferenceService } from '../src/reference.ts';
import type { SessionQuery } from '../src/session/query.ts';
import type { SessionEvent, SessionLog } from '../src/session/session.ts';
import type { ChangeListener } from '../src/stores/change-listeners.ts';
import type { WorkerLike } from './start-worker.ts';

/** How to connect; everything has a default. */
export interface ConnectOptions {
  /**
   * The worker to use: one that runs already, a port of one, or a function that starts one, which is terminated in the
   * end. Default: the worker script of this package. A script of your own calls `exposeSessionReferences`.
   */
  readonly worker?: WorkerLike | (() => WorkerLike);
  /** Starts the worker that reads foreign formats, when the first such file comes. Default: the script of this package. */
  readonly readerWorker?: WorkerLike | (() => WorkerLike);
  /** Time in ms within which the worker must have started. Default 10,000. */
  readonly startTimeout?: number;
  /** Time in ms without a sign of life during a call after which the worker counts as dead. Default 15,000. */
  readonly silenceTimeout?: number;
  /** Ends the connection. */
  readonly signal?: AbortSignal;
  /** Where the worker keeps sessions: in an IndexedDB of this name, or in memory. Default `{ name: 'session-reference' }`. */
  readonly store?: 'memory' | { readonly name: string };
  /** The host's own sessions, on the page; the worker asks for them. In place of `store`. */
  readonly query?: SessionQuery;
  /** Settings of the service. A bad one rejects every call with `INVALID_CONFIG`. */
  readonly config?: SessionReferencesConfig | null;
  /** Where no worker can be started: run the same code on the page, in slices of about 8 ms. Default: fail. */
  readonly fallback?: 'page';
}

/** A file to import: the worker reads it. Buffers and streams are handed over, not copied. */
export type ImportInput = Blob | ArrayBuffer | ReadableStream<Uint8Array>;

/** How far an import has come. */
export interface ImportProgress {
  readonly readBytes: number;
  /** Missing for a stream. */
  readonly totalBytes?: number;
  /** Sessions that are kept already. */
  readonly sessions: number;
}

/** How to import. */
export interface ImportOptions {
  /** What the file is. Default: found out. */
  readonly format?: FormatName;
  /** The id of the session, for a file with one conversation. */
  readonly sessionId?: string;
  /** The name of the file; a `File` has its own. */
  readonly fileName?: string;
  /** Cancels; sessions that are kept already stay. */
  readonly signal?: AbortSignal;
  /** Called about every 50 ms. */
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** One session that was imported. */
export interface ImportedSession {
  readonly id: string;
  /** Its title, or its id. Untrusted: show it with `displayLabel`. */
  readonly label: string;
  /** Messages that another session would be shown. */
  readonly messages: number;
}

/** What an import did. */
export interface ImportReport {
  readonly format: FormatName | undefined;
  readonly sessions: readonly ImportedSession[];
  /** What was not read as it stands; the first 100. */
  readonly warnings: readonly ReadWarning[];
  readonly warningCount: number;
}

/** The newest messages of a session, for display. */
export interface DisplayedConversation {
  /** Oldest first. Untrusted text, never HTML. */
  readonly messages: readonly {
    readonly role: 'user' | 'assistant';
    readonly text: string;
    readonly checkpoint: boolean;
  }[];
  /** Older messages that are not among them. */
  readonly omittedMessages: number;
  readonly capturedThroughSeq: number | null;
}

/** Options of calls that can be cancelled. */
export interface CancelOptions {
  readonly signal?: AbortSignal;
}

/**
 * The service in a worker, and the sessions it keeps there. Every failure is a `SessionReferenceError`; when the worker
 * cannot be started, dies or is closed, it is `WORKER_FAILED`.
 */
export interface SessionReferencesClient extends SessionReferenceService, SessionQuery {
  /** Resolves once connected, and tells where the work is done. It need not be waited for: every call does. */
  readonly ready: Promise<{ readonly mode: 'worker' | 'page' }>;
  /** Read a file of any known format in the worker, and keep its sessions. */
  importSessions(file: ImportInput, options?: ImportOptions): Promise<ImportReport>;
  /** Keep a session. It is cloned on this thread: for whole files use {@link SessionReferencesClient.importSessions}. */
  put(log: SessionLog, options?: CancelOptions): Promise<void>;
  /** Add events to a session. */
  append(id: string, events: readonly SessionEvent[], options?: CancelOptions): Promise<void>;
  /** Forget a session; resolves to whether there was one. */
  delete(id: string, options?: CancelOptions): Promise<boolean>;
  /** The newest messages of a session for display; 200 of them by default. */
  readMessages(id: string, options?: CancelOptions & { readonly newest?: number }): Promise<DisplayedConversation>;
  /** A session as a file of JSON lines, which `importSessions` reads back. */
  exportSession(id: string, options?: CancelOptions): Promise<Blob>;
  /** Be told about changes, by this client and by other tabs. Returns what ends it. What a listener throws is reported. */
  subscribe(listener: ChangeListener): () => void;
  /** End the connection: pending calls reject with `WORKER_FAILED`, and a worker that was started for it is stopped. */
  close(): void;
}
