import { expect, type Page } from '@playwright/test';
import { DemoPage } from './demo/demo-page.ts';
import { test } from './demo/demo-test.ts';

let demo: DemoPage;

test.beforeEach(async ({ demo: opened }) => {
  demo = opened;
  await demo.open();
  await demo.message.focus();
});

/** What the composer holds, with each chip as `[title]`. */
function readDraft(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...(document.getElementById('message')?.childNodes ?? [])]
      .map((node) =>
        node instanceof Element && node.matches('.mention-chip') ? `[${node.textContent}]` : node.textContent,
      )
      .join(''),
  );
}

const RATE = 'Rate limiter for the public API';
const LISBON = 'Four days in Lisbon';

test('arrows, Page keys, Tab and Escape drive the list', async ({ page }) => {
  await page.keyboard.type('@');
  await expect(demo.options).toHaveCount(4);
  const selected = demo.options.and(page.locator('[aria-selected=true]'));
  await expect(selected).toHaveAttribute('aria-posinset', '1');
  await page.keyboard.press('ArrowDown');
  await expect(selected).toHaveAttribute('aria-posinset', '2');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(selected).toHaveAttribute('aria-posinset', '4');
  await expect(demo.message).toHaveAttribute('aria-activedescendant', (await selected.getAttribute('id')) ?? '');
  await page.keyboard.press('PageUp');
  await expect(selected).toHaveAttribute('aria-posinset', '1');
  await page.keyboard.press('Escape');
  await expect(demo.options).toHaveCount(0);
  await expect(demo.message).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.type('l');
  await expect(demo.options).toHaveCount(0);
  await page.keyboard.type(' @lisb');
  await expect(demo.options).toHaveCount(1);
  await page.keyboard.press('Tab');
  expect(await readDraft(page)).toBe(`@l [${LISBON}] `);
  await expect(demo.message).toBeFocused();
});

test('a mouse picks, and a button starts a mention', async ({ page }) => {
  await page.keyboard.type('@');
  await demo.options.filter({ hasText: LISBON }).click();
  expect(await readDraft(page)).toBe(`[${LISBON}] `);
  await expect(demo.message).toBeFocused();
  await page.getByRole('button', { name: 'Reference a conversation' }).click();
  await demo.options.filter({ hasText: RATE }).click();
  expect(await readDraft(page)).toBe(`[${LISBON}] [${RATE}] `);
});

test('a finger picks on a small screen', async ({ address, browser }) => {
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
  const phone = new DemoPage(await context.newPage(), address);
  await phone.page.goto(address);
  await phone.message.tap();
  await phone.page.keyboard.type('@');
  await phone.options.filter({ hasText: RATE }).tap();
  expect(await readDraft(phone.page)).toBe(`[${RATE}] `);
  phone.expectNoFaults();
  await context.close();
});

test('B56: same-named sessions are told apart, and those of the same folder come first', async ({ page }) => {
  await page.keyboard.type('@flaky');
  await expect(demo.options).toHaveCount(2);
  await expect(demo.options.nth(0)).toContainText('in projects/shop-web');
  await expect(demo.options.nth(1)).toContainText('in projects/shop-mobile');
  await expect(page.locator('.candidate-heading')).toHaveText(['Same folder', 'Other folders']);
});

test('B83: a chip is one unit: one backspace takes it, undo brings it back', async ({ page }) => {
  await page.keyboard.type('a ');
  await demo.mention('rate');
  await page.keyboard.type('b');
  expect(await readDraft(page)).toBe(`a [${RATE}] b`);
  for (let count = 0; count < 3; count += 1) await page.keyboard.press('Backspace');
  expect(await readDraft(page)).toBe('a ');
  await expect(page.locator('.reference-card')).toHaveCount(0);
  await page.keyboard.press('Control+z');
  expect(await readDraft(page)).toBe(`a [${RATE}] b`);
  await page.keyboard.press('Control+z');
  expect(await readDraft(page)).toBe(`a [${RATE}] `);
  await page.keyboard.press('Control+z');
  expect(await readDraft(page)).toBe('a @rate');
  await page.keyboard.press('Control+Shift+z');
  expect(await readDraft(page)).toBe(`a [${RATE}] `);
  await page.keyboard.type('!');
  expect(await readDraft(page)).toBe(`a [${RATE}] !`);
});

