import type { Report } from '../../test/cases/case-report.ts';
import { createSubject, type Library } from '../../test/cases/library.ts';
import { runEveryCase } from '../../test/cases/run-every-case.ts';
import { connectSessionReferences } from '../worker/library.ts';
import { fetchVectors, runVectorsHere } from './run-here.ts';

/** What the page offers to the spec that drives it. */
export interface ConformancePage {
  readonly runInPage: () => Promise<Report>;
  readonly runInWorker: () => Promise<Report>;
  readonly runThroughClient: () => Promise<Report>;
}

/** @returns what a worker of the same cases posts, or rejects with why it could not run. */
function runInWorker(): Promise<Report> {
  return new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Report>): void => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = ({ message }): void => reject(new Error(`The worker failed: ${message}`));
    worker.onmessageerror = (): void => reject(new Error('The report of the worker cannot be read.'));
  });
}

/**
 * @returns what a host sees that swaps the service for the client: the library on the page, the service in the package's
 *   own worker, the sessions on the page again.
 */
async function runThroughClient(): Promise<Report> {
  const url = '/dist/index.js';
  const { library } = createSubject((await import(url)) as Library);
  const createService: ReturnType<typeof createSubject>['createService'] = (query, config) => {
    const worker = (): Worker => new Worker('/dist/worker.js', { type: 'module' });
    const client = connectSessionReferences({ worker, query, config: config as never });
    // Must not pile up: a case asks its service once.
    const once =
      <Arguments extends unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
      (...args: Arguments): Promise<Result> =>
        call(...args).finally(() => client.close());
    return { listCandidates: once(client.listCandidates), prepare: once(client.prepare) };
  };
  return runEveryCase({ library, createService }, await fetchVectors());
}

Object.assign(globalThis, {
  conformance: { runInPage: runVectorsHere, runInWorker, runThroughClient } satisfies ConformancePage,
});
