import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'esbuild';
import type { SessionReferencesClient } from '../../worker/client-types.ts';

/**
 * The recipe for Electron, as it stands in its file, without Electron: its main script maps addresses to files, its policy
 * is on the page, its preload script hands over the port, its renderer reads what comes. Only the origin is another one,
 * since Chromium alone cannot register a scheme.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ORIGIN = 'https://app.example';
const TYPES = new Map([
  ['.html', 'text/html'],
  ['.js', 'text/javascript'],
]);

interface Scheme {
  readonly scheme: string;
  readonly privileges: Readonly<Record<string, boolean>>;
}
type Handler = (request: { readonly url: string }) => Promise<{ readonly url: string }>;

declare const sessions: SessionReferencesClient;
declare const deliver: (event: { readonly ports: readonly MessagePort[] }, name: string) => void;

let folder: string;
let preload: string;
let schemes: readonly Scheme[];
let handle: Handler;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'electron-recipe-'));
  const recipe = await readFile(join(ROOT, 'browser-demo/recipes/electron.md'), 'utf8');
  const [main = '', policy = '', preloadScript = '', renderer = ''] = [...recipe.matchAll(/```\w+\n(.*?)```/gs)].map(
    ([, code]) => code ?? '',
  );
  ({ schemes, handle } = runMain(main));
  preload = preloadScript;
  const dist = join(folder, 'dist');
  await build({
    stdin: { contents: `${renderer}\nObject.assign(globalThis, { sessions });`, loader: 'ts', resolveDir: ROOT },
    alias: { 'session-reference/client': join(ROOT, 'dist/client.js') },
    bundle: true,
    format: 'esm',
    outfile: join(dist, 'page.js'),
    logLevel: 'error',
  });
  for (const name of ['worker.js', 'reader.js']) {
    await writeFile(join(dist, name), await readFile(join(ROOT, 'dist', name)));
  }
  await writeFile(
    join(dist, 'index.html'),
    `<!doctype html><head>${policy}</head><script type="module" src="/page.js"></script>`,
  );
});

test.afterAll(() => rm(folder, { recursive: true }));

/** The main script, with what it needs of Electron: what it registers, and how it finds a file. */
function runMain(script: string): { schemes: readonly Scheme[]; handle: Handler } {
  let registered: readonly Scheme[] = [];
  let handler: Handler | undefined;
  const electron = {
    app: {
      whenReady: () => ({
        // biome-ignore lint/suspicious/noThenProperty: what Electron returns is a promise; here it is there at once.
        then: (run: () => void) => run(),
      }),
    },
    net: { fetch: async (url: string) => ({ url }) },
    protocol: {
      registerSchemesAsPrivileged: (given: readonly Scheme[]) => {
        registered = given;
      },
      handle: (_: string, given: Handler) => {
        handler = given;
      },
    },
  };
  const load = (name: string): unknown => (name === 'electron' ? electron : process.getBuiltinModule(name));
  new Function('require', '__dirname', script)(load, folder);
  if (handler === undefined) throw new Error('The recipe handles no scheme.');
  return { schemes: registered, handle: handler };
}

test.beforeEach(async ({ page }) => {
  await page.context().route(`${ORIGIN}/**`, async (route) => {
    const { url } = await handle({ url: route.request().url() });
    const body = await readFile(fileURLToPath(url));
    await route.fulfill({ body, contentType: TYPES.get(extname(url)) ?? 'application/octet-stream' });
  });
  await page.addInitScript({
    content: `{
      const require = () => ({
        ipcRenderer: { on: (_, listener) => Object.assign(globalThis, { deliver: listener }) },
      });
      ${preload}
    }`,
  });
});

test('the recipe registers a scheme that workers and storage accept', () => {
  expect(schemes).toHaveLength(1);
  expect(schemes[0]?.privileges).toMatchObject({ standard: true, secure: true, supportFetchAPI: true });
});

test('B94: a file from the main process is read, kept and referenced under its policy', async ({ page }) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  await page.goto(`${ORIGIN}/index.html`);
  await page.waitForFunction(() => 'sessions' in globalThis);
  await page.evaluate(async () => {
    const lines = [
      { type: 'session', version: 0, id: 'from-main', createdAt: 1 },
      { type: 'user/message', data: { content: [{ type: 'text', text: 'read me' }], source: { kind: 'user' } } },
    ];
    const bytes = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'));
    const { port1, port2 } = new MessageChannel();
    const arrived = new Promise<void>((resolve) => {
      sessions.subscribe(() => resolve());
    });
    deliver({ ports: [port2] }, 'history.jsonl');
    port1.postMessage(bytes.buffer);
    await arrived;
  });
  // What was kept is there again after a new start of the window.
  await page.reload();
  await page.waitForFunction(() => 'sessions' in globalThis);
  const found = await page.evaluate(async () => {
    const { additionalContext } = await sessions.prepare({ id: 'now' }, [], [{ sessionId: 'from-main' }]);
    return { ...(await sessions.ready), text: JSON.stringify(additionalContext) };
  });
  expect(found.mode).toBe('worker');
  expect(found.text).toContain('read me');
  expect(refused).toEqual([]);
});
