import { expect, type TestInfo } from '@playwright/test';
import { test } from './demo/demo-test.ts';
import { describeFrames, type FrameTimes, measureFrames } from './demo/frame-times.ts';
import { dropMade, type FileDescription } from './demo/made-file.ts';

// Must end sooner than the test: the reason is told then.
test.use({ actionTimeout: 20_000, viewport: { width: 1440, height: 900 } });
test.setTimeout(400_000);

const SESSIONS = 10_000;
const MESSAGES = 100_000;

/** 10,000 conversations in one file of the ShareGPT shape. */
function describeManySessions(): FileDescription {
  const turns = '[{"from":"human","value":"Question {n}"},{"from":"gpt","value":"Answer {n}"}]';
  const line = `{"id":"many-{n}","title":"Topic number {n}","conversations":${turns}}`;
  return { head: '[', line, separator: ',\n', tail: ']', lines: SESSIONS };
}

/** One conversation of 100,000 messages. */
function describeLongSession(): FileDescription {
  const text = `Message {n} of a conversation that went on for a very long time. ${'It says little. '.repeat(8)}`;
  const data = JSON.stringify({ role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] });
  const head = '{"type":"session","version":0,"id":"long","createdAt":1795000000000}\n';
  const line = `{"type":"user/message","seq":{n},"data":${data}}`;
  const title = `{"type":"session/title","seq":${MESSAGES},"data":{"title":"The long one"}}`;
  return { head, line, separator: '\n', tail: `\n${title}\n`, lines: MESSAGES };
}

function report(testInfo: TestInfo, name: string, frames: FrameTimes): void {
  testInfo.annotations.push({ type: 'measured', description: `${name}: ${describeFrames(frames)}` });
  console.log(`    ${name}: ${describeFrames(frames)}`);
}

test('10,000 sessions and one of 100,000 messages leave the page fluid', async ({ demo, page }, testInfo) => {
  await demo.open();
  await demo.message.focus();

  await dropMade(page, 'many.json', describeManySessions());
  const during = await measureFrames(page, async () => {
    await page.keyboard.type('Typed while ten thousand conversations come in. ', { delay: 25 });
    await expect(demo.news.filter({ hasText: '10,000 conversations' })).toBeVisible({ timeout: 120_000 });
  });
  report(testInfo, `typing while ${SESSIONS} sessions are imported`, during);
  await expect(demo.message).toContainText('Typed while ten thousand conversations come in.');

  await dropMade(page, 'long.jsonl', describeLongSession());
  const reading = await measureFrames(page, async () => {
    await page.keyboard.type('And while a long one does. ', { delay: 25 });
    await expect(demo.news.filter({ hasText: 'Format: deepseek-harness' })).toBeVisible({ timeout: 120_000 });
  });
  report(testInfo, `typing while ${MESSAGES} messages are imported`, reading);
  await page.waitForTimeout(500);

  const typing = await measureFrames(page, async () => {
    await page.keyboard.type('@topic number 99', { delay: 60 });
    await expect(demo.options.first()).toContainText('number 99');
  });
  report(testInfo, `typing in the picker over ${SESSIONS} sessions`, typing);
  expect(await page.locator('#candidates [role=option]').count()).toBeLessThan(40);
  expect(await page.locator('.conversation-row').count()).toBeLessThan(40);
  await page.keyboard.press('Escape');

  await page.keyboard.type(' @');
  await expect(demo.options.first()).toBeVisible();
  const list = page.locator('.candidate-list');
  const scrolling = await measureFrames(page, async () => {
    for (let count = 0; count < 40; count += 1) {
      await list.evaluate((element) => {
        element.scrollTop += 4_000;
      });
      await page.waitForTimeout(20);
    }
  });
  report(testInfo, 'scrolling the picker', scrolling);
  expect(await page.locator('#candidates [role=option]').count()).toBeLessThan(40);
  expect(await list.evaluate(({ scrollHeight }) => scrollHeight)).toBeGreaterThan(100 * 54);
  await page.keyboard.press('Escape');

  await page.keyboard.type(' ');
  const preparing = await measureFrames(page, async () => {
    await page.keyboard.type('@the long');
    await expect(demo.options).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page.locator('.reference-card')).toContainText('of 100,000 messages');
  });
  report(testInfo, `referencing a session of ${MESSAGES} messages`, preparing);
  await page.locator('.reference-open').click();
  await expect(demo.inspector).toContainText('message 100,000');
  await demo.photograph('scale-preview');

  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('the long');
  const opening = await measureFrames(page, async () => {
    await page.locator('.conversation-open').first().click();
    await expect(page.locator('.message')).toHaveCount(200);
  });
  report(testInfo, `opening a session of ${MESSAGES} messages`, opening);
  await expect(page.locator('.earlier')).toContainText('99,800 earlier messages');
  await page.getByRole('button', { name: 'Show earlier messages' }).click();
  await expect(page.locator('.message')).toHaveCount(400);
  await expect(page.locator('.earlier')).toContainText('99,600 earlier messages are neither shown here nor sent');
});

test('a conversation of some hundred messages shows its end first', async ({ demo, page }) => {
  await demo.open();
  await dropMade(page, 'some.jsonl', { ...describeLongSession(), lines: 500, tail: '\n' });
  await demo.news.getByRole('button', { name: 'Open' }).click();
  await expect(page.locator('.message')).toHaveCount(200);
  await expect(page.locator('.message').last()).toContainText('Message 499 ');
  await expect(page.locator('.message').last()).toBeInViewport();
  for (const count of [400, 500]) {
    await page.getByRole('button', { name: 'Show earlier messages' }).click();
    await expect(page.locator('.message')).toHaveCount(count);
  }
  await expect(page.locator('.earlier')).toHaveCount(0);
});

test('what was sent in a long conversation is still there after a reload', async ({ demo, page }) => {
  await demo.open();
  await dropMade(page, 'some.jsonl', { ...describeLongSession(), lines: 1_500, tail: '\n' });
  await demo.news.getByRole('button', { name: 'Open' }).click();
  await expect(page.locator('.message')).toHaveCount(200);
  await demo.message.focus();
  for (const query of ['rate', 'lisb']) {
    await demo.mention(query);
    await page.keyboard.press('Enter');
    await expect(page.locator('.message.from-assistant').last()).toContainText('You wrote');
    await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  }
  await page.reload();
  await demo.conversations.first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('long');
  const chips = page.locator('.message.from-user .mention-chip');
  await expect(chips).toHaveText(['Rate limiter for the public API', 'Four days in Lisbon']);
  await chips.first().click();
  await expect(demo.inspector).toContainText('fail open with the local cap');
});

test('a long import can be cancelled, and what was there before is still there', async ({ demo, page }) => {
  await demo.open();
  await dropMade(page, 'long.jsonl', { ...describeLongSession(), lines: 3 * MESSAGES });
  const notice = demo.news.filter({ hasText: 'Importing' });
  await expect(notice.getByRole('progressbar')).toBeVisible();
  await notice.getByRole('button', { name: 'Cancel' }).click();
  await expect(demo.errors).toContainText('Import cancelled: 0 of 1 files were read.');
  await expect(notice).toHaveCount(0);
  await expect(demo.conversations).toHaveCount(4);
});
