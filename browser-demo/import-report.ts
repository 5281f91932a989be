import type { ImportReport } from '../worker/client.ts';
import { toErrorWords } from './error-words.ts';
import { nameFormat } from './format-names.ts';
import { createElement } from './mention-picker/element.ts';
import type { Notice, Notices } from './notices.ts';

/** A report with more lines is closed at first. */
const MAX_LINES_OPEN = 8;

/** Lines of a report about one file. */
const MAX_WARNINGS_SHOWN = 20;

/** What came of one file. */
export type FileOutcome =
  | { readonly file: string; readonly kind: 'read'; readonly result: ImportReport }
  | { readonly file: string; readonly kind: 'failed'; readonly error: unknown };

/**
 * Tell what an import did: what failed and why, what was read, and what was skipped.
 *
 * @param fileCount - how many files there were; with fewer outcomes it was cancelled.
 * @returns the notice about what was read, if anything was.
 */
export function reportImport(
  outcomes: readonly FileOutcome[],
  fileCount: number,
  notices: Notices,
): Notice | undefined {
  const read = outcomes.filter((outcome) => outcome.kind === 'read');
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
  const sessions = read.reduce((sum, { result }) => sum + result.sessions.length, 0);
  if (failed.length === 1 && failed[0] !== undefined) notices.error(failed[0].error, failed[0].file);
  else if (failed.length > 1) reportFailures(failed, notices);
  if (outcomes.length < fileCount)
    notices.problem(`Import cancelled: ${outcomes.length} of ${fileCount} files were read.`);
  if (read.length === 0) return undefined;
  const summary = `${countWords(sessions, 'conversation')} imported from ${countWords(read.length, 'file')}.`;
  const lines = read.flatMap(describeRead);
  const hasWarnings = read.some(({ result }) => result.warningCount > 0);
  if (!hasWarnings && read.length === 1) {
    return notices.news(`${summary} Format: ${nameFormat(read[0]?.result.format)}.`);
  }
  const heading = hasWarnings ? 'What was read and skipped' : 'What was read';
  return notices.news(summary, createDetails(heading, lines, hasWarnings && lines.length <= MAX_LINES_OPEN));
}

function reportFailures(failed: readonly Extract<FileOutcome, { kind: 'failed' }>[], notices: Notices): void {
  const lines = failed.slice(0, MAX_WARNINGS_SHOWN).map(({ file, error }) => {
    const { summary, detail } = toErrorWords(error);
    return `${file}: ${detail ?? summary}`;
  });
  const notice = notices.problem(`${countWords(failed.length, 'file')} could not be read.`);
  notice.body.append(createDetails('Which and why', lines, true));
}

function describeRead({ file, result }: Extract<FileOutcome, { kind: 'read' }>): readonly string[] {
  const { format, sessions, warnings, warningCount } = result;
  const shown = warnings.slice(0, MAX_WARNINGS_SHOWN).map(({ where, message }) => `${file}, ${where}: ${message}`);
  const rest = warningCount - shown.length;
  return [
    `${file}: ${countWords(sessions.length, 'conversation')} (${nameFormat(format)})`,
    ...shown,
    ...(rest > 0 ? [`${file}: ${countWords(rest, 'more warning')}`] : []),
  ];
}

function createDetails(summary: string, lines: readonly string[], isOpen: boolean): HTMLElement {
  const list = createElement('ul', {}, ...lines.slice(0, 200).map((text) => createElement('li', {}, text)));
  const details = createElement('details', {}, createElement('summary', {}, summary), list);
  details.open = isOpen;
  return details;
}

function countWords(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
