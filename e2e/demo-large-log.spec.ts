import { expect } from '@playwright/test';
import { test } from './demo/demo-test.ts';
import { describeFrames, type FrameTimes, measureFrames } from './demo/frame-times.ts';
import { dropMade, type FileDescription } from './demo/made-file.ts';
import { describeTasks, traceTasks } from './demo/page-tasks.ts';

// Must end sooner than the test: the reason is told then.
test.use({ actionTimeout: 60_000 });
test.setTimeout(240_000);

const MESSAGES = 110_000;

/** A log of 64 MB, as deepseek-harness writes it. */
function describeLargeLog(): FileDescription {
  const text = `Message {n} of a log that fills a disk. ${'It goes on and on, as they do. '.repeat(13)}`;
  const data = JSON.stringify({ role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] });
  const head = '{"type":"session","version":0,"id":"large","createdAt":1795000000000}\n';
  const line = `{"type":"user/message","seq":{n},"time":1795000000000,"data":${data},"surfaceOp":"append"}`;
  const title = `{"type":"session/title","seq":${MESSAGES},"data":{"title":"The large log"}}`;
  return { head, line, separator: '\n', tail: `\n${title}\n`, lines: MESSAGES };
}

for (const [place, scripts] of [
  ['a worker', []],
  ['the page, where no worker can start', ['worker', 'reader']],
] as const) {
  test(`a log of 64 MB is read and referenced three times in ${place}`, async ({ demo, page }, testInfo) => {
    for (const script of scripts) await page.route(`**/${script}.js`, (route) => route.abort());
    await demo.open();
    await demo.message.focus();
    await dropMade(page, 'large.jsonl', describeLargeLog());
    // The file is made on the page, which is not what is measured.
    await page.waitForTimeout(100);

    const run: { frames?: FrameTimes } = {};
    const tasks = await traceTasks(page, async () => {
      run.frames = await measureFrames(page, async () => {
        await page.keyboard.type('Typed while it is read. ', { delay: 40 });
        await expect(demo.news.filter({ hasText: 'Format: deepseek-harness' })).toBeVisible({ timeout: 120_000 });
        for (let time = 1; time <= 3; time += 1) {
          await page.keyboard.type('@the large', { delay: 40 });
          await expect(demo.options).toHaveCount(1);
          await page.keyboard.press('Enter');
          await page.keyboard.type('and go on typing. ', { delay: 40 });
          await expect(page.locator('.reference-card')).toContainText('of 110,000 messages');
          await page.keyboard.press('ControlOrMeta+A');
          await page.keyboard.press('Delete');
          await expect(page.locator('.reference-card')).toHaveCount(0);
        }
      });
    });
    const frames = run.frames === undefined ? '' : describeFrames(run.frames);
    testInfo.annotations.push({ type: 'measured', description: `${frames}; ${describeTasks(tasks)}` });
    console.log(`    64 MB in ${place}: ${frames}; ${describeTasks(tasks)}`);
    expect(tasks.longestScript).toBeGreaterThan(0);
    expect(await demo.message.textContent()).toBe('');
  });
}
