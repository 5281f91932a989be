import type { Report } from '../../test/cases/case-report.ts';
import { storeApi } from './store-api.ts';

/** Run the suite in a worker. */
function runSuiteInWorker(runs: number): Promise<Report> {
  return new Promise((resolve, reject) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Report>): void => {
      worker.terminate();
      resolve(data);
    };
    worker.onerror = ({ message }): void => reject(new Error(`The worker failed: ${message}`));
    worker.postMessage(runs);
  });
}

const page = { ...storeApi, runSuiteInWorker };

/** What the page offers to the specs, as the global `storePage`. */
export type StorePage = typeof page;

Object.assign(globalThis, { storePage: page });
