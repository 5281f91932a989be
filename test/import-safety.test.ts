import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What a page or a worker has and the language has not. Importing an entry must not even look for any of it. */
const HOST_GLOBALS = [
  ...[
    'window',
    'self',
    'document',
    'navigator',
    'location',
    'localStorage',
    'onmessage',
    'postMessage',
    'importScripts',
  ],
  ...[
    'Worker',
    'SharedWorker',
    'MessageChannel',
    'MessagePort',
    'BroadcastChannel',
    'indexedDB',
    'IDBKeyRange',
    'caches',
  ],
  ...['process', 'Buffer', 'global', 'require', 'setTimeout', 'setInterval', 'queueMicrotask', 'fetch', 'performance'],
  ...['crypto', 'Blob', 'File', 'ReadableStream', 'TextEncoder', 'TextDecoder', 'AbortController', 'structuredClone'],
];

/** Runs in a process of its own: reports which of the globals a module reads while it is imported, and which it adds. */
const PROBE = `
  const [url, names] = [process.argv[1], JSON.parse(process.argv[2])];
  const { stdout, exit } = { stdout: process.stdout, exit: process.exit };
  const read = new Set();
  for (const name of names) {
    const value = globalThis[name];
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() {
        if (new Error().stack.includes('/dist/')) read.add(name);
        return value;
      },
      set() { read.add(name); },
    });
  }
  const before = new Set(Reflect.ownKeys(globalThis));
  await import(url);
  const added = Reflect.ownKeys(globalThis).filter((name) => !before.has(name)).map(String);
  stdout.write(JSON.stringify({ read: [...read], added }), () => exit(0));
`;

const { exports } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
  exports: Record<string, { default: string } | string>;
};
// The worker script is run, not imported.
const entries = Object.entries(exports).flatMap(([subpath, target]) =>
  typeof target === 'string' || subpath === './worker' || subpath === './reader'
    ? []
    : [[subpath, target.default] as const],
);

it.each(entries)('importing %s touches nothing of its host', (_subpath, file) => {
  const url = new URL(`../${file}`, import.meta.url).href;
  const args = ['--input-type=module', '--eval', PROBE, '--', url, JSON.stringify(HOST_GLOBALS)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ read: [], added: [] });
});
