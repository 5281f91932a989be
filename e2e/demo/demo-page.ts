import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { serveFolders } from '../../browser-demo/serve.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCREENSHOTS = `${ROOT}e2e/screenshots/`;

/** A file to drop on the page. */
export interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Serve the built demo on a free port. */
export function serveDemo(): ReturnType<typeof serveFolders> {
  if (!existsSync(`${ROOT}dist-demo/main.js`))
    throw new Error('There is no built demo: run `npm run build:demo` first.');
  return serveFolders({ '/': `${ROOT}dist-demo` });
}

/** The demo page as a person uses it. */
export class DemoPage {
  readonly page: Page;
  readonly #address: string;
  readonly message: Locator;
  readonly options: Locator;
  readonly conversations: Locator;
  readonly inspector: Locator;
  readonly errors: Locator;
  readonly news: Locator;
  readonly #faults: string[] = [];

  /** @param address - where the demo is served. */
  constructor(page: Page, address: string) {
    this.page = page;
    this.#address = address;
    this.message = page.getByRole('combobox', { name: 'Message' });
    this.options = page.locator('#candidates').getByRole('option');
    this.conversations = page.locator('.conversation-open');
    this.inspector = page.locator('#inspector');
    this.errors = page.locator('#errors .notice');
    this.news = page.locator('#news .notice');
    page.on('pageerror', (error) => this.#faults.push(String(error.stack)));
    page.on('console', (entry) => {
      if (entry.type() === 'error' && !/Failed to load resource/.test(entry.text())) this.#faults.push(entry.text());
    });
  }

  /** Open the page and wait until its own conversations are there. */
  async open(): Promise<void> {
    await this.page.goto(this.#address);
    await expect(this.conversations).toHaveCount(4);
  }

  /** Nothing may have gone wrong unseen: no exception, no violated policy. */
  expectNoFaults(): void {
    expect(this.#faults).toEqual([]);
  }

  /** Drop files, as a drag from the desktop does. */
  async drop(...files: readonly DroppedFile[]): Promise<void> {
    const data = await this.page.evaluateHandle(
      (list) => {
        const transfer = new DataTransfer();
        for (const { name, base64 } of list) {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          transfer.items.add(new File([bytes], name));
        }
        return transfer;
      },
      files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })),
    );
    await this.page.dispatchEvent('body', 'dragover', { dataTransfer: data });
    await this.page.dispatchEvent('body', 'drop', { dataTransfer: data });
  }

  /** Type an `@` and a part of a title, and pick the first candidate with the keyboard. */
  async mention(query: string): Promise<void> {
    await this.page.keyboard.type(`@${query}`);
    await expect(this.options.first()).toBeVisible();
    await this.page.keyboard.press('Enter');
    await expect(this.options).toHaveCount(0);
  }

  /** Save a picture of the page, to be looked at. */
  async photograph(name: string): Promise<void> {
    await this.page.screenshot({ path: `${SCREENSHOTS}${name}.png`, animations: 'disabled' });
  }
}

/** A real session file when `SAMPLES_DIR` is set, else one written for this test. Both hold one question and one answer. */
export async function readSampleFile(): Promise<DroppedFile & { readonly title: string; readonly text: string }> {
  const samples = process.env.SAMPLES_DIR;
  const real = `${samples ?? ''}/deepseek-harness/real-run-with-seq.jsonl`;
  const bytes = new Uint8Array(
    await readFile(samples === undefined ? `${ROOT}e2e/demo/fixtures/small-run.jsonl` : real),
  );
  const events = new TextDecoder()
    .decode(bytes)
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  return { name: 'run.jsonl', bytes, title: findTitle(events), text: findAnswer(events) };
}

function findTitle(events: readonly unknown[]): string {
  const titles = events.flatMap((event) => {
    const { type, data } = event as { type?: string; data?: { title?: string } };
    return type === 'session/title' && data?.title !== undefined ? [data.title] : [];
  });
  return titles.at(-1) ?? '';
}

function findAnswer(events: readonly unknown[]): string {
  for (const event of events) {
    const { type, data } = event as {
      type?: string;
      data?: { message?: { content?: { type: string; text?: string }[] } };
    };
    const text = data?.message?.content?.find((block) => block.type === 'text')?.text;
    if (type === 'assistant/message' && text !== undefined) return text;
  }
  return '';
}

/** A file of this many lines of JSON. */
export function toFile(name: string, rows: readonly unknown[]): DroppedFile {
  return toTextFile(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** A file with this text. */
export function toTextFile(name: string, text: string): DroppedFile {
  return { name, bytes: new TextEncoder().encode(text) };
}
