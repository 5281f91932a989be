/**
 * Uses the packed package as other people do: minimal apps on Vite (dev and build), webpack, Parcel, esbuild, Rollup, and a
 * page whose scripts come from a second origin. Each is built, opened in Chromium, and must prepare a message in the
 * worker. `--only vite-dev,webpack` picks. The bundlers are installed into `.consumers`, which is not committed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { chromiumArguments, requireChromium } from '../../test/browser/find-chromium.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const HOME = join(ROOT, '.consumers');
const MINUTE = 60_000;
const EXPECTED = 'prepared in the worker: see @Fix login';

const TOOLS = [
  'vite@8.4.0',
  'webpack@5.113.0',
  'webpack-cli@7.3.1',
  'parcel@2.16.4',
  'rollup@4.68.8',
  '@rollup/plugin-node-resolve@16.0.3',
  'esbuild@0.28.2',
];

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css' };

function run(command, args, cwd = HOME) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 5 * MINUTE });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${(stdout + stderr).slice(-1500)}`);
  return stdout;
}

const bin = (name) => join(HOME, 'node_modules', '.bin', name);

/** The package as it would be published, installed beside the tools. */
function install() {
  mkdirSync(HOME, { recursive: true });
  for (const file of readdirSync(HOME)) if (file.endsWith('.tgz')) rmSync(join(HOME, file));
  run('npm', ['pack', '--silent', '--pack-destination', HOME], ROOT);
  const tarball = readdirSync(HOME).find((file) => file.endsWith('.tgz'));
  writeFileSync(join(HOME, 'package.json'), '{"private":true,"type":"module"}\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--no-package-lock', ...TOOLS, `./${tarball}`]);
}

/** A folder with the app, an entry of its own, and a page that loads a script. */
function createApp(name, { entry, script = './index.js', files = {}, page }) {
  const folder = join(HOME, 'apps', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(HERE, 'app', 'main.js'), join(folder, 'main.js'));
  writeFileSync(
    join(folder, 'index.js'),
    entry ?? "import { report, runApp } from './main.js';\n\nreport(runApp());\n",
  );
  writeFileSync(
    join(folder, 'index.html'),
    page ?? `<!doctype html><title>waiting</title><script type="module" src="${script}"></script>\n`,
  );
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  return folder;
}

async function serve(folder, headers = {}) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    const file = join(folder, pathname === '/' ? 'index.html' : pathname);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (!existsSync(file)) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function open(browser, url) {
  const page = await browser.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.message));
  try {
    await page.goto(url);
    await page
      .waitForFunction(() => !['waiting', ''].includes(document.title), undefined, { timeout: MINUTE / 2 })
      .catch(() => undefined);
    const title = await page.title();
    return title === 'waiting' || title === '' ? `nothing happened ${problems.join('; ')}` : title;
  } finally {
    await page.close();
  }
}

async function serveAndOpen(browser, folder) {
  const server = await serve(folder);
  try {
    return await open(browser, server.url);
  } finally {
    server.close();
  }
}

