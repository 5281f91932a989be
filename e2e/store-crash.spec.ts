import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, expect, type Page, test } from '@playwright/test';
import { chromiumArguments, requireChromium } from '../test/browser/find-chromium.mjs';
import type { StorePage } from './store/page.ts';
import { type StoreServer, serveStorePage } from './store/serve-store-page.ts';

declare const storePage: StorePage;

const ROUNDS = 20;
const BATCHES = 200;
const START_MILLISECONDS = 30_000;

let server: StoreServer;
let profile: string;

test.beforeAll(async ({ browserName: _ }, testInfo) => {
  server = await serveStorePage(testInfo.outputPath('store'));
  profile = await mkdtemp(join(tmpdir(), 'session-reference-crash-'));
});

test.afterAll(async () => {
  await server.close();
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
});

/** A browser in a process that this test may kill: Playwright's own are ended gently. */
class KillableBrowser {
  readonly page: Page;
  readonly #process: ChildProcess;

  private constructor(page: Page, process: ChildProcess) {
    this.page = page;
    this.#process = process;
  }

  static async start(): Promise<KillableBrowser> {
    const args = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...chromiumArguments()];
    const child = spawn(requireChromium(), [...args, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = await readAddress(child);
    const browser = await chromium.connectOverCDP(address);
    const context = browser.contexts()[0] ?? (await browser.newContext());
    const page = await context.newPage();
    await page.goto(server.url);
    return new KillableBrowser(page, child);
  }

  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
  }
}

function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`The browser did not start: ${text}`)), START_MILLISECONDS);
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.once('exit', () => reject(new Error(`The browser ended: ${text}`)));
  });
}

test('what was acknowledged survives the death of the browser, and nothing is half there', async () => {
  test.setTimeout(280_000);
  const acknowledged: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { page, kill } = bind(await KillableBrowser.start());
    if (round > 0) {
      const id = `round ${round - 1}`;
      const found = await page.evaluate((session) => storePage.countBatches('crash', session), id);
      const last = acknowledged[round - 1] ?? 0;
      expect(found, `batches after round ${round - 1}`).toBeGreaterThanOrEqual(last);
      expect(found).toBeLessThanOrEqual(BATCHES);
    }
    if (round === ROUNDS) {
      for (let index = 0; index < ROUNDS; index += 1) {
        const found = await page.evaluate((session) => storePage.countBatches('crash', session), `round ${index}`);
        expect(found).toBeGreaterThanOrEqual(acknowledged[index] ?? 0);
      }
      await kill();
      return;
    }
    acknowledged.push(await appendAndKill(page, kill, round));
  }
});

/** @returns how many batches were acknowledged before the browser died. */
async function appendAndKill(page: Page, kill: () => Promise<void>, round: number): Promise<number> {
  // At the first acknowledgements, at the last ones, and everywhere in between.
  const deadline = 1 + Math.floor(((BATCHES - 5) * round) / (ROUNDS - 1));
  let acknowledged = 0;
  const reached = new Promise<void>((resolve, reject) => {
    page
      .exposeFunction('acknowledge', (batch: number) => {
        acknowledged = batch + 1;
        if (acknowledged >= deadline) resolve();
      })
      .then(() =>
        page.evaluate(
          ([id, batches]) => {
            const { acknowledge } = globalThis as unknown as { acknowledge: (batch: number) => unknown };
            return storePage.appendUntilKilled('crash', id, batches, acknowledge);
          },
          [`round ${round}`, BATCHES] as const,
        ),
      )
      // The browser should die in the middle of this call: an error before that is the store's.
      .then(() => reject(new Error('The browser outlived the appends.')), reject);
  });
  await reached;
  await kill();
  return acknowledged;
}

function bind(browser: KillableBrowser): { readonly page: Page; readonly kill: () => Promise<void> } {
  return { page: browser.page, kill: () => browser.kill() };
}
