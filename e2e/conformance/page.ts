import type { Report } from '../../test/cases/case-report.ts';
import { runVectorsHere } from './run-here.ts';

/** What the page offers to the spec that drives it. */
export interface ConformancePage {
  readonly runInPage: () => Promise<Report>;
  readonly runInWorker: () => Promise<Report>;
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

Object.assign(globalThis, { conformance: { runInPage: runVectorsHere, runInWorker } satisfies ConformancePage });
