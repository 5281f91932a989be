import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import { type DemoPage, toFile, toTextFile } from './demo/demo-page.ts';
import { test } from './demo/demo-test.ts';

let demo: DemoPage;

test.beforeEach(async ({ demo: opened }) => {
  demo = opened;
  await demo.open();
});

const LISBON = 'Four days in Lisbon';
const LISBON_ROW = /^Four days in Lisbon$/;
const RATE = 'Rate limiter for the public API';

function row(title: string | RegExp): Locator {
  const name = demo.page.locator('.row-title').filter({ hasText: title });
  return demo.page.locator('.conversation-row').filter({ has: name });
}

async function choose(title: string | RegExp, action: string): Promise<void> {
  await row(title).hover();
  await row(title)
    .getByRole('button', { name: /^More for/ })
    .click();
  await demo.page.getByRole('menuitem', { name: action }).click();
}

async function send(page: Page, words: string, mention?: string): Promise<void> {
  await demo.message.focus();
  if (mention !== undefined) await demo.mention(mention);
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Retry' }).last()).toBeAttached();
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
}

test('a conversation is named after its first message, and can be renamed', async ({ page }) => {
  await send(page, 'How long is a piece of string?\nAsking for a friend.');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('How long is a piece of string?');
  await expect(row('How long is a piece')).toContainText('2 messages');
  await page.getByRole('button', { name: 'Rename this conversation' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('String theory');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('String theory');
  await choose(LISBON_ROW, 'Rename');
  await page.getByRole('textbox', { name: 'Title' }).fill('Lisbon in the rain');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(row('Lisbon in the rain')).toBeVisible();
});

test('B59: a sent chip opens the frozen snapshot, and tells when its source moved on or is gone', async ({ page }) => {
  await send(page, 'What to pack?', 'lisb');
  const chip = page.locator('.message.from-user .mention-chip');
  await expect(chip).toHaveText(LISBON);
  await choose(LISBON_ROW, 'Rename');
  await page.getByRole('textbox', { name: 'Title' }).fill('Lisbon, later');
  await page.keyboard.press('Enter');
  await expect(chip).toHaveText(`${LISBON}changed since`);
  await chip.click();
  await expect(demo.inspector.getByRole('heading', { level: 2 })).toHaveText('Snapshot as sent');
  await expect(demo.inspector).toContainText('went on since');
  await expect(demo.inspector.locator('.quoted-message')).toHaveCount(4);

  await choose('Lisbon, later', 'Delete');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(row('Lisbon, later')).toBeVisible();
  await choose('Lisbon, later', 'Delete');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row('Lisbon, later')).toHaveCount(0);
  await expect(chip).toHaveText(`${LISBON}deleted`);
  await chip.click();
  await expect(demo.inspector).toContainText('is gone');
  await expect(demo.inspector.locator('.quoted-message')).toHaveCount(4);
  await demo.photograph('deleted-source');
});

test('B82: what was sent is still there when the conversation is opened again, and is never quoted again', async ({
  page,
}) => {
  await send(page, 'about Redis', 'rate');
  await row(LISBON_ROW).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(LISBON);
  await row('@Rate limiter').click();
  await expect(page.locator('.message.from-user .mention-chip')).toHaveText(RATE);
  const [context, message] = await demo.inspector.locator('pre').allTextContents();
  expect(context).toContain('local cap');
  expect(message).toBe(`@${RATE} about Redis`);
  await page.locator('.message.from-user .mention-chip').focus();
  await demo.drop(toFile('other.jsonl', [{ type: 'session', version: 0, id: 'other', createdAt: 0 }]));
  await expect(demo.conversations).toHaveCount(6);
  await expect(page.locator('.message.from-user .mention-chip')).toBeFocused();

  await row(LISBON_ROW).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(LISBON);
  await send(page, 'what was asked there?', 'about redis');
  const second = (await demo.inspector.locator('pre').first().textContent()) ?? '';
  expect(second).toContain(`@${RATE} about Redis`);
  expect(second).not.toContain('local cap, headers');
  expect(second.match(/referenced-sessions/g)).toHaveLength(2);
});

test('B67: an edited message takes the place of what followed it', async ({ page }) => {
  await send(page, 'First question', 'rate');
  await send(page, 'Second question');
  await expect(page.locator('.message.from-user')).toHaveCount(2);
  const first = page.locator('.message.from-user').first();
  await first.hover();
  await first.getByRole('button', { name: 'Edit' }).click();
  await expect(demo.message.locator('.mention-chip')).toHaveText(RATE);
  await page.keyboard.press('End');
  await page.keyboard.type(', but better');
  await page.keyboard.press('Enter');
  await expect(page.locator('.message.from-user')).toHaveCount(1);
  await expect(page.locator('.message.from-user')).toContainText('First question, but better');
  await expect(page.locator('.message.from-assistant')).toContainText('but better');
  await row(LISBON_ROW).click();
  await row(/@Rate limiter/).click();
  await expect(page.locator('.message.from-user')).toHaveCount(1);
  await expect(page.locator('.message.from-user')).toContainText('First question, but better');
});

test('an edit is still one after another conversation was open, and what was being written comes back', async ({
  page,
}) => {
  await send(page, 'First question');
  await send(page, 'Second question');
  await expect(page.locator('.message.from-assistant')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  await demo.message.focus();
  await page.keyboard.type('not sent yet');
  const first = page.locator('.message.from-user').first();
  await first.hover();
  await first.getByRole('button', { name: 'Edit' }).click();
  await expect(demo.message).toHaveText('First question');
  await row(LISBON_ROW).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(LISBON);
  await expect(page.locator('.editing-note')).toHaveCount(0);
  await row(/^First question/).click();
  await expect(page.locator('.editing-note')).toBeVisible();
  await expect(demo.message).toHaveText('First question');
  await page.locator('.editing-note').getByRole('button', { name: 'Cancel' }).click();
  await expect(demo.message).toHaveText('not sent yet');
  await expect(demo.message).toBeFocused();

  await first.hover();
  await first.getByRole('button', { name: 'Edit' }).click();
  await row(LISBON_ROW).click();
  await row(/^First question/).click();
  await demo.message.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(', again');
  await page.keyboard.press('Enter');
  await expect(page.locator('.message.from-user')).toHaveText([/First question, again/]);
  await expect(demo.message).toHaveText('not sent yet');
});

test('what the model sees can be looked at without a reference, too', async ({ page }) => {
  await send(page, 'Just this');
  await page.locator('.message.from-user').getByRole('button', { name: 'What the model sees' }).click();
  await expect(demo.inspector.locator('pre')).toHaveText(['Just this']);
});

test('B58: a source that is gone before sending keeps draft and chips, and is named', async ({ page }) => {
  await demo.message.focus();
  await page.keyboard.type('Compare ');
  await demo.mention('rate');
  await demo.mention('lisb');
  await expect(page.locator('.reference-card')).toHaveCount(2);
  await choose(LISBON_ROW, 'Delete');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row(LISBON_ROW)).toHaveCount(0);
  await demo.message.focus();
  await page.keyboard.press('Enter');
  await expect(demo.errors).toHaveCount(1);
  await expect(demo.errors).toContainText(`Not sent, because of “${LISBON}”`);
  await expect(demo.message.locator('.mention-chip')).toHaveCount(2);
  await expect(demo.message.locator('.mention-chip.is-failed')).toHaveText(LISBON);
  await expect(page.locator('.message')).toHaveCount(0);
  await demo.photograph('failed-reference');
  await page.getByRole('button', { name: `Remove the reference to ${LISBON}` }).click();
  await demo.message.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.message.from-user .mention-chip')).toHaveText(RATE);
});

test('a log that is saved can be read back', async ({ page }) => {
  await send(page, 'about Redis', 'rate');
  const saving = page.waitForEvent('download');
  await choose('about Redis', 'Save as JSONL');
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/\.jsonl$/);
  const bytes = new Uint8Array(await readFile(await download.path()));
  await choose('about Redis', 'Delete');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(demo.conversations).toHaveCount(4);
  await demo.drop({ name: 'saved.jsonl', bytes });
  await expect(demo.conversations).toHaveCount(5);
  await row('about Redis').click();
  await expect(page.locator('.message.from-user .mention-chip')).toHaveText(RATE);
});

