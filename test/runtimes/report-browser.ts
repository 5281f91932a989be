import * as library from '../../dist/index.js';
import { throughClient } from '../../e2e/conformance/through-client.ts';
import { storeApi } from '../../e2e/store/store-api.ts';
import { readSessionConversation } from '../../src/formats/read-conversation.ts';
import { openAssemblyLogScanner } from '../../src/formats/scanning/assembly-log-scanner.ts';
import { createLogFile } from '../bench/log-files.ts';
import { expectEqual, mergeReports, type Report, runCases } from '../cases/case-report.ts';
import { runEveryCase } from '../cases/run-every-case.ts';
import { parseVectorFile } from '../cases/vector-file.ts';
import { runEveryCaseHere } from './program.ts';

declare const VECTOR_TEXTS: readonly string[];

/** Rounds of the laws of the store. */
const STORE_RUNS = 20;

/** Everything that a browser can run: the core on the page, the client with its worker, the store, the scanner of logs. */
async function runInBrowser(): Promise<Report> {
  const files = VECTOR_TEXTS.map(parseVectorFile);
  return mergeReports([
    await runEveryCaseHere(),
    await runEveryCase(throughClient(library as never, '/worker.js'), files),
    await storeApi.runSuite(STORE_RUNS),
    await runStoreInWorker(),
    await runScanner(),
  ]);
}

function runStoreInWorker(): Promise<Report> {
  return new Promise((resolve, reject) => {
    const worker = new Worker('/store-worker.js', { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Report>): void => resolve(data);
    worker.onerror = ({ message }): void => reject(new Error(`The worker of the store failed: ${message}`));
    worker.postMessage(STORE_RUNS);
  });
}

/** The end of a log, with WebAssembly and without it. */
function runScanner(): Promise<Report> {
  return runCases(
    'log scanner',
    ['plain', 'mixed'] as const,
    (script) => script,
    async (script) => {
      const { blob } = createLogFile(4 << 20, script, 3);
      const listener = { onEntries: (): void => undefined, onUnread: (): void => undefined };
      expectEqual('a module', (await openAssemblyLogScanner({ listener, keptBytes: 0 })) !== undefined, true);
      const fromFile = await readSessionConversation(blob, 20_000);
      expectEqual('from bytes', await readSessionConversation(await blob.arrayBuffer(), 20_000), fromFile);
      expectEqual('the number of texts', fromFile.units.length > 10, true);
    },
  );
}

runInBrowser().then(
  (report) => Object.assign(globalThis, { REPORT: JSON.stringify(report) }),
  (error: unknown) => {
    const failure = { suite: 'program', name: 'start', problem: String((error as Error).stack ?? error) };
    Object.assign(globalThis, { REPORT: JSON.stringify({ executed: 0, failures: [failure] }) });
  },
);
