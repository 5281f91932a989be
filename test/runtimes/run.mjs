/**
 * Runs every case in every runtime there is: Bun, Deno, workerd, QuickJS in WebAssembly, Firefox and WebKitGTK (Node,
 * a Chromium page and its worker are part of `npm test`); in the two browsers also through the client and its worker, and
 * the suite of the store, on the page and in a worker. What is missing is installed: from the npm registry into
 * `.runtimes`, from the system's packages where this is root on Debian. `--only bun,deno` picks. Prints a line per runtime,
 * and fails when one is missing or a case does not hold.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const HOME = join(ROOT, '.runtimes');
const OUT = join(HOME, 'programs');
const MINUTE = 60_000;

/** Versions that are known to work; each brings its binary. */
const PACKAGES = {
  bun: 'bun@1.4.5',
  deno: 'deno@2.9.6',
  workerd: 'workerd@1.20261117.1',
  quickjs: 'quickjs-emscripten@0.32.0',
  firefox: 'puppeteer-core@24.30.0',
};

function readVectors() {
  const folder = join(ROOT, 'test', 'vectors');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
}

async function bundle(name, options = {}) {
  const outfile = join(OUT, `${name}.js`);
  await build({
    absWorkingDir: ROOT,
    entryPoints: [`test/runtimes/${name}.ts`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    define: { VECTOR_TEXTS: JSON.stringify(readVectors()) },
    logLevel: 'error',
    ...options,
  });
  return outfile;
}

/** The folder of a package in `.runtimes`, installed when it is not there. */
function requirePackage(spec) {
  const name = spec.replace(/@[^@]*$/, '');
  const folder = join(HOME, 'node_modules', name);
  if (!existsSync(folder)) {
    if (!existsSync(join(HOME, 'package.json'))) writeFileSync(join(HOME, 'package.json'), '{"private":true}\n');
    const args = ['install', '--no-audit', '--no-fund', '--save-exact', '--prefix', HOME, spec];
    const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 10 * MINUTE });
    if (status !== 0 || !existsSync(folder)) throw new Error(`${spec} cannot be installed`);
  }
  return folder;
}

/** The path of a program of the system, installed where that can be done. */
function requireSystemProgram(path, debianPackages) {
  if (existsSync(path)) return path;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update'], { stdio: 'ignore', timeout: 5 * MINUTE, env });
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...debianPackages], {
      stdio: 'ignore',
      timeout: 10 * MINUTE,
      env,
    });
  }
  if (!existsSync(path)) throw new Error(`${path} is missing: install ${debianPackages.join(' ')}`);
  return path;
}

function runProgram(command, args) {
  const { stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: 5 * MINUTE,
    maxBuffer: 1 << 28,
  });
  if (error) throw error;
  const line = stdout.split('\n').findLast((one) => one.startsWith('REPORT '));
  if (line === undefined) throw new Error(`it printed no report: ${(stderr || stdout).slice(-500)}`);
  return JSON.parse(line.slice('REPORT '.length));
}

/** What npm packages its binary as differs; the first that starts is it. */
function findBinary(folder, names) {
  const candidates = names
    .map((name) => join(HOME, 'node_modules', name))
    .concat(names.map((name) => join(folder, name)));
  const path = candidates.find((one) => existsSync(one) && spawnSync(one, ['--version']).status === 0);
  if (path === undefined) throw new Error(`none of ${names.join(', ')} starts`);
  return path;
}

async function runBun() {
  const folder = requirePackage(PACKAGES.bun);
  return runProgram(findBinary(folder, ['.bin/bun', 'bin/bun.exe', 'bin/bun']), ['run', await bundle('report-line')]);
}

async function runDeno() {
  const folder = requirePackage(PACKAGES.deno);
  const program = await bundle('report-line');
  return runProgram(findBinary(folder, ['.bin/deno', 'deno']), ['run', '--no-config', '--no-lock', program]);
}