test('B79: words and lines can be written around chips', async ({ page }) => {
  await demo.mention('rate');
  await page.keyboard.press('Home');
  await page.keyboard.type('before ');
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('second line');
  await page.keyboard.press('Control+Backspace');
  expect(await readDraft(page)).toBe(`before [${RATE}] \nsecond `);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  expect(await readDraft(page)).toBe('');
});

test('copy, cut and paste keep chips', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.type('a ');
  await demo.mention('rate');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  await page.keyboard.press('End');
  await page.keyboard.press('Control+v');
  expect(await readDraft(page)).toBe(`a [${RATE}] a [${RATE}] `);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+x');
  expect(await readDraft(page)).toBe('');
  await page.keyboard.press('Control+v');
  expect(await readDraft(page)).toBe(`a [${RATE}] a [${RATE}] `);
});

test('pasted HTML comes in as text', async ({ page }) => {
  await demo.message.evaluate((host) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', '<img src=x onerror="document.title=1"><b>bold</b>');
    clipboardData.setData('text/plain', '<b>bold</b>');
    host.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  expect(await readDraft(page)).toBe('<b>bold</b>');
  await expect(demo.message.locator('*')).toHaveCount(0);
});

test('a drag from the list of conversations makes a chip', async ({ page }) => {
  await page.keyboard.type('compare ');
  await demo.conversations.filter({ hasText: LISBON }).dragTo(demo.message);
  expect(await readDraft(page)).toContain(`[${LISBON}]`);
  await expect(page.locator('.reference-card')).toHaveCount(1);
});

test('a fourth session is refused in words, and what was typed stays', async ({ page }) => {
  for (const query of ['lisb', 'rate', 'flaky']) await demo.mention(query);
  await page.keyboard.type('@flaky');
  await expect(demo.options).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.locator('#composer-hint')).toContainText('up to three conversations');
  await expect(page.locator('#composer-status')).toContainText('up to three conversations');
  await expect(demo.message.locator('.mention-chip')).toHaveCount(3);
  expect(await readDraft(page)).toMatch(/@flaky$/);
});

test('a conversation is not offered to itself', async ({ page }) => {
  await demo.conversations.filter({ hasText: LISBON }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(LISBON);
  await demo.message.focus();
  await page.keyboard.type('@');
  await expect(demo.options).toHaveCount(3);
  await expect(demo.options.filter({ hasText: LISBON })).toHaveCount(0);
});

test('B80: an input method composes without picking or sending', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await page.keyboard.type('@');
  await expect(demo.options).toHaveCount(4);
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  await session.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 229,
  });
  expect(await readDraft(page)).toBe('@にほ');
  await expect(demo.message.locator('.mention-chip')).toHaveCount(0);
  await expect(page.locator('.message')).toHaveCount(0);
  await session.send('Input.imeSetComposition', { text: '日本', selectionStart: 2, selectionEnd: 2 });
  await session.send('Input.insertText', { text: '日本' });
  expect(await readDraft(page)).toBe('@日本');
  await expect(page.locator('#candidates')).toContainText('No conversation matches');
  await page.keyboard.press('Control+z');
  expect(await readDraft(page)).toBe('@');
  await page.keyboard.type('rate');
  await expect(demo.options).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(demo.message.locator('.mention-chip')).toHaveText(RATE);
  await session.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
  await session.send('Input.insertText', { text: '蚊' });
  expect(await readDraft(page)).toBe(`[${RATE}] 蚊`);
});

test('B76: Enter right after typing waits for the answer to what was typed', async ({ page }) => {
  await page.keyboard.type('@');
  await expect(demo.options).toHaveCount(4);
  await page.keyboard.type('lisb', { delay: 0 });
  await page.keyboard.press('Enter');
  await expect(demo.message.locator('.mention-chip')).toHaveText(LISBON);
  await expect(page.locator('.message')).toHaveCount(0);
});

test('each chip opens what it sends', async ({ page }) => {
  await demo.mention('rate');
  await page
    .locator('.reference-card')
    .getByRole('button', { name: /Show what is sent/ })
    .click();
  await expect(demo.inspector.getByRole('heading', { level: 2 })).toHaveText('What will be sent');
  await expect(demo.inspector).toContainText('message 7');
  await expect(demo.inspector).toContainText('fail open with the local cap');
  await page
    .locator('.reference-card')
    .getByRole('button', { name: /Remove/ })
    .click();
  expect(await readDraft(page)).toBe(' ');
});
