import { expect, type Page, test } from '@playwright/test';
import type { Report } from '../test/cases/case-report.ts';
import { STORE_CASES } from '../test/stores/store-suite.ts';
import type { StorePage } from './store/page.ts';
import { type StoreServer, serveStorePage } from './store/serve-store-page.ts';

declare const storePage: StorePage;

const RUNS = 100;
/** What every failure must end within, in ms. */
const BOUND = 5_000;
const STORE_FAILED = 'SESSION_REFERENCE_STORE_FAILED';

let server: StoreServer;

test.beforeAll(async ({ browserName: _ }, testInfo) => {
  server = await serveStorePage(testInfo.outputPath('store'));
});

test.afterAll(() => server.close());

test.beforeEach(async ({ page }) => {
  await page.goto(server.url);
});

/** A page of the same origin, in the same profile. */
async function openAnother(page: Page): Promise<Page> {
  const another = await page.context().newPage();
  await another.goto(server.url);
  return another;
}

function expectAllHeld(report: Report): void {
  expect(report.failures).toEqual([]);
  expect(report.executed).toBe(STORE_CASES);
}

test('the store keeps its promises in a page', async ({ page }) => {
  expectAllHeld(await page.evaluate((runs) => storePage.runSuite(runs), RUNS));
});

test('the store keeps its promises in a worker', async ({ page }) => {
  expectAllHeld(await page.evaluate((runs) => storePage.runSuiteInWorker(runs), RUNS));
});

test('a full disk is told, with what is needed, and changes nothing', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  // Must come first: Chromium asks for the quota only now and then.
  await session.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 3_000_000 });
  await page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'full' });
    await store.put(storePage.logOf('kept', [storePage.userEvent(0, 'before')]));
  });
  const results = await page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'full' });
    // Must not be compressible: Chromium compresses what it stores.
    const random = (): string =>
      Array.from(crypto.getRandomValues(new Uint16Array(30_000)), (unit) => String.fromCharCode(unit)).join('');
    const events = Array.from({ length: 200 }, (_, seq) => storePage.userEvent(seq, random()));
    const put = await storePage.ending(() => store.put(storePage.logOf('large', events)));
    const added = events.map((event) => ({ ...event, seq: event.seq + 1 }));
    const append = await storePage.ending(() => store.append('kept', added));
    const ids = (await store.listSessions()).map(({ header }) => header.id);
    const { events: log } = await store.readLog('kept');
    return { put, append, ids, kept: log.length };
  });
  for (const ending of [results.put, results.append]) {
    expect(ending.code).toBe(STORE_FAILED);
    expect(ending.message).toMatch(/about \d{8} bytes are needed, .+ free/);
    expect(ending.milliseconds).toBeLessThan(BOUND);
  }
  expect(results.ids).toEqual(['kept']);
  expect(results.kept).toBe(1);
  // Room again: the same store goes on.
  await session.send('Storage.overrideQuotaForOrigin', { origin: server.url });
  const after = await page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'full' });
    return storePage.ending(() => store.append('kept', [storePage.userEvent(1, 'after')]));
  });
  expect(after.code).toBeUndefined();
});

test('B97: an upgrade that an old tab blocks ends in a code, and works once the tab is gone', async ({ page }) => {
  const old = await openAnother(page);
  await old.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'upgraded' });
    await store.put(storePage.logOf('kept'));
    store.close();
    // A version that does not give way.
    await new Promise((resolve, reject) => {
      const request = indexedDB.open('upgraded');
      request.onsuccess = resolve;
      request.onerror = reject;
    });
  });
  const results = await page.evaluate(async () => {
    const migrations = [...storePage.SCHEMA.migrations, () => undefined];
    const options = { name: 'upgraded', schema: { migrations }, openTimeout: 2_000, durability: 'relaxed' } as const;
    const connection = new storePage.Connection(options);
    const count = (): Promise<unknown> => connection.read((transaction) => transaction.objectStore('sessions').count());
    // Callers that race all hear of it, also one that asks a new connection.
    const other = new storePage.Connection(options);
    const countOther = (): Promise<unknown> => other.read((transaction) => transaction.objectStore('sessions').count());
    Object.assign(globalThis, { countAgain: count });
    return Promise.all([count, count, count, countOther].map((call) => storePage.ending(call)));
  });
  for (const ending of results) {
    expect(ending.code).toBe(STORE_FAILED);
    expect(ending.message).toMatch(/another tab/);
    expect(ending.milliseconds).toBeLessThan(BOUND);
  }
  await old.close();
  const again = await page.evaluate(() =>
    (globalThis as unknown as { countAgain: () => Promise<unknown> }).countAgain(),
  );
  expect(again).toBe(1);
});

test('a store gives way to a newer version at once, and then says that it is old', async ({ page }) => {
  const newer = await openAnother(page);
  await page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'newer' });
    await store.put(storePage.logOf('kept'));
    Object.assign(globalThis, { store });
  });
  const wasBlocked = await newer.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('newer', 99);
        let isBlocked = false;
        request.onblocked = () => {
          isBlocked = true;
        };
        request.onsuccess = () => {
          request.result.close();
          resolve(isBlocked);
        };
        request.onerror = reject;
      }),
  );
  expect(wasBlocked).toBe(false);
  const ending = await page.evaluate(() => {
    const { store } = globalThis as unknown as { store: InstanceType<StorePage['IndexedDbSessionStore']> };
    return storePage.ending(() => store.listSessions());
  });
  expect(ending.code).toBe(STORE_FAILED);
  expect(ending.message).toMatch(/newer version/);
  expect(ending.milliseconds).toBeLessThan(BOUND);
});

