import type { Report } from '../../test/cases/case-report.ts';
import type { Library } from '../../test/cases/library.ts';
import { runEveryCase } from '../../test/cases/run-every-case.ts';
import { fetchVectors, runVectorsHere } from './run-here.ts';
import { throughClient } from './through-client.ts';

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

async function runThroughClient(): Promise<Report> {
  const url = '/dist/index.js';
  return runEveryCase(throughClient((await import(url)) as Library, '/dist/worker.js'), await fetchVectors());
}

Object.assign(globalThis, {
  conformance: { runInPage: runVectorsHere, runInWorker, runThroughClient } satisfies ConformancePage,
});