async function runWorkerd() {
  const folder = requirePackage(PACKAGES.workerd);
  const program = await bundle('report-response');
  const port = 18_787;
  const config = join(OUT, 'config.capnp');
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ],
);
const main :Workerd.Worker = (
  modules = [ (name = "main", esModule = embed "${program.split('/').pop()}") ],
  compatibilityDate = "2026-01-01",
);
`,
  );
  const child = spawn(findBinary(folder, ['.bin/workerd', 'bin/workerd']), ['serve', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  try {
    for (let attempt = 0; attempt < 100; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5 * MINUTE) }).catch(
        () => undefined,
      );
      if (response !== undefined) return JSON.parse(await response.text());
      if (child.exitCode !== null) break;
    }
    throw new Error(`it does not answer: ${stderr.slice(-500)}`);
  } finally {
    child.kill('SIGKILL');
  }
}

/** An engine without a host: what the core may use of one is put in. */
async function runQuickJs() {
  const folder = requirePackage(PACKAGES.quickjs);
  const require = createRequire(join(folder, 'package.json'));
  const { getQuickJS } = await import(pathToFileURL(require.resolve('quickjs-emscripten')).href);
  const runtime = (await getQuickJS()).newRuntime();
  const context = runtime.newContext();
  const evaluate = (code, name) => {
    const result = context.evalCode(code, name);
    if (result.error) throw new Error(JSON.stringify(context.dump(result.error)).slice(0, 500));
    result.value.dispose();
  };
  evaluate(readFileSync(await bundle('quickjs-host', { format: 'iife' }), 'utf8'), 'host.js');
  evaluate(readFileSync(await bundle('report-global', { format: 'iife' }), 'utf8'), 'program.js');
  const jobs = runtime.executePendingJobs();
  if (jobs.error) throw new Error(JSON.stringify(context.dump(jobs.error)));
  const report = context.getProp(context.global, 'REPORT').consume((handle) => context.dump(handle));
  if (typeof report !== 'string') throw new Error('it ended without a report');
  return JSON.parse(report);
}

/** A page with everything that a browser can run, the scripts of its workers beside it. */
async function servePage() {
  // The only thing that the laws ask of Node.
  const options = {
    platform: 'browser',
    define: { VECTOR_TEXTS: JSON.stringify(readVectors()), 'process.env.LAW_RUNS': 'undefined' },
  };
  const program = await bundle('report-browser', options);
  const storeWorker = await bundle('store-worker', { ...options, entryPoints: ['e2e/store/worker.ts'] });
  const scripts = new Map([
    ['/program.js', readFileSync(program)],
    ['/store-worker.js', readFileSync(storeWorker)],
    ['/worker.js', readFileSync(join(ROOT, 'dist', 'worker.js'))],
  ]);
  const server = createServer((request, response) => {
    const script = scripts.get(request.url);
    response.setHeader('content-type', script === undefined ? 'text/html; charset=utf-8' : 'text/javascript');
    response.end(script ?? '<!doctype html><meta charset="utf-8"><script type="module" src="/program.js"></script>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function runFirefox() {
  const executablePath = requireSystemProgram('/usr/bin/firefox-esr', ['firefox-esr']);
  const folder = requirePackage(PACKAGES.firefox);
  const require = createRequire(join(folder, 'package.json'));
  const { default: puppeteer } = await import(pathToFileURL(require.resolve('puppeteer-core')).href);
  const page = await servePage();
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: MINUTE });
  try {
    const tab = await browser.newPage();
    await tab.goto(page.url);
    await tab.waitForFunction('globalThis.REPORT !== undefined', { timeout: 5 * MINUTE });
    return JSON.parse(await tab.evaluate('globalThis.REPORT'));
  } finally {
    await browser.close();
    page.close();
  }
}

/** WebKitGTK through its own driver, over the WebDriver protocol. */
async function runWebKit() {
  const driver = requireSystemProgram('/usr/bin/WebKitWebDriver', [
    'webkit2gtk-driver',
    'libwebkit2gtk-4.1-0',
    'xvfb',
    'xauth',
  ]);
  const browser = [
    '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
    '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser',
  ].find(existsSync);
  if (browser === undefined) throw new Error('MiniBrowser is missing: install libwebkit2gtk-4.1-0');
  const page = await servePage();
  const port = 18_788;
  const env = { ...process.env, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
  const child = spawn('xvfb-run', ['-a', driver, `--port=${port}`], { stdio: 'ignore', env, detached: true });
  const send = async (method, path, body) => {
    const options = {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(MINUTE),
    };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, options);
    return (await response.json()).value;
  };
  try {
    const wanted = {
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
    };
    let session;
    for (let attempt = 0; attempt < 50 && session === undefined; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      session = await send('POST', '/session', { capabilities: { alwaysMatch: wanted } }).catch(() => undefined);
    }
    if (session?.sessionId === undefined) throw new Error(`no session: ${JSON.stringify(session).slice(0, 300)}`);
    await send('POST', `/session/${session.sessionId}/url`, { url: page.url });
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const script = { script: 'return globalThis.REPORT ?? null', args: [] };
      const report = await send('POST', `/session/${session.sessionId}/execute/sync`, script);
      if (typeof report === 'string') return JSON.parse(report);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error('it ended without a report');
  } finally {
    process.kill(-child.pid, 'SIGKILL');
    page.close();
  }
}

const RUNTIMES = {
  bun: runBun,
  deno: runDeno,
  workerd: runWorkerd,
  quickjs: runQuickJs,
  firefox: runFirefox,
  webkit: runWebKit,
};
const { values: options } = parseArgs({
  options: { only: { type: 'string', default: Object.keys(RUNTIMES).join(',') } },
});
mkdirSync(OUT, { recursive: true });
let passed = 0;
let failed = 0;
for (const name of options.only.split(',')) {
  const start = Date.now();
  try {
    const { executed, failures } = await RUNTIMES[name]();
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(
      `${failures.length === 0 && executed > 0 ? 'ok    ' : 'FAILED'} ${name}: ${executed} cases, ${failures.length} failed, ${seconds} s`,
    );
    for (const failure of failures.slice(0, 10)) console.log(`       ${JSON.stringify(failure).slice(0, 400)}`);
    passed += executed - failures.length;
    failed += failures.length + (executed === 0 ? 1 : 0);
  } catch (error) {
    console.log(`MISSING ${name}: ${error.message.slice(0, 600)}`);
    failed += 1;
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