/** Each consumer, and what an app on it must add; the README's table says the same. */
const CONSUMERS = {
  // B95: the worker of a package in node_modules is found.
  'vite-dev': {
    adds: 'nothing',
    async test(browser) {
      const folder = createApp('vite-dev', {});
      const child = spawn(bin('vite'), ['--port', '18791', '--strictPort', '--host', '127.0.0.1'], {
        cwd: folder,
        stdio: 'ignore',
      });
      try {
        for (let attempt = 0; attempt < 100; attempt += 1) {
          await new Promise((resolve) => setTimeout(resolve, 200));
          if (
            await fetch('http://127.0.0.1:18791/').then(
              ({ ok }) => ok,
              () => false,
            )
          )
            break;
        }
        const first = await open(browser, 'http://127.0.0.1:18791/');
        // The dev server optimizes dependencies on the first visit and reloads the page.
        return first === EXPECTED ? first : await open(browser, 'http://127.0.0.1:18791/');
      } finally {
        child.kill('SIGKILL');
      }
    },
  },
  'vite-build': {
    adds: 'nothing',
    test(browser) {
      const folder = createApp('vite-build', {});
      run(bin('vite'), ['build'], folder);
      return serveAndOpen(browser, join(folder, 'dist'));
    },
  },
  webpack: {
    adds: 'nothing',
    test(browser) {
      const folder = createApp('webpack', {});
      run(bin('webpack'), ['--mode', 'production', '--entry', './index.js', '--output-path', './out'], folder);
      writeFileSync(
        join(folder, 'out', 'index.html'),
        '<!doctype html><title>waiting</title><script src="main.js"></script>',
      );
      return serveAndOpen(browser, join(folder, 'out'));
    },
  },
  parcel: {
    adds: '`"@parcel/resolver-default": { "packageExports": true }` in package.json',
    test(browser) {
      // The lock file makes the folder a project of its own, whose package.json is the one that is read.
      const manifest = { private: true, '@parcel/resolver-default': { packageExports: true } };
      const folder = createApp('parcel', { files: { 'package.json': JSON.stringify(manifest), 'yarn.lock': '' } });
      run(bin('parcel'), ['build', 'index.html', '--no-cache', '--cache-dir', '.cache', '--dist-dir', 'out'], folder);
      return serveAndOpen(browser, join(folder, 'out'));
    },
  },
  esbuild: {
    adds: 'the entry points `session-reference/worker` and `session-reference/reader`, beside the bundle',
    test(browser) {
      const folder = createApp('esbuild', {});
      const entries = ['index=./index.js', 'worker=session-reference/worker', 'reader=session-reference/reader'];
      run(
        bin('esbuild'),
        [...entries, '--bundle', '--splitting', '--format=esm', '--outdir=.', '--allow-overwrite'],
        folder,
      );
      return serveAndOpen(browser, folder);
    },
  },
  rollup: {
    adds: 'the inputs `session-reference/worker` and `session-reference/reader`, beside the bundle',
    test(browser) {
      const config = `import resolve from '@rollup/plugin-node-resolve';
export default {
  input: { index: './index.js', worker: 'session-reference/worker', reader: 'session-reference/reader' },
  output: { dir: 'out', format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  plugins: [resolve({ browser: true })],
};
`;
      const folder = createApp('rollup', { files: { 'rollup.config.mjs': config } });
      run(bin('rollup'), ['-c', 'rollup.config.mjs'], folder);
      cpSync(join(folder, 'index.html'), join(folder, 'out', 'index.html'));
      return serveAndOpen(browser, join(folder, 'out'));
    },
  },
  'second-origin': {
    adds: 'its own workers, started by a script of its own origin that imports ours',
    async test(browser) {
      const scripts = createApp('second-origin-scripts', {});
      const entries = ['index=./main.js', 'worker=session-reference/worker', 'reader=session-reference/reader'];
      run(bin('esbuild'), [...entries, '--bundle', '--format=esm', '--outdir=out'], scripts);
      const other = await serve(join(scripts, 'out'), { 'access-control-allow-origin': '*' });
      const page = `<!doctype html><title>waiting</title><script type="module">
  import { report, runApp } from '${other.url}index.js';

  // A worker must be of the page's own origin; what it imports need not be.
  const start = (name) => () => {
    const script = new Blob(["import '${other.url}" + name + ".js';"], { type: 'text/javascript' });
    return new Worker(URL.createObjectURL(script), { type: 'module' });
  };
  report(runApp({ worker: start('worker'), readerWorker: start('reader') }));
</script>`;
      try {
        return await serveAndOpen(browser, createApp('second-origin', { page }));
      } finally {
        other.close();
      }
    },
  },
};

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: Object.keys(CONSUMERS).join(',') } },
});
install();
const browser = await chromium.launch({ executablePath: requireChromium(), args: chromiumArguments() });
let passed = 0;
let failed = 0;
for (const name of options.only.split(',')) {
  const { adds, test } = CONSUMERS[name];
  const found = await Promise.resolve()
    .then(() => test(browser))
    .catch((error) => error.message);
  const isFine = found === EXPECTED;
  console.log(isFine ? `ok     ${name}: adds ${adds}` : `FAILED ${name}: ${found}`);
  if (isFine) passed += 1;
  else failed += 1;
}
await browser.close();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
