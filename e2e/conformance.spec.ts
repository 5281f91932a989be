import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import { serveFolders } from '../browser-demo/serve.mjs';
import type { Report } from '../test/cases/case-report.ts';
import { HOSTILE_CASES } from '../test/cases/hostile-cases.ts';
import { RANDOM_DIGESTS } from '../test/cases/random-digests.ts';
import { VECTOR_FILES } from '../test/cases/vector-file.ts';
import type { ConformancePage } from './conformance/page.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VECTORS = Object.values(VECTOR_FILES).reduce((sum, count) => sum + count, 0);
const CASES = VECTORS + HOSTILE_CASES.length + RANDOM_DIGESTS.length;

declare const conformance: ConformancePage;

let server: Awaited<ReturnType<typeof serveFolders>>;

test.beforeAll(async ({ browserName: _ }, testInfo) => {
  const outdir = testInfo.outputPath('conformance');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['e2e/conformance/page.ts', 'e2e/conformance/worker.ts'],
    bundle: true,
    format: 'esm',
    outdir,
    logLevel: 'error',
  });
  await writeFile(`${outdir}/index.html`, '<!doctype html><script type="module" src="/page.js"></script>');
  server = await serveFolders({ '/': outdir, '/dist/': `${ROOT}dist`, '/vectors/': `${ROOT}test/vectors` });
});

test.afterAll(() => server.close());

test.beforeEach(async ({ page }) => {
  await page.goto(server.url);
});

function expectAllHeld(report: Report): void {
  expect(report.failures).toEqual([]);
  expect(report.executed).toBe(CASES);
}

test('the built library holds every vector in a page', async ({ page }) => {
  expectAllHeld(await page.evaluate(() => conformance.runInPage()));
});

test('the built library holds every vector in a real worker', async ({ page }) => {
  expectAllHeld(await page.evaluate(() => conformance.runInWorker()));
});

test('the client of a real worker answers every vector like the library', async ({ page }) => {
  test.setTimeout(180_000);
  expectAllHeld(await page.evaluate(() => conformance.runThroughClient()));
});
