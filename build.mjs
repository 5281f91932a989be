/**
 * Builds the package into `dist/`, with `--demo` the demo page into `dist-demo/`, or with `--scanner <file>` the
 * WebAssembly module alone.
 *
 * The library entries share what they have in common through `dist/chunks/`; the worker script stands alone, because
 * bundlers copy it as one file. Declarations come from `tsc`, one per source file, under `dist/types/`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = dirname(fileURLToPath(import.meta.url));
const DIST = join(ROOT, 'dist');
const DEMO = join(ROOT, 'dist-demo');
const SCANNER = join(ROOT, 'src/formats/scanning');

/** `stub`: nothing is ever allocated, so nothing has to be collected. Without assertions nothing is imported. */
const SCANNER_OPTIONS = ['--runtime', 'stub', '-O3', '--noAssert', '--enable', 'simd', '--use', 'abort='];

/**
 * Every entry point of the package. `planned`: the source file need not exist yet. `alone`: bundles everything it
 * needs, dependencies included, and loads nothing.
 *
 * @type {readonly { subpath: string, name: string, source: string, planned?: true, alone?: true }[]}
 */
const ENTRIES = [
  { subpath: '.', name: 'index', source: 'src/index.ts' },
  { subpath: './formats', name: 'formats', source: 'src/formats/index.ts' },
  { subpath: './messages', name: 'messages', source: 'src/messages.ts' },
  { subpath: './client', name: 'client', source: 'worker/client.ts' },
  { subpath: './worker', name: 'worker', source: 'worker/worker.ts', alone: true },
  { subpath: './reader', name: 'reader', source: 'worker/reader.ts', alone: true },
  { subpath: './expose', name: 'expose', source: 'worker/expose.ts' },
  { subpath: './indexeddb', name: 'indexeddb', source: 'src/stores/indexeddb.ts', planned: true },
  { subpath: './cordis', name: 'cordis', source: 'src/cordis.ts', planned: true },
];

/** What the core entry must never pull in: it stands alone. */
const REFUSED_IN_CORE = ['node_modules/', 'worker/', 'browser-demo/'];

/** Bundlers find the worker file by this expression, and only when it is written like this. */
const WORKER_EXPRESSIONS = ['worker', 'reader'].map(
  (name) => `new Worker(new URL('./${name}.js', import.meta.url), { type: 'module' })`,
);

const SHARED_OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  charset: 'utf8',
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
};

async function buildLibrary() {
  const entries = presentEntries();
  await buildScanner();
  await rm(DIST, { recursive: true, force: true });
  const shared = await build({
    ...SHARED_OPTIONS,
    entryPoints: entries.filter((entry) => !entry.alone).map(({ name, source }) => ({ in: source, out: name })),
    outdir: DIST,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    packages: 'external',
  });
  for (const { name, source } of entries.filter((entry) => entry.alone)) {
    const alone = await build({ ...SHARED_OPTIONS, entryPoints: [source], outfile: join(DIST, `${name}.js`) });
    refuseImports(`dist/${name}.js`, alone.metafile);
  }
  refuseForeignCode('dist/index.js', shared.metafile);
  await requireWorkerExpression(entries);
  await emitDeclarations(entries);
  await compareWithExports(entries);
}

/**
 * The scanner of logs, from its sources in AssemblyScript into a module of text, which needs no file beside the bundle.
 * It is kept with the sources, so that these run without a build.
 */
