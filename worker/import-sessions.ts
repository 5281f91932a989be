import type { FormatName, ReadWarning } from '../src/formats/format-reader.ts';
import { isRecord } from '../src/record.ts';
import { pauseForOthers } from '../src/runtime.ts';
import type { SessionEvent, SessionLog } from '../src/session/session.ts';
import { SurfaceFold } from '../src/session/surface.ts';
import { runInSlices, type SlicedWork } from '../src/slices.ts';
import { projectEvent } from '../src/snapshot/projection.ts';
import type { CallContext } from './callee.ts';
import type { ImportedSession, ImportInput, ImportReport } from './client-types.ts';
import { PART_EVENTS } from './log-parts.ts';

/** Reads a file into session logs, as `readSessions` of the formats does. */
export type ReadSessions = (input: ImportInput, options: ReadOptions) => AsyncIterable<SessionLog>;

/** What an import asks of the reader. */
export interface ReadOptions {
  readonly format?: FormatName;
  readonly sessionId?: string;
  readonly fileName?: string;
  readonly signal: AbortSignal;
  readonly onFormat: (format: FormatName) => void;
  readonly onWarning: (warning: ReadWarning) => void;
  readonly onProgress: (progress: { readonly readBytes: number; readonly totalBytes?: number }) => void;
}

/** Warnings that are reported one by one; more are only counted. */
const MAX_WARNINGS = 100;

/** Events between two looks at the clock. */
const SLICE_EVENTS = 1024;

/** How long a session may wait for others that are kept together with it, in ms. */
const MAX_WAIT = 100;

/** Time in ms between two reports of progress. */
const PROGRESS_INTERVAL = 50;

/**
 * Read a file and keep the sessions in it.
 *
 * @param readSessions - the reader.
 * @param input - the file.
 * @param options - of the client's call, not narrowed yet.
 * @param keep - keeps some sessions, in order.
 * @param context - of the call.
 */
export async function importSessions(
  readSessions: ReadSessions,
  input: ImportInput,
  options: unknown,
  keep: (logs: readonly SessionLog[]) => Promise<void>,
  { signal, onProgress }: CallContext,
): Promise<ImportReport> {
  const sessions: ImportedSession[] = [];
  const warnings: ReadWarning[] = [];
  let warningCount = 0;
  let format: FormatName | undefined;
  let nextReport = 0;
  const waiting = new WaitingLogs(keep);
  const logs = readSessions(input, {
    ...pickOptions(options),
    signal,
    onFormat: (found) => {
      format = found;
    },
    onWarning: (warning) => {
      warningCount += 1;
      if (warnings.length < MAX_WARNINGS) warnings.push(warning);
    },
    onProgress: (progress) => {
      const now = Date.now();
      if (now < nextReport && progress.readBytes !== progress.totalBytes) return;
      nextReport = now + PROGRESS_INTERVAL;
      onProgress({ ...progress, sessions: waiting.kept });
    },
  });
  try {
    for await (const log of logs) {
      sessions.push(await runInSlices(describeSession(log), pauseForOthers, signal));
      await waiting.add(log);
    }
  } finally {
    // Must be done after a failure, too: what was read before it is kept.
    if (!signal.aborted) await waiting.flush();
  }
  return { format, sessions, warnings, warningCount };
}

/** Sessions that were read and not kept yet: small ones are kept together, which takes a fraction of the time. */
class WaitingLogs {
  readonly #keep: (logs: readonly SessionLog[]) => Promise<void>;
  #logs: SessionLog[] = [];
  #events = 0;
  #flushAt = 0;
  /** How many were kept. */
  kept = 0;

  constructor(keep: (logs: readonly SessionLog[]) => Promise<void>) {
    this.#keep = keep;
  }

  async add(log: SessionLog): Promise<void> {
    if (this.#logs.length === 0) this.#flushAt = Date.now() + MAX_WAIT;
    this.#logs.push(log);
    this.#events += log.events.length;
    if (this.#events >= PART_EVENTS || Date.now() >= this.#flushAt) await this.flush();
  }

  async flush(): Promise<void> {
    const logs = this.#logs;
    this.#logs = [];
    this.#events = 0;
    if (logs.length > 0) await this.#keep(logs);
    this.kept += logs.length;
  }
}

function pickOptions(options: unknown): Pick<ReadOptions, 'format' | 'sessionId' | 'fileName'> {
  if (!isRecord(options)) return {};
  const { format, sessionId, fileName } = options;
  return {
    ...(typeof format === 'string' ? { format: format as FormatName } : {}),
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
    ...(typeof fileName === 'string' ? { fileName } : {}),
  };
}

function* describeSession({ header, events }: SessionLog): SlicedWork<ImportedSession> {
  const fold = new SurfaceFold();
  for (let start = 0; start < events.length; start += SLICE_EVENTS) {
    fold.apply(events.slice(start, start + SLICE_EVENTS));
    yield;
  }
  let messages = 0;
  let looked = 0;
  for (const event of fold.walk()) {
    if (projectEvent(event) !== undefined) messages += 1;
    looked += 1;
    if (looked % SLICE_EVENTS === 0) yield;
  }
  return { id: header.id, label: readTitle(events) ?? header.id, messages };
}

function readTitle(events: readonly SessionEvent[]): string | undefined {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (event?.type !== 'session/title' || !isRecord(event.data)) continue;
    const { title } = event.data;
    if (typeof title === 'string' && /\S/.test(title)) return title;
  }
  return undefined;
}
