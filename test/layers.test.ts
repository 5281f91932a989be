import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findImportSpecifiers } from './import-specifiers.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The layers of DESIGN §1, the lowest first. A file belongs to the last one whose folder it is in, and may import from
 * its own layer and those before it; `packages` are those it may import besides.
 */
const LAYERS = [
  { name: 'core', folders: ['src'], packages: [] },
  { name: 'formats', folders: ['src/formats'], packages: ['fflate'] },
  { name: 'stores', folders: ['src/stores'], packages: ['idb'] },
  { name: 'worker', folders: ['worker'], packages: ['comlink'] },
  { name: 'demo', folders: ['browser-demo'], packages: [] },
] as const;

/** The map of the package: re-exports only, and of one store beside the core, the one that needs nothing of a host. */
const MAP = { file: 'src/index.ts', reexports: './stores/memory.ts' };

/** Neither depends on the other: who stores sessions needs no reader of files. */
const UNRELATED = [
  ['formats', 'stores'],
  ['stores', 'formats'],
];

type Layer = (typeof LAYERS)[number];

function layerOf(file: string): Layer | undefined {
  return LAYERS.findLast(({ folders }) => folders.some((folder) => file.startsWith(`${folder}/`)));
}

function isAllowed(layer: Layer, file: string, specifier: string): boolean {
  if (file === MAP.file && specifier === MAP.reexports) return true;
  if (!specifier.startsWith('.')) return (layer.packages as readonly string[]).includes(specifier);
  const target = layerOf(
    relative(ROOT, join(ROOT, dirname(file), specifier))
      .split(sep)
      .join('/'),
  );
  if (target === undefined || LAYERS.indexOf(target) > LAYERS.indexOf(layer)) return false;
  return !UNRELATED.some(([from, to]) => from === layer.name && to === target.name);
}

async function listSources(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  return names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name.split(sep).join('/')}`);
}

const sources = (await Promise.all(['src', 'worker', 'browser-demo'].map(listSources))).flat();

describe('the layers', () => {
  it('hold the sources of every layer', () => {
    const names = new Set(sources.map((file) => layerOf(file)?.name));
    expect([...names].toSorted()).toEqual(['core', 'demo', 'formats', 'stores', 'worker']);
  });

  it.each(sources)('%s imports only towards the core', async (file) => {
    const layer = layerOf(file);
    const specifiers = findImportSpecifiers(await readFile(join(ROOT, file), 'utf8'));
    expect(layer).toBeDefined();
    expect(specifiers.filter((specifier) => layer === undefined || !isAllowed(layer, file, specifier))).toEqual([]);
  });
});

describe('the scanner of imports', () => {
  it.each([
    ["import { one } from './one.ts';", ['./one.ts']],
    ["import type { One } from '../one.ts';", ['../one.ts']],
    ['export * from \'two\';\nexport { three } from "three";', ['two', 'three']],
    ["import 'effect';", ['effect']],
    ["const late = await import('./late.ts');", ['./late.ts']],
    ["import {\n  one,\n  two,\n} from './many.ts';", ['./many.ts']],
    ["type Lazy = typeof import('./lazy.ts');", ['./lazy.ts']],
    ["// import './comment.ts'\n/* import './block.ts' */ const text = \"import './string.ts'\";", []],
    ['const template = `import "./template.ts"`;', []],
    ["const url = 'http://x'; import './after.ts';", ['./after.ts']],
  ])('reads %j', (source, specifiers) => {
    expect(findImportSpecifiers(source)).toEqual(specifiers);
  });
});
