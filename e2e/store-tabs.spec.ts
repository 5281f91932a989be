import { expect, type Page, test } from '@playwright/test';
import type { StorePage } from './store/page.ts';
import { type StoreServer, serveStorePage } from './store/serve-store-page.ts';

declare const storePage: StorePage;

/** Per tab. 10,000 take minutes: `STORE_TAB_EVENTS=10000` runs them. */
const EVENTS = Number(process.env.STORE_TAB_EVENTS ?? 300);

let server: StoreServer;

test.beforeAll(async ({ browserName: _ }, testInfo) => {
  server = await serveStorePage(testInfo.outputPath('store'));
});

test.afterAll(() => server.close());

async function openTwo(page: Page): Promise<readonly [Page, Page]> {
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(server.url);
  return [page, other];
}

test('two tabs append to two sessions at once, and nothing is lost', async ({ page }) => {
  test.setTimeout(240_000);
  const tabs = await openTwo(page);
  await page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'two' });
    for (const id of ['0', '1']) await store.put(storePage.logOf(id));
  });
  await Promise.all(
    tabs.map((tab, index) =>
      tab.evaluate(([id, count]) => storePage.appendAlone('two', id, count), [`${index}`, EVENTS] as const),
    ),
  );
  for (const id of ['0', '1']) {
    const texts = await page.evaluate((session) => storePage.readTexts('two', session), id);
    expect(texts).toEqual(Array.from({ length: EVENTS }, (_, seq) => `${id} ${seq}`));
  }
});

test('two tabs append to one session at once: conflicts are refused with a code, nothing is lost', async ({ page }) => {
  test.setTimeout(240_000);
  const tabs = await openTwo(page);
  await page.evaluate(async () => {
    await new storePage.IndexedDbSessionStore({ name: 'one' }).put(storePage.logOf('s'));
  });
  const results = await Promise.all(
    tabs.map((tab, index) =>
      tab.evaluate(([writer, count]) => storePage.appendAmongOthers('one', 's', writer, count), [
        `${index}`,
        EVENTS,
      ] as const),
    ),
  );
  expect(results.map(({ appended }) => appended)).toEqual([EVENTS, EVENTS]);
  expect(results.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(0);
  const texts = await page.evaluate(() => storePage.readTexts('one', 's'));
  expect(texts).toHaveLength(2 * EVENTS);
  for (const writer of ['0', '1']) {
    const own = texts.filter((text) => text.startsWith(`${writer} `));
    expect(own).toEqual(Array.from({ length: EVENTS }, (_, index) => `${writer} ${index}`));
  }
});
