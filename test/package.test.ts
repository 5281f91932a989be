import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly license?: string;
}

async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(ROOT, path), 'utf8')) as Manifest;
}

const manifest = await readManifest('package.json');
const entries = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === 'string' ? [] : [{ subpath, ...target }],
);

/** Scripts that run when they are imported, and export nothing. */
const SCRIPTS = ['./worker', './reader'];

/** The names in the export clauses of a declaration file, types included. */
function findDeclaredNames(declarations: string): string[] {
  const clauses = Array.from(declarations.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g), ([, names = '']) =>
    names.split(','),
  );
  const listed = clauses.flat().map((name) =>
    name
      .trim()
      .replace(/^type\s+/, '')
      .replace(/^.*\bas\s+/, ''),
  );
  const own = Array.from(
    declarations.matchAll(/export declare (?:abstract )?(?:class|function|const|let) (\w+)/g),
    ([, name = '']) => name,
  );
  const types = Array.from(
    declarations.matchAll(/export (?:declare )?(?:interface|type) (\w+)/g),
    ([, name = '']) => name,
  );
  return [...new Set([...listed, ...own, ...types])].filter((name) => name !== '').toSorted();
}

describe('what the package exports', () => {
  it.each(entries)('by $subpath changes only on purpose', async ({ subpath, types, default: file }) => {
    const declared = findDeclaredNames(await readFile(join(ROOT, types), 'utf8'));
    const module = SCRIPTS.includes(subpath) ? {} : ((await import(join(ROOT, file))) as object);
    const values = Object.keys(module).toSorted();
    expect(values.filter((name) => !declared.includes(name))).toEqual([]);
    const lines = declared.map((name) => `${values.includes(name) ? 'value' : 'type '} ${name}`);
    const snapshot = `./api/${subpath === '.' ? 'index' : subpath.slice(2)}.txt`;
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(snapshot);
  });
});

/** Every declaration file that an entry point leads to, with its own text alone. */
async function readDeclarations(files: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const open = [...files];
  for (const file of open) {
    if (found.has(file)) continue;
    const text = await readFile(join(ROOT, file), 'utf8');
    found.set(file, text.replace(/\/\*[\s\S]*?\*\/|^\/\/# .*$/gm, '').replace(/\n\s*\n/g, '\n'));
    for (const [, specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]*)\.js['"]/g)) {
      open.push(join(dirname(file), `${specifier}.d.ts`).replaceAll('\\', '/'));
    }
  }
  return found;
}

it('declares what it exports, and what that leads to, as before', async () => {
  const declarations = await readDeclarations(entries.map(({ types }) => types.replace('./', '')));
  const parts = [...declarations]
    .toSorted()
    .map(([file, text]) => `=== ${file.replace('dist/types/', '')}\n${text.trim()}\n`);
  await expect(parts.join('\n')).toMatchFileSnapshot('./api/declarations.txt');
});

/** Licences that may be shipped with an MIT package without further duties. */
const ALLOWED = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];

it.each(Object.keys(manifest.dependencies))('depends on %s under a licence that allows it', async (name) => {
  const { license, dependencies = {} } = await readManifest(`node_modules/${name}/package.json`);
  expect(ALLOWED).toContain(license);
  // Must stay without a tail of its own: what is small and standard brings nothing along.
  expect(Object.keys(dependencies)).toEqual([]);
});

it('locks no address of a machine', async () => {
  const lock = await readFile(join(ROOT, 'package-lock.json'), 'utf8');
  expect(lock).not.toContain('"resolved"');
});
