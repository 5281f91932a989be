import { displayLabel } from '../src/index.ts';
import type { ImportProgress, SessionReferencesClient } from '../worker/client.ts';
import { isCancellation } from './error-words.ts';
import { type FileOutcome, reportImport } from './import-report.ts';
import { createElement } from './mention-picker/element.ts';
import type { Notice, Notices } from './notices.ts';

/** What can be done with what came in. */
export interface ImportOutcome {
  /** The session, when it was just one. */
  readonly onlySessionId: string | undefined;
  /** Put a button into the report. */
  readonly offer: (label: string, run: () => void) => void;
}

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
  const run = new ImportRun(client, files, notices);
  const outcomes = await run.read();
  const notice = reportImport(outcomes, files.length, notices);
  const sessions = outcomes.flatMap((outcome) => (outcome.kind === 'read' ? outcome.result.sessions : []));
  return {
    onlySessionId: sessions.length === 1 ? sessions[0]?.id : undefined,
    offer: (label, action) => offerAction(notice, label, action),
  };
}

/** Files while they are read, and the notice that shows how far it is. */
class ImportRun {
  readonly #client: SessionReferencesClient;
  readonly #files: readonly File[];
  readonly #controller = new AbortController();
  readonly #line = createElement('p');
  readonly #bar = createElement('progress', { attributes: { max: '1', 'aria-label': 'Import' } });
  readonly #notice: Notice;
  readonly #totalBytes: number;
  #doneBytes = 0;

  constructor(client: SessionReferencesClient, files: readonly File[], notices: Notices) {
    this.#client = client;
    this.#files = files;
    this.#totalBytes = files.reduce((sum, file) => sum + file.size, 0);
    const cancel = createElement('button', { class: 'button small', attributes: { type: 'button' } }, 'Cancel');
    cancel.onclick = () => this.#controller.abort();
    this.#notice = notices.work('Importing', this.#line, this.#bar, cancel);
  }

  /** Read them all, or those before a cancellation. */
  async read(): Promise<readonly FileOutcome[]> {
    const outcomes: FileOutcome[] = [];
    for (const [index, file] of this.#files.entries()) {
      const name = displayLabel(file.webkitRelativePath || file.name);
      this.#line.textContent = this.#files.length === 1 ? name : `${index + 1} of ${this.#files.length}: ${name}`;
      const outcome = await this.#readFile(file, name);
      if (outcome === undefined) break;
      outcomes.push(outcome);
      this.#doneBytes += file.size;
    }
    this.#notice.close();
    return outcomes;
  }

  async #readFile(file: File, name: string): Promise<FileOutcome | undefined> {
    const { signal } = this.#controller;
    try {
      const onProgress = (progress: ImportProgress): void => this.#show(name, progress);
      const result = await this.#client.importSessions(file, { fileName: file.name, signal, onProgress });
      return { file: name, kind: 'read', result };
    } catch (error) {
      return isCancellation(error) ? undefined : { file: name, kind: 'failed', error };
    }
  }

  #show(name: string, { readBytes, sessions }: ImportProgress): void {
    const bytes = this.#doneBytes + readBytes;
    this.#bar.value = this.#totalBytes === 0 ? 1 : Math.min(1, bytes / this.#totalBytes);
    if (sessions > 1) this.#line.textContent = `${name}: ${sessions.toLocaleString('en')} conversations`;
  }
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
