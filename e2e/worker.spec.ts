import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import type { WorkerCase, WorkerPage } from './worker/page.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FAILED = 'SESSION_REFERENCE_WORKER_FAILED';
const CANCELLED = 'SESSION_REFERENCE_CANCELLED';

declare const workers: WorkerPage;

/** Answers by path; `headers` of the page come from its query. */
const scripts = new Map<string, string>();
const PAGE_HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  csp: { 'content-security-policy': "script-src 'self'; worker-src 'none'" },
  strict: { 'content-security-policy': "default-src 'self'; script-src 'self'; worker-src 'self'" },
  'trusted-types': { 'content-security-policy': "require-trusted-types-for 'script'" },
  coep: { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' },
};

let server: Server;
let otherOrigin: Server;
let url: string;
let otherUrl: string;

async function listen(): Promise<[Server, string]> {
  const started = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const script = scripts.get(pathname);
    const headers = pathname === '/' ? (PAGE_HEADERS[searchParams.get('page') ?? ''] ?? {}) : {};
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (searchParams.has('isolated')) response.setHeader('cross-origin-embedder-policy', 'require-corp');
    response.statusCode = pathname === '/' || script !== undefined ? 200 : 404;
    response.setHeader('content-type', pathname === '/' ? 'text/html' : 'text/javascript');
    response.end(pathname === '/' ? '<!doctype html><script type="module" src="/page.js"></script>' : (script ?? ''));
  });
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return [started, `http://127.0.0.1:${(started.address() as AddressInfo).port}`];
}

test.beforeAll(async () => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['e2e/worker/page.ts', 'e2e/worker/host-worker.ts'],
    bundle: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    logLevel: 'error',
  });
  for (const { path, text } of outputFiles) scripts.set(path.replace(/^.*(?=\/)/, ''), text);
  scripts.set('/worker.js', await readFile(`${ROOT}dist/worker.js`, 'utf8'));
  scripts.set('/healthy.js', (scripts.get('/host-worker.js') ?? '').replace('location.search', '""'));
  scripts.set('/syntax-error.js', 'export {;');
  scripts.set('/throws.js', 'throw new Error("no");');
  scripts.set('/silent.js', 'setInterval(() => {}, 1000);');
  scripts.set('/busy.js', 'for (;;) {}');
  scripts.set('/outdated.js', 'postMessage({ sessionReference: "ready", version: 0 });');
  scripts.set(
    '/chatty.js',
    'for (const message of [null, 1, "x", {}, [], { sessionReference: 7 }]) postMessage(message);',
  );
  [server, url] = await listen();
  [otherOrigin, otherUrl] = await listen();
});

test.afterAll(() => {
  server.close();
  otherOrigin.close();
});

interface TableRow extends WorkerCase {
  readonly name: string;
  readonly page?: string;
  readonly code: string;
  /** Says why, in words. */
  readonly message: RegExp;
  /** ms until the call has ended. */
  readonly within: number;
  /** Whether the page allows any worker at all. */
  readonly noWorkers?: true;
}

const TABLE: readonly TableRow[] = [
  { name: 'B88: the script is missing', worker: '/missing.js', code: FAILED, message: /loaded or run/, within: 2_000 },
  {
    name: 'the script has a syntax error',
    worker: '/syntax-error.js',
    code: FAILED,
    message: /loaded or run/,
    within: 2_000,
  },
  { name: 'the script throws', worker: '/throws.js', code: FAILED, message: /loaded or run/, within: 2_000 },
  {
    name: 'a policy forbids workers',
    page: 'csp',
    code: FAILED,
    message: /loaded or run|started/,
    within: 2_000,
    noWorkers: true,
  },
  {
    name: 'trusted types forbid the address',
    page: 'trusted-types',
    code: FAILED,
    message: /started/,
    within: 2_000,
    noWorkers: true,
  },
  {
    name: 'the script is of another origin',
    worker: 'OTHER/worker.js',
    code: FAILED,
    message: /started/,
    within: 2_000,
  },
  {
    name: 'the page is isolated and the script is not',
    page: 'coep',
    code: FAILED,
    message: /loaded or run/,
    within: 2_000,
    noWorkers: true,
  },
  {
    name: 'the worker never answers',
    worker: '/silent.js',
    startTimeout: 300,
    code: FAILED,
    message: /within 300 ms/,
    within: 1_500,
  },
  {
    name: 'the worker is busy for ever',
    worker: '/busy.js',
    startTimeout: 300,
    code: FAILED,
    message: /within 300 ms/,
    within: 1_500,
  },
  {
    name: 'the worker talks nonsense',
    worker: '/chatty.js',
    startTimeout: 300,
    code: FAILED,
    message: /within 300 ms/,
    within: 1_500,
  },
  { name: 'the worker is outdated', worker: '/outdated.js', code: FAILED, message: /outdated/, within: 2_000 },
  {
    name: 'the worker crashes while idle',
    worker: '/host-worker.js?crash-idle',
    meanwhile: 'wait',
    code: FAILED,
    message: /crashed/,
    within: 1_000,
  },
  {
    name: 'the worker crashes during a call',
    worker: '/host-worker.js?crash',
    code: FAILED,
    message: /crashed/,
    within: 2_000,
  },
  {
    name: 'the worker closes itself during a call',
    worker: '/host-worker.js?close',
    silenceTimeout: 500,
    code: FAILED,
    message: /sign of life/,
    within: 3_000,
  },
  {
    name: 'the worker hangs in a loop',
    worker: '/host-worker.js?loop',
    silenceTimeout: 500,
    code: FAILED,
    message: /sign of life/,
    within: 3_000,
  },
  {
    name: 'the host terminates the worker',
    worker: '/host-worker.js?hang',
    as: 'instance',
    meanwhile: 'terminate',
    silenceTimeout: 500,
    code: FAILED,
    message: /sign of life/,
    within: 3_000,
  },
  {
    name: 'the worker has no memory for a buffer',
    worker: '/host-worker.js?buffer',
    code: 'SESSION_REFERENCE_READ_FAILED',
    message: /listed/,
    within: 2_000,
  },
  {
    name: 'the connection is closed',
    worker: '/host-worker.js?hang',
    meanwhile: 'close',
    code: FAILED,
    message: /closed/,
    within: 1_000,
  },
  {
    name: 'the connection is aborted',
    worker: '/host-worker.js?hang',
    meanwhile: 'abort-connection',
    code: FAILED,
    message: /signal/,
    within: 1_000,
  },
  {
    name: 'the call is aborted',
    worker: '/host-worker.js?hang',
    meanwhile: 'abort',
    code: CANCELLED,
    message: /cancelled/,
    within: 1_000,
  },
  {
    name: 'the call was aborted before',
    worker: '/host-worker.js',
    aborted: true,
    code: CANCELLED,
    message: /cancelled/,
    within: 2_000,
  },
  {
    name: 'a shared worker answers',
    worker: '/host-worker.js',
    as: 'shared',
    code: 'none',
    message: /0 candidates/,
    within: 2_000,
  },
  {
    name: 'nothing fails, under a strict policy',
    page: 'strict',
    code: 'none',
    message: /0 candidates/,
    within: 2_000,
  },
];