test('a folder with good and bad files is read, with a report', async ({ page }) => {
  const event = (text: string): unknown => ({
    type: 'user/message',
    seq: 0,
    data: { role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] },
  });
  const session = (id: string): unknown => ({ type: 'session', version: 0, id, createdAt: 1_795_000_000_000 });
  await demo.drop(
    toFile('one.jsonl', [session('one'), event('hello')]),
    toTextFile('empty.jsonl', ''),
    toFile('two.jsonl', [session('two'), event('hello')]),
  );
  await expect(demo.news).toContainText('2 conversations imported from 2 files.');
  await expect(demo.errors).toContainText('empty.jsonl');
  await expect(demo.conversations).toHaveCount(6);
  await demo.photograph('import-report');
  await page.getByRole('button', { name: 'Close this notice' }).first().click();
  await expect(demo.errors).toHaveCount(0);
});

test('a draft stays with its conversation', async ({ page }) => {
  await demo.message.focus();
  await page.keyboard.type('half a ');
  await demo.mention('rate');
  await row(LISBON_ROW).click();
  await expect(demo.message).toHaveText('');
  await page.keyboard.press('Escape');
  await demo.message.focus();
  await page.keyboard.type('other');
  await row(/^Rate limiter/).click();
  await row(LISBON_ROW).click();
  await expect(demo.message).toHaveText('other');
});

