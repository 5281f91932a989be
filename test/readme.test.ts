import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { SESSION_REFERENCE_ERROR_CODES } from '../src/index.ts';
import { listEntries, measureEntry } from './size.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(join(ROOT, 'README.md'), 'utf8');

/** The rows of the table whose head begins with these words, cells without code marks. */
function readTable(firstHead: string): string[][] {
  const lines = readme.split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${firstHead}`));
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
  return lines.slice(head + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const entries = await listEntries();

describe('the sizes in the README', () => {
  const sizes = new Map(readTable('import').map(([name = '', kilobytes = '']) => [name, Number(kilobytes)]));

  it('are given for every entry point', () => {
    const names = entries.map(([subpath]) => subpath.replace('.', 'session-reference'));
    expect([...sizes.keys()].toSorted()).toEqual(names.toSorted());
  });

  it.each(entries)('of %s are what it costs', async (subpath, file) => {
    const stated = sizes.get(subpath.replace('.', 'session-reference')) ?? 0;
    const { brotli } = await measureEntry(file);
    expect(brotli / 1000).toBeLessThanOrEqual(stated);
    expect(brotli / 1000).toBeGreaterThan(stated * 0.7);
  });
});

it('names every error code', () => {
  const named = readTable('code, after').map(([code]) => `SESSION_REFERENCE_${code}`);
  expect(named.toSorted()).toEqual([...SESSION_REFERENCE_ERROR_CODES].toSorted());
});

/** What the recipes use of frameworks that are not installed here, as far as they use it. */
const FRAMEWORKS = `
declare module '@ai-sdk/react' {
  type Message = { readonly id: string; readonly metadata?: unknown };
  export function useChat(options: { id: string }): {
    readonly messages: readonly Message[];
    setMessages(update: (before: readonly Message[]) => readonly object[]): void;
    regenerate(): Promise<void>;
  };
}
declare module '@assistant-ui/react' {
  type Part = { readonly type: 'text'; readonly text: string } | { readonly type: 'image'; readonly image: string };
  type Message = { readonly id: string; readonly role: 'user' | 'assistant' | 'system'; readonly content: readonly Part[] };
  export interface ChatModelAdapter {
    run(options: { readonly messages: readonly Message[]; readonly abortSignal: AbortSignal }): Promise<object>;
  }
}
`;

const RECIPES = join(ROOT, 'browser-demo', 'recipes');
const pages = await Promise.all(
  (await readdir(RECIPES)).filter((name) => name.endsWith('.md')).map((name) => readFile(join(RECIPES, name), 'utf8')),
);

it('and its recipes have examples that compile against the built package', () => {
  const examples = [readme, ...pages].flatMap((page) =>
    Array.from(page.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code),
  );
  expect(examples.length).toBeGreaterThan(5);
  const folder = mkdtempSync(join(ROOT, 'test', 'readme-'));
  try {
    const globals =
      "declare const file: File;\ndeclare const mySessionQuery: import('session-reference').SessionQuery;\n";
    writeFileSync(join(folder, 'globals.d.ts'), globals);
    writeFileSync(join(folder, 'frameworks.d.ts'), FRAMEWORKS);
    for (const [index, code] of examples.entries())
      writeFileSync(join(folder, `example-${index}.ts`), `${code}\nexport {};\n`);
    const config = {
      compilerOptions: {
        target: 'ES2022',
        module: 'ESNext',
        moduleResolution: 'Bundler',
        lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
        types: [],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        paths: Object.fromEntries(SUBPATHS.map(([name, types]) => [name, [join(ROOT, types)]])),
      },
      include: ['./*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
    const { stdout } = spawnSync(tsc, ['-p', folder], { cwd: ROOT, encoding: 'utf8' });
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
};

const SUBPATHS = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === 'string' ? [] : [[subpath.replace('.', 'session-reference'), target.types] as const],
);

/** Run an example on the built package, with what it takes for granted, and give what it made. */
async function runExample(code: string, given: object, names: readonly string[]): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(ROOT, 'test', 'readme-'));
  try {
    const { code: script } = await transform(`${code}\nexport { ${names.join(', ')} };`, { loader: 'ts' });
    const runnable = script.replace(/from "(session-reference[^"]*)"/g, (_, name: string) => {
      const target = manifest.exports[name.replace('session-reference', '.')] as { readonly default: string };
      return `from ${JSON.stringify(pathToFileURL(join(ROOT, target.default)).href)}`;
    });
    const file = join(folder, 'example.mjs');
    writeFileSync(file, runnable);
    Object.assign(globalThis, given);
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } finally {
    for (const name of Object.keys(given)) Reflect.deleteProperty(globalThis, name);
    rmSync(folder, { recursive: true, force: true });
  }
}

it('has first examples that do what they say', async () => {
  const [first = '', second = ''] = Array.from(readme.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code);
  // Must do without a worker and a database, which this runtime has not.
  const code = first.replace(
    'connectSessionReferences()',
    "connectSessionReferences({ fallback: 'page', store: 'memory' })",
  );
  expect(code).not.toBe(first);
  const lines = [
    { type: 'session', version: 0, id: 'a', createdAt: 1 },
    { type: 'session/title', data: { title: 'Fix login' } },
    {
      type: 'user/message',
      data: { content: [{ type: 'text', text: 'in the session cookie' }], source: { kind: 'user' } },
    },
  ];
  const file = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]);
  const { text, messages, sessions } = await runExample(code, { file }, ['text', 'messages', 'sessions']);
  (sessions as { close(): void }).close();
  expect(code).toContain(`// "${String(text)}"`);
  const message = (content: unknown): object => ({ role: 'user', content });
  expect(messages).toEqual([message(expect.stringContaining('in the session cookie')), message(text)]);

  const { service } = await runExample(second, {}, ['service']);
  expect(await (service as { listCandidates(agent: object): Promise<unknown> }).listCandidates({ id: 'x' })).toEqual(
    [],
  );
});