async function buildScanner() {
  const folder = await mkdtemp(join(tmpdir(), 'session-reference-scanner-'));
  try {
    const file = join(folder, 'scanner.wasm');
    compileScanner(file);
    const text = (await readFile(file)).toString('base64');
    const lines = [
      '/** What the sources in `assembly/` compile to, in base64. Written by the build. */',
      `export const SCANNER_MODULE: string =\n  '${text}';`,
    ];
    await writeFile(join(SCANNER, 'scanner-module.ts'), `${lines.join('\n')}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function compileScanner(file) {
  run('asc', [join(SCANNER, 'assembly', 'index.ts'), ...SCANNER_OPTIONS, '--outFile', file]);
}

function presentEntries() {
  const missing = ENTRIES.filter(({ source }) => !existsSync(join(ROOT, source)));
  const broken = missing.filter(({ planned }) => !planned).map(({ source }) => source);
  if (broken.length > 0) throw new BuildError(`The sources of these entry points do not exist: ${broken.join(', ')}.`);
  return ENTRIES.filter((entry) => !missing.includes(entry));
}

function refuseImports(output, metafile) {
  const found = metafile.outputs[output]?.imports ?? [];
  if (found.length === 0) return;
  throw new BuildError(`${output} must be self-contained, but it loads ${found.map(({ path }) => path).join(', ')}.`);
}

function refuseForeignCode(output, metafile) {
  const { inputs, externals } = closureOf(output, metafile);
  const foreign = inputs.filter((input) => REFUSED_IN_CORE.some((folder) => input.startsWith(folder)));
  const refused = [...foreign, ...externals];
  if (refused.length > 0) throw new BuildError(`${output} must stand alone, but it contains ${refused.join(', ')}.`);
}

/** What one output holds, the chunks it loads included. */
function closureOf(output, metafile) {
  const outputs = new Set([output]);
  const externals = new Set();
  for (const name of outputs) {
    for (const { path, external } of metafile.outputs[name]?.imports ?? []) (external ? externals : outputs).add(path);
  }
  const inputs = [...outputs].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}));
  return { outputs: [...outputs], inputs, externals: [...externals] };
}

async function requireWorkerExpression(entries) {
  if (!entries.some(({ name }) => name === 'client')) return;
  // Must undo esbuild's choice of quotes and line breaks only: anything else that differs hides the worker from bundlers.
  const files = await listFiles(DIST, '.js');
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const normalized = texts.map((text) => text.replaceAll('"', "'").replace(/\s+/g, ' '));
  // Must be in the entry itself: the URL is relative to the file it stands in, and chunks are a folder below.
  for (const expression of WORKER_EXPRESSIONS) {
    const names = files
      .filter((_, index) => normalized[index].includes(expression))
      .map((file) => relative(DIST, file));
    if (names.length === 1 && names[0] === 'client.js') continue;
    throw new BuildError(
      `dist/client.js, and no other file, must contain ${expression}; found in: ${names.join(', ') || 'none'}.`,
    );
  }
}

async function emitDeclarations(entries) {
  for (const project of ['src/tsconfig.json', 'worker/tsconfig.json', 'worker/tsconfig.webworker.json']) {
    run('tsc', [
      '-p',
      project,
      '--noEmit',
      'false',
      '--emitDeclarationOnly',
      '--rootDir',
      '.',
      '--outDir',
      'dist/types',
    ]);
  }
  const reachable = new Set(entries.map(({ source }) => declarationOf(source)));
  for (const file of reachable) {
    const text = await readFile(file, 'utf8');
    // Must name the files that exist in the package: declarations keep the `.ts` of the sources.
    const rewritten = text.replace(/(\b(?:from|import)\s*\(?\s*['"]\.{1,2}\/[^'"]*)\.ts(?=['"])/g, (_, before) => {
      reachable.add(resolve(dirname(file), `${before.slice(before.search(/\.{1,2}\//))}.d.ts`));
      return `${before}.js`;
    });
    await writeFile(file, rewritten);
  }
  for (const file of await listFiles(join(DIST, 'types'), '.ts')) {
    if (!reachable.has(file)) await rm(file);
  }
}

function declarationOf(source) {
  return join(DIST, 'types', source.replace(/\.ts$/, '.d.ts'));
}

async function compareWithExports(entries) {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const { './package.json': _, ...declared } = exports;
  const expected = Object.fromEntries(
    entries.map(({ subpath, name, source }) => [
      subpath,
      { types: `./${relative(ROOT, declarationOf(source))}`, default: `./dist/${name}.js` },
    ]),
  );
  const problems = [];
  for (const subpath of new Set([...Object.keys(declared), ...Object.keys(expected)])) {
    const [has, wants] = [JSON.stringify(declared[subpath]), JSON.stringify(expected[subpath])];
    if (has !== wants)
      problems.push(`exports["${subpath}"] is ${has ?? 'missing'}, the build made ${wants ?? 'nothing'}`);
  }
  for (const target of Object.values(declared).flatMap(Object.values)) {
    if (!existsSync(join(ROOT, target))) problems.push(`exports names ${target}, which does not exist`);
  }
  const known = new Set(Object.values(declared).map((conditions) => conditions.default));
  for (const file of (await readdir(DIST)).filter((name) => name.endsWith('.js'))) {
    if (!known.has(`./dist/${file}`)) problems.push(`dist/${file} is not in exports`);
  }
  if (problems.length > 0) throw new BuildError(`package.json and dist disagree:\n  ${problems.join('\n  ')}`);
}

async function buildDemo() {
  const page = join(ROOT, 'browser-demo');
  await rm(DEMO, { recursive: true, force: true });
  const options = { ...SHARED_OPTIONS, platform: 'browser', minify: true };
  // Must be split: what runs on the page only where there is no worker is loaded only there.
  const chunks = { splitting: true, chunkNames: 'chunks/[name]-[hash]' };
  await build({ ...options, ...chunks, entryPoints: ['browser-demo/main.ts'], outdir: DEMO });
  // Must stand beside the script: the client looks for them at './worker.js' and './reader.js'.
  await build({ ...options, entryPoints: ['worker/worker.ts', 'worker/reader.ts'], outdir: DEMO });
  for (const file of await listFiles(page)) {
    if (['.ts', '.mjs', '.md'].includes(extname(file)) || file.endsWith('tsconfig.json')) continue;
    const target = join(DEMO, relative(page, file));
    await mkdir(dirname(target), { recursive: true });
    await copyFile(file, target);
  }
}

async function listFiles(folder, ending = '') {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile() && file.name.endsWith(ending))
    .map((file) => join(file.parentPath ?? file.path, file.name))
    .sort();
}

function run(command, args) {
  const bin = join(ROOT, 'node_modules', '.bin', command);
  const { status, error } = spawnSync(bin, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) throw error;
  if (status !== 0) throw new BuildError(`${command} ${args.join(' ')} failed.`);
}

/** What the reader of the message can mend; everything else is a defect of this script. */
class BuildError extends Error {}

try {
  const [option, file] = process.argv.slice(2);
  if (option === '--demo') await buildDemo();
  else if (option === '--scanner') compileScanner(file);
  else await buildLibrary();
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.error(`build: ${error.message}`);
  process.exitCode = 1;
}