test('zips and folders are read', async ({ page }, testInfo) => {
  const event = { type: 'user/message', seq: 0, data: { role: 'user', source: { kind: 'user' }, content: [] } };
  const log = (id: string): string =>
    `${JSON.stringify({ type: 'session', version: 0, id, createdAt: 1_795_000_000_000 })}\n${JSON.stringify(event)}\n`;
  const zip = zipSync({ 'a/one.jsonl': strToU8(log('zip-one')), 'b/two.jsonl': strToU8(log('zip-two')) });
  await demo.drop({ name: 'export.zip', bytes: new Uint8Array(zip) });
  await expect(demo.news).toContainText('2 conversations imported');
  await expect(demo.conversations).toHaveCount(6);
  await row('zip-one').click();
  await expect(page.locator('.messages')).toHaveText('There are no messages to show.');

  const folder = testInfo.outputPath('sessions');
  await mkdir(`${folder}/deep`, { recursive: true });
  await writeFile(`${folder}/three.jsonl`, log('folder-three'));
  await writeFile(`${folder}/deep/four.jsonl`, log('folder-four'));
  await writeFile(`${folder}/.DS_Store`, 'not a session');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Folder', exact: true }).click();
  await (await choosing).setFiles(folder);
  await expect(demo.news.filter({ hasText: 'from 2 files' })).toBeVisible();
  await expect(demo.errors).toHaveCount(0);
  await expect(demo.conversations).toHaveCount(8);
});

test('a snapshot that takes long shows that it is under way, and can be cancelled', async ({ page }) => {
  await slowDownPreparing(page);
  await demo.open();
  await demo.message.focus();
  await demo.mention('rate');
  await expect(page.locator('.reference-card')).toContainText('Taking a snapshot');
  await page.locator('.reference-open').click();
  await expect(demo.inspector.getByRole('status')).toContainText(`Taking a snapshot of ${RATE}`);
  await demo.photograph('preparing');
  const countAnimations = (): Promise<number> => page.evaluate(() => document.getAnimations().length);
  expect(await countAnimations()).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await countAnimations()).toBe(0);
  await demo.inspector.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.locator('.reference-card')).toContainText('No preview');
  await expect(demo.message.locator('.mention-chip')).toHaveText(RATE);

  await demo.message.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.locator('.messages')).toContainText('Taking snapshots');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('.messages')).not.toContainText('Taking snapshots');
  await expect(page.locator('.message')).toHaveCount(0);
  await expect(demo.message.locator('.mention-chip')).toHaveText(RATE);
  await expect(demo.errors).toHaveCount(0);
});

test('B77: a worker that crashes is told in words, and what was written stays', async ({ page }) => {
  await prefixWorker(
    page,
    "addEventListener('message', (event) => { if (event.data === 'crash') throw new Error('x'); });",
  );
  await page.addInitScript(() => {
    const Native = Worker;
    const workers: Worker[] = [];
    globalThis.Worker = class extends Native {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        workers.push(this);
      }
    };
    Object.assign(globalThis, { workers });
  });
  await demo.open();
  await demo.message.focus();
  await demo.mention('rate');
  await page.keyboard.type('still here');
  await page.evaluate(() => (globalThis as unknown as { workers: Worker[] }).workers[0]?.postMessage('crash'));
  await page.waitForTimeout(200);
  await page.keyboard.press('Enter');
  await expect(demo.errors).toHaveCount(1);
  await expect(demo.errors).toContainText('Not sent: the background worker stopped. Reload the page to go on.');
  await expect(demo.message.locator('.mention-chip')).toHaveText(RATE);
  await expect(demo.message).toContainText('still here');
  await expect(page.locator('.message')).toHaveCount(0);
});

