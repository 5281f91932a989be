import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import { serveFolders } from '../browser-demo/serve.mjs';
import type { LargeFilesPage } from './large-files/page.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

declare const largeFiles: LargeFilesPage;

let server: Awaited<ReturnType<typeof serveFolders>>;

test.beforeAll(async ({ browserName: _ }, testInfo) => {
  const outdir = testInfo.outputPath('large-files');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['e2e/large-files/page.ts', 'e2e/large-files/generator.ts', 'dist/worker.js', 'dist/reader.js'],
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    outdir,
    logLevel: 'error',
  });
  await writeFile(`${outdir}/index.html`, '<!doctype html><script type="module" src="/page.js"></script>');
  server = await serveFolders({ '/': outdir });
});

test.afterAll(() => server.close());

for (const [name, kind, megabytes, sessions] of [
  ['a ChatGPT export of 300 MB', 'chatgpt', 300, 4_000],
  ['a log of 200 MB', 'jsonl', 200, 1],
] as const) {
  test(`${name} is imported beside a page that goes on`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.goto(server.url);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const readPageTime = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name: metric }) => metric === 'TaskDuration')?.value ?? Number.NaN);
    };
    await page.evaluate(([one, size]) => largeFiles.prepare(one, size), [kind, megabytes] as const);
    const before = await readPageTime();
    const found = await page.evaluate(() => largeFiles.importLarge());
    const pageTime = (await readPageTime()) - before;
    const { parseTime, readTime, importTime, longestFrameGap, abortTime } = found;
    const times = (time: number): string => `${Math.round(time)} ms (${(time / parseTime).toFixed(1)} × JSON.parse)`;
    console.log(
      `${name}: ${Math.round(found.megabytes)} MB, ${found.sessions} sessions, read in ${times(readTime)}, imported in ` +
        `${times(importTime)}, of which the page worked ${Math.round(pageTime)} ms, longest frame gap ` +
        `${Math.round(longestFrameGap)} ms, ${found.longTasks} long tasks, abort ` +
        `heard in ${Math.round(abortTime)} ms`,
    );
    expect(found.sessions).toBeGreaterThanOrEqual(sessions);
    expect(found.progressReports).toBeGreaterThan(5);
    // Must be the processor time of the page's thread: three busy threads on two cores make tasks look long.
    expect(pageTime).toBeLessThan(importTime / 4);
    expect(found.abortCode).toBe('SESSION_REFERENCE_CANCELLED');
  });
}
