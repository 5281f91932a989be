import { expect, type Locator, type Page } from '@playwright/test';
import { DemoPage, toFile } from './demo/demo-page.ts';
import { test } from './demo/demo-test.ts';

const RATE = 'Rate limiter for the public API';

function row(page: Page, title: string | RegExp): Locator {
  return page.locator('.conversation-row').filter({ has: page.locator('.row-title').filter({ hasText: title }) });
}

async function sendWithMention(demo: DemoPage): Promise<void> {
  await demo.message.focus();
  await demo.page.keyboard.type('Remember ');
  await demo.mention('rate');
  await demo.page.keyboard.press('Enter');
  await expect(demo.page.locator('.message.from-assistant')).toContainText('You wrote');
  await expect(demo.page.getByRole('button', { name: 'Send' })).toBeVisible();
}

async function remove(page: Page, title: string | RegExp): Promise<void> {
  await row(page, title).hover();
  await row(page, title)
    .getByRole('button', { name: /^More for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row(page, title)).toHaveCount(0);
}

test('conversations and their snapshots survive a reload', async ({ demo, page }) => {
  await demo.open();
  await sendWithMention(demo);
  await remove(page, /^Four days/);
  await page.reload();
  await expect(demo.conversations).toHaveCount(4);
  await row(page, /^Remember/).click();
  const chip = page.locator('.message.from-user .mention-chip');
  await expect(chip).toHaveText(RATE);
  await chip.click();
  await expect(demo.inspector).toContainText('fail open with the local cap');
  await page.locator('.message').getByRole('button', { name: 'What the model sees' }).click();
  await expect(demo.inspector.locator('pre').last()).toHaveText(`Remember @${RATE} `);
});

test('another tab sees what changes, and what is gone', async ({ address, demo, page, context }) => {
  await demo.open();
  const other = new DemoPage(await context.newPage(), address);
  await other.open();
  await sendWithMention(demo);
  await expect(row(other.page, /^Remember/)).toBeVisible();
  await row(other.page, /^Remember/).click();
  await expect(other.page.locator('.message.from-user .mention-chip')).toHaveText(RATE);

  await demo.message.focus();
  await page.keyboard.type('One more thing');
  await page.keyboard.press('Enter');
  await expect(other.page.locator('.message.from-user').last()).toHaveText(/One more thing/);
  await remove(other.page, /^Rate limiter/);
  await expect(page.locator('.message.from-user .mention-chip')).toHaveText(`${RATE}deleted`);
  await remove(page, /^Remember/);
  await expect(other.errors).toContainText('The open conversation was deleted.');
  await expect(other.page.locator('.welcome')).toBeVisible();
  await expect(other.page.getByRole('heading', { level: 1 })).toHaveText('New conversation');
  await expect(other.page.getByRole('button', { name: 'Rename' })).toBeHidden();
  demo.expectNoFaults();
  other.expectNoFaults();
});

test('a list of candidates that is open shows what came in since', async ({ address, demo, page, context }) => {
  await demo.open();
  await demo.message.focus();
  await page.keyboard.type('@');
  await expect(demo.options).toHaveCount(4);
  await page.keyboard.press('ArrowDown');
  const active = page.locator('#candidates [aria-selected=true] .row-title');
  const title = await active.textContent();
  const other = new DemoPage(await context.newPage(), address);
  await other.open();
  await other.drop(toFile('new.jsonl', [{ type: 'session', version: 0, id: 'a new one', createdAt: Date.now() }]));
  await expect(demo.options).toHaveCount(5);
  await expect(active).toHaveText(title ?? '');
});

test('without a worker the page does the work itself', async ({ demo, page }) => {
  await page.route(/\/(worker|reader)\.js$/, (route) => route.abort());
  await demo.open();
  await sendWithMention(demo);
  await expect(demo.inspector.locator('pre').first()).toContainText('fail open with the local cap');
  await expect(demo.errors).toHaveCount(0);
});