/** Let the worker hear of each `prepare` only after ten seconds. */
async function slowDownPreparing(page: Page): Promise<void> {
  await prefixWorker(page, DELAY);
}

/** Run something in the worker before its own script. */
async function prefixWorker(page: Page, code: string): Promise<void> {
  await page.route('**/worker.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${code}\n${await response.text()}` });
  });
}

const DELAY = `
  const listen = MessagePort.prototype.addEventListener;
  MessagePort.prototype.addEventListener = function (type, listener, options) {
    const call = (event) => (typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event));
    const wait = (event) => {
      let isSlow = false;
      try { isSlow = JSON.stringify(event.data).includes('"prepare"'); } catch {}
      if (isSlow) setTimeout(() => call(event), 10_000);
      else call(event);
    };
    listen.call(this, type, type === 'message' ? wait : listener, options);
  };
`;

test('a preview marks every cut where it is', async ({ page }) => {
  const message = (seq: number, text: string): unknown => ({
    type: 'user/message',
    seq,
    data: { role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] },
  });
  await demo.drop(
    toFile('large.jsonl', [
      { type: 'session', version: 0, id: 'large', createdAt: 1_795_000_000_000 },
      { type: 'session/title', seq: 0, data: { title: 'A large one' } },
      message(1, 'An old message'),
      message(2, `The start of it. ${'x'.repeat(200_000)} The end of it.`),
    ]),
  );
  await expect(demo.news).toContainText('1 conversation imported');
  await demo.news.getByRole('button', { name: 'Reference it' }).click();
  await expect(page.locator('.reference-card')).toContainText('1 of 2 messages');
  await demo.message.locator('.mention-chip').click();
  await expect(demo.inspector.locator('.snapshot-card')).toContainText('message 2');
  const [omitted, cut] = await demo.inspector.locator('.cut-mark').allTextContents();
  expect(omitted).toBe('1 message left out here');
  expect(cut).toMatch(/^13\d,\d{3} bytes cut out here$/);
  const quoted = demo.inspector.locator('.quoted-message');
  await expect(quoted).toHaveCount(1);
  await expect(quoted).toHaveText(/^User\s*The start of it\. x+13\d,\d{3} bytes cut out herex+ The end of it\.$/);
  await expect(demo.inspector.locator('.keep-bar i')).toHaveCount(2);
  await expect(demo.inspector.locator('.keep-bar i').last()).toHaveClass('cut');
  await demo.photograph('cut-marks');
});

/** A ChatGPT export of so many conversations, of two messages each. */
function createExport(count: number): string {
  const conversations = Array.from({ length: count }, (_, index) => {
    const message = (id: string, role: string, text: string, parent: string | null, children: readonly string[]) => ({
      id,
      parent,
      children,
      message: {
        id,
        author: { role },
        create_time: 1_700_000_000 + index,
        content: { content_type: 'text', parts: [text] },
        status: 'finished_successfully',
        recipient: 'all',
      },
    });
    const mapping = {
      root: { id: 'root', parent: null, children: ['q'], message: null },
      q: message('q', 'user', `question ${index}`, 'root', ['a']),
      a: message('a', 'assistant', `answer ${index}`, 'q', []),
    };
    return {
      title: `Exported chat ${index}`,
      create_time: 1_700_000_000 + index,
      conversation_id: `c${index}`,
      mapping,
      current_node: 'a',
    };
  });
  return JSON.stringify(conversations);
}

test('an export of 200 conversations is told by format and number, and can be referenced at once', async ({ page }) => {
  await demo.drop(toTextFile('conversations.json', createExport(200)));
  await expect(demo.news.filter({ hasText: '200 conversations' })).toContainText('ChatGPT');
  await send(page, 'And then?', 'chat 137');
  await expect(page.locator('.message.from-user .mention-chip')).toHaveText('Exported chat 137');
});