test('trusted types allow a worker that came through a policy', async ({ page }) => {
  await page.goto(`${url}/?page=trusted-types`);
  const found = await page.evaluate(() => workers.runCase({ worker: '/host-worker.js', trusted: true }));
  expect(found).toMatchObject({ code: 'none', mode: 'worker' });
});

test('an isolated page allows a worker with the same header', async ({ page }) => {
  await page.goto(`${url}/?page=coep`);
  const found = await page.evaluate(() => workers.runCase({ worker: '/healthy.js?isolated' }));
  expect(found).toMatchObject({ code: 'none', mode: 'worker' });
});

test.describe('where there can be no worker', () => {
  for (const pageName of ['csp', 'trusted-types', 'coep']) {
    test(`the page does the work itself when it is told to (${pageName})`, async ({ page }) => {
      await page.goto(`${url}/?page=${pageName}`);
      const found = await page.evaluate(() => workers.runCase({ fallback: 'page' }));
      expect(found).toMatchObject({ code: 'none', message: '0 candidates', mode: 'page' });
    });
  }

  test('a host that closes meanwhile gets no page', async ({ page }) => {
    await page.goto(url);
    const found = await page.evaluate(() =>
      workers.runCase({ worker: '/silent.js', fallback: 'page', startTimeout: 5_000, meanwhile: 'close-at-once' }),
    );
    expect(found).toMatchObject({ code: FAILED, mode: 'none' });
  });
});

for (const { name, page: pageName, code, message, within, noWorkers, ...given } of TABLE) {
  test(`a call ends with a code when ${name}`, async ({ page }) => {
    await page.goto(`${url}/?page=${pageName ?? ''}`);
    const worker = given.worker?.replace('OTHER', otherUrl);
    const found = await page.evaluate((one) => workers.runCase(one), {
      ...given,
      ...(worker === undefined ? {} : { worker }),
    });
    expect(found).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(found.time).toBeLessThan(within);
    if (!noWorkers) expect(found.next).toBe(0);
  });
}

test('a thousand connections leave nothing behind', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto(url);
  const session = await page.context().newCDPSession(page);
  const measureHeap = async (): Promise<number> => {
    // Must collect several times: what a finalizer holds goes with the collection after the next.
    for (let round = 0; round < 4; round += 1) {
      await session.send('HeapProfiler.collectGarbage');
      await page.waitForTimeout(100);
    }
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  await page.evaluate(() => workers.cycle(300));
  const before = await measureHeap();
  await page.evaluate(() => workers.cycle(1_000));
  const after = await measureHeap();
  expect(page.workers()).toHaveLength(0);
  console.log(`a connection leaves ${((after - before) / 1_000).toFixed(0)} bytes behind`);
  // A connection that leaked would hold a port, a caller and its closures: some kilobytes.
  expect((after - before) / 1_000).toBeLessThan(500);
});

test('a list does not wait for a long snapshot', async ({ page }) => {
  await page.goto(url);
  const { lists, prepare } = await page.evaluate(() => workers.listBesideLongPrepare());
  const median = lists.toSorted((one, other) => one - other)[Math.floor(lists.length / 2)] ?? 0;
  console.log(`a list beside a snapshot of ${Math.round(prepare)} ms: ${median.toFixed(1)} ms of ${lists.length}`);
  expect(lists.length).toBeGreaterThan(1);
  expect(median).toBeLessThan(prepare / 2);
});

test('an abort is heard in the middle of a long snapshot', async ({ page }) => {
  await page.goto(url);
  const heard: number[] = [];
  const settled: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const found = await page.evaluate(() => workers.abortLongPrepare());
    expect(found.code).toBe(CANCELLED);
    heard.push(found.heard);
    settled.push(found.settled);
  }
  const [fastest = 0, , median = 0] = heard.toSorted((one, other) => one - other);
  console.log(`an abort is heard after ${median.toFixed(1)} ms`);
  // Must be the fastest: the machine may be busy. Without pauses the rest of the snapshot would come first, every time.
  expect(fastest).toBeLessThan(50);
  expect(Math.min(...settled)).toBeLessThan(50);
});