test('a database that is being deleted while another tab holds it ends in a code', async ({ page }) => {
  const old = await openAnother(page);
  const ending = await page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'deleted', openTimeout: 1_000 });
    await store.put(storePage.logOf('kept'));
    Object.assign(globalThis, { store });
  });
  expect(ending).toBeUndefined();
  await old.evaluate(async () => {
    await new Promise((resolve) => {
      indexedDB.open('deleted').onsuccess = resolve;
    });
    // Must be waited for: only then has every connection been told.
    await new Promise((resolve) => {
      indexedDB.deleteDatabase('deleted').onblocked = resolve;
    });
  });
  const blocked = await page.evaluate(() => {
    const { store } = globalThis as unknown as { store: InstanceType<StorePage['IndexedDbSessionStore']> };
    return storePage.ending(() => store.listSessions());
  });
  expect(blocked.code).toBe(STORE_FAILED);
  expect(blocked.milliseconds).toBeLessThan(BOUND);
  await old.close();
  const records = await page.evaluate(() => {
    const { store } = globalThis as unknown as { store: InstanceType<StorePage['IndexedDbSessionStore']> };
    return store.listSessions();
  });
  expect(records).toEqual([]);
});

test('B100: a connection that the browser closes is opened again, and the call repeated', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'closed' });
    await store.put(storePage.logOf('s'));
    Object.assign(globalThis, { store });
  });
  // Clearing the storage closes every connection without asking.
  await session.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'indexeddb' });
  const results = await page.evaluate(async () => {
    const { store } = globalThis as unknown as { store: InstanceType<StorePage['IndexedDbSessionStore']> };
    // Must be closed by now: a write in the middle of which that happens may have taken effect, and says so instead.
    await new Promise((resolve) => void setTimeout(resolve, 500));
    const put = await storePage.ending(() => store.put(storePage.logOf('again', [storePage.userEvent(0, 'x')])));
    const list = await store.listSessions();
    return { put, ids: list.map(({ header }) => header.id) };
  });
  expect(results.put.code).toBeUndefined();
  expect(results.put.milliseconds).toBeLessThan(BOUND);
  expect(results.ids).toEqual(['again']);
});

test('calls in the middle of which the browser closes the connection succeed or end in a code', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  const running = page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'closing' });
    const codes = new Set<string | undefined>();
    let slowest = 0;
    for (let round = 0; round < 60; round += 1) {
      const { code, milliseconds } = await storePage.ending(() =>
        store.put(storePage.logOf(`s${round % 5}`, [storePage.userEvent(0, 'x'.repeat(100_000))])),
      );
      codes.add(code);
      slowest = Math.max(slowest, milliseconds);
    }
    return { codes: [...codes], slowest };
  });
  for (let round = 0; round < 5; round += 1) {
    await session.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'indexeddb' });
  }
  const { codes, slowest } = await running;
  for (const code of codes) expect([undefined, STORE_FAILED]).toContain(code);
  expect(codes).toContain(undefined);
  expect(slowest).toBeLessThan(BOUND);
});

test('a browser without IndexedDB says so at once', async ({ page }) => {
  const missing = await page.evaluate(() => {
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined });
    return storePage.ending(() => new storePage.IndexedDbSessionStore().listSessions());
  });
  expect(missing.code).toBe(STORE_FAILED);
  expect(missing.message).toMatch(/no IndexedDB/);
  expect(missing.milliseconds).toBeLessThan(BOUND);
});

test('an origin that may store nothing says so at once', async ({ page }) => {
  // A frame of an opaque origin may not use IndexedDB, like a page in some private modes: opening throws.
  const ending = await page.evaluate(async (url) => {
    const script = await (await fetch(`${url}/page.js`)).text();
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    const run = `storePage.ending(() => new storePage.IndexedDbSessionStore().listSessions())`;
    const source = `${script}\n${run}.then((ending) => parent.postMessage(ending, '*'));`;
    frame.srcdoc = `<script type="module">${source.replaceAll('</script', '<\\/script')}</script>`;
    const answer = new Promise<MessageEvent>((resolve) => addEventListener('message', resolve, { once: true }));
    document.body.append(frame);
    return (await answer).data as { code: string; message: string; milliseconds: number };
  }, server.url);
  expect(ending.code).toBe(STORE_FAILED);
  expect(ending.milliseconds).toBeLessThan(BOUND);
});

test('another tab hears of changes, and its list has them', async ({ page }) => {
  const other = await openAnother(page);
  await other.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'tabs' });
    await store.listSessions();
    const heard: unknown[] = [];
    store.subscribe((change) => heard.push(change));
    Object.assign(globalThis, { store, heard });
  });
  await page.evaluate(async () => {
    const store = new storePage.IndexedDbSessionStore({ name: 'tabs' });
    await store.put(storePage.logOf('\ud800'));
    await store.append('\ud800', [{ type: 'session/title', seq: 0, data: { title: 'Seen' } }]);
    await store.put(storePage.logOf('gone'));
    await store.delete('gone');
  });
  await other.waitForFunction(() => (globalThis as unknown as { heard: unknown[] }).heard.length >= 4);
  const { heard, titles } = await other.evaluate(async () => {
    const { store, heard } = globalThis as unknown as {
      store: InstanceType<StorePage['IndexedDbSessionStore']>;
      heard: { kind: string; ids: string[] }[];
    };
    const kinds = heard.map(({ kind, ids }) => [kind, JSON.stringify(ids)]);
    return { heard: kinds, titles: (await store.listSessions()).map(({ title }) => title) };
  });
  expect(heard).toEqual([
    ['changed', '["\\ud800"]'],
    ['changed', '["\\ud800"]'],
    ['changed', '["gone"]'],
    ['deleted', '["gone"]'],
  ]);
  expect(titles).toEqual(['Seen']);
});
