/** Prints what each entry point costs a page: with all it loads from this package, minified and compressed. */
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * The bytes of one built entry point, dependencies included.
 *
 * @param {string} file - relative to the root, for instance `dist/index.js`.
 * @returns {Promise<{ minified: number, gzip: number, brotli: number }>}
 */
export async function measureEntry(file) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [file],
    outdir: 'measured',
    bundle: true,
    splitting: true,
    metafile: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
    write: false,
  });
  // What is loaded with the entry; what it may load later is paid by those who need it.
  const names = new Set(
    Object.keys(metafile.outputs).filter((name) => metafile.outputs[name].entryPoint === file.replace(/^\.\//, '')),
  );
  for (const name of names) {
    for (const { path, kind } of metafile.outputs[name].imports) if (kind === 'import-statement') names.add(path);
  }
  const loaded = outputFiles.filter(({ path }) => names.has(relative(ROOT, path).replaceAll('\\', '/')));
  const contents = Buffer.concat(loaded.map((output) => output.contents));
  return {
    minified: contents.length,
    gzip: gzipSync(contents, { level: 9 }).length,
    brotli: brotliCompressSync(contents).length,
  };
}

/** @returns {Promise<[subpath: string, file: string][]>} the entry points of package.json. */
export async function listEntries() {
  const { exports } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
  return Object.entries(exports).flatMap(([subpath, target]) =>
    typeof target === 'string' ? [] : [[subpath, target.default]],
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log('entry'.padEnd(16), ...['minified', 'gzip', 'brotli'].map((title) => title.padStart(9)));
  for (const [subpath, file] of await listEntries()) {
    const { minified, gzip, brotli } = await measureEntry(file);
    console.log(subpath.padEnd(16), ...[minified, gzip, brotli].map((bytes) => String(bytes).padStart(9)));
  }
}
