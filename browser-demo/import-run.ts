import { displayLabel } from '../src/index.ts';
import type { SessionReferencesClient } from '../worker/client.ts';
import { isCancellation, toErrorWords } from './error-words.ts';
import { nameFormat } from './format-names.ts';
import { createElement } from './mention-picker/element.ts';
import type { Notice, Notices } from './notices.ts';

/** Lines of a report about one file. */
const MAX_WARNINGS_SHOWN = 20;

/** What came of one file. */
type FileOutcome =
  | { readonly file: string; readonly kind: 'read'; readonly result: ImportResult }
  | { readonly file: string; readonly kind: 'failed'; readonly error: unknown };

/** What can be done with what came in. */
export interface ImportOutcome {
  /** The session, when it was just one. */
  readonly onlySessionId: string | undefined;
  /** Put a button into the report. */
  readonly offer: (label: string, run: () => void) => void;
}

type ImportResult = Awaited<ReturnType<SessionReferencesClient['importSessions']>>;

/**
 * Import files one after the other, with progress that can be cancelled and a report at the end. A file that cannot be
 * read costs only itself.
 *
 * @returns what can be offered for what came in.
 */
export async function runImport(
  client: SessionReferencesClient,
  files: readonly File[],
  notices: Notices,
): Promise<ImportOutcome> {
  const controller = new AbortController();
  const bar = createElement('progress', { attributes: { max: '1', 'aria-label': 'Import' } });
  const line = createElement('p');
  const cancel = createElement('button', { class: 'button small', attributes: { type: 'button' } }, 'Cancel');
  cancel.onclick = () => controller.abort();
  const work = notices.work('Importing', line, bar, cancel);
  const totalBytes = files.reduce((sum, file) => sum + file.size, 0);
  const outcomes: FileOutcome[] = [];
  let doneBytes = 0;
  for (const [index, file] of files.entries()) {
    if (controller.signal.aborted) break;
    const name = displayLabel(file.name);
    line.textContent = files.length === 1 ? name : `${index + 1} of ${files.length}: ${name}`;
    try {
      const result = await client.importSessions(file, {
        fileName: file.name,
        signal: controller.signal,
        onProgress: ({ readBytes, sessions }) => {
          bar.value = totalBytes === 0 ? 1 : Math.min(1, (doneBytes + readBytes) / totalBytes);
          if (sessions > 1) line.textContent = `${name}: ${sessions.toLocaleString('en')} conversations`;
        },
      });
      outcomes.push({ file: name, kind: 'read', result });
    } catch (error) {
      if (isCancellation(error)) break;
      outcomes.push({ file: name, kind: 'failed', error });
    }
    doneBytes += file.size;
  }
  work.close();
  const notice = report(outcomes, files.length, notices);
  const sessions = outcomes.flatMap((outcome) => (outcome.kind === 'read' ? outcome.result.sessions : []));
  return {
    onlySessionId: sessions.length === 1 ? sessions[0]?.id : undefined,
    offer: (label, run) => offerAction(notice, label, run),
  };
}

function offerAction(notice: Notice | undefined, label: string, run: () => void): void {
  const button = createElement('button', { class: 'button small', attributes: { type: 'button' } }, label);
  button.onclick = () => {
    notice?.close();
    run();
  };
  const actions = notice?.body.querySelector('.notice-actions') ?? createElement('div', { class: 'notice-actions' });
  actions.append(button);
  notice?.body.append(actions);
}

function report(outcomes: readonly FileOutcome[], fileCount: number, notices: Notices): Notice | undefined {
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
  return notices.news(summary, createDetails(heading, lines, hasWarnings));
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
