import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import type { LogScannerPage } from './log-scanner/page.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

declare const logScanner: LogScannerPage;

let server: Server;
let address: string;

test.beforeAll(async () => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['e2e/log-scanner/page.ts'],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
    const isScript = pathname === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    if (!isScript) response.setHeader('content-security-policy', searchParams.get('policy') ?? '');
    response.end(isScript ? outputFiles[0]?.text : '<!doctype html><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

test.afterAll(() => server.close());

test('a policy that forbids WebAssembly changes nothing of what is read', async ({ page }) => {
  const read = async (policy: string): Promise<[boolean, unknown]> => {
    await page.goto(`${address}?policy=${encodeURIComponent(policy)}`);
    return page.evaluate(async () => [await logScanner.canCompile(), await logScanner.readLog()]);
  };
  const [canCompile, snapshot] = await read("script-src 'self' 'wasm-unsafe-eval'");
  const [canCompileStrictly, strictSnapshot] = await read("script-src 'self'");
  expect([canCompile, canCompileStrictly]).toEqual([true, false]);
  expect(strictSnapshot).toEqual(snapshot);
  expect((snapshot as { units: unknown[] }).units.length).toBeGreaterThan(10);
});
