import type { FormatReader, FormatSample, ReadWarning, RowLayout } from '../../src/formats/format-reader.ts';
import type { SessionLog } from '../../src/session/session.ts';
import { foldSurface } from '../../src/session/surface.ts';
import { projectConversation } from '../../src/snapshot/projection.ts';

/** What a reader made of some rows. */
export interface ReadResult {
  readonly logs: SessionLog[];
  readonly warnings: ReadWarning[];
}

/** What of a session a test looks at: `u: …`, `a: …` and `c: …` for users, assistants and checkpoints. */
export interface ReadOptions {
  readonly sessionId?: string;
  readonly fileName?: string;
  readonly fallbackTime?: number;
}

/** Hand rows to a reader. */
export function readRows(reader: FormatReader, rows: readonly unknown[], options: ReadOptions = {}): ReadResult {
  const warnings: ReadWarning[] = [];
  const reading = reader.open({
    sessionId: options.sessionId,
    fileName: options.fileName,
    fallbackTime: options.fallbackTime ?? 0,
    warn: (code, where, message) => warnings.push({ code, where, message }),
  });
  const logs = rows.flatMap((value, index) => [...reading.add({ value, where: `[${index}]` })]);
  return { logs: [...logs, ...reading.finish()].filter((log) => log !== undefined), warnings };
}

/** The rows of a parsed JSON file: the elements of an array, or the value. */
export function toSample(value: unknown): FormatSample {
  const layout: RowLayout = Array.isArray(value) ? 'array' : 'value';
  return { layout, rows: Array.isArray(value) ? value.slice(0, 50) : [value] };
}

/** Read a parsed JSON file as `readSessions` would, and show what another session may quote of each session. */
export function converse(reader: FormatReader, value: unknown, options: ReadOptions = {}): string[][] {
  return readRows(reader, Array.isArray(value) ? value : [value], options).logs.map(speak);
}

/**
 * {@link converse} over a file in which nothing is wrong.
 *
 * @throws when the reader warns all the same.
 */
export function converseInPeace(reader: FormatReader, value: unknown): string[][] {
  const { warnings } = readRows(reader, Array.isArray(value) ? value : [value]);
  if (warnings.length > 0) throw new Error(`The reader warned: ${JSON.stringify(warnings)}`);
  return converse(reader, value);
}

/** The conversation of one session. */
export function speak(log: SessionLog): string[] {
  return projectConversation(foldSurface(log.events)).map(({ role, text, checkpoint }) => {
    return `${checkpoint ? 'c' : role.slice(0, 1)}: ${text}`;
  });
}

/** What a log keeps, in order: the type of each event, with who spoke where it is a message of no person. */
export function kindsOf({ events }: SessionLog): string[] {
  return events.map(({ type, data }) => {
    const { source } = data as { readonly source?: { readonly plugin?: string } };
    return source?.plugin === undefined ? type : `${type} ${source.plugin}`;
  });
}

/** The latest title. */
export function titleOf({ events }: SessionLog): unknown {
  const last = events.findLast(({ type }) => type === 'session/title');
  return (last?.data as { readonly title?: unknown } | undefined)?.title;
}

/** The codes of the warnings, in order. */
export function codesOf({ warnings }: ReadResult): string[] {
  return warnings.map(({ code }) => code);
}
