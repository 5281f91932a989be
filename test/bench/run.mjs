/**
 * Runs every benchmark, one after the other: in Node, beside the published peer, and in a worker of Chromium. Prints
 * Markdown tables and writes `results.json`. `--only node,peer,chromium` picks, `--peer 1000,10000` sets the peer's
 * sessions (10,000 messages keep it busy for minutes).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { chromiumArguments, requireChromium } from '../browser/find-chromium.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: { only: { type: 'string', default: 'node,peer,chromium' }, peer: { type: 'string', default: '1000,10000' } },
});
const wanted = new Set(options.only.split(','));
const work = mkdtempSync(join(tmpdir(), 'session-reference-bench-'));

async function bundle(entry, outfile, platform = 'neutral') {
  await build({
    entryPoints: [join(HERE, entry)],
    outfile: join(work, outfile),
    bundle: true,
    format: 'esm',
    platform,
    target: 'es2022',
    logLevel: 'warning',
  });
  return join(work, outfile);
}

/** Runs a script of Node and hands over each line of JSON as soon as it is there. */
async function runNode(args, onResult) {
  const child = spawn(process.execPath, args, { cwd: HERE, stdio: ['ignore', 'pipe', 'inherit'] });
  let rest = '';
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onResult(JSON.parse(line));
  }
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(`${args[0]} failed`);
}

async function runChromium(onResult) {
  const script = await bundle('worker.ts', 'worker.js');
  const server = createServer(async (request, response) => {
    const isScript = request.url === '/worker.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? await readFile(script) : '<!doctype html><title>bench</title>');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await chromium.launch({ executablePath: requireChromium(), args: chromiumArguments() });
  try {
    const page = await browser.newPage();
    await page.exposeFunction('report', onResult);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker('/worker.js', { type: 'module' });
          worker.onerror = (event) => reject(new Error(event.message));
          worker.onmessage = ({ data }) => (data === undefined ? resolve() : window.report(data));
        }),
    );
  } finally {
    await browser.close();
    server.close();
  }
}

/** What preparing from a log of 64 MB takes, by the rows of stream chunks before each message. */
async function measureMemory() {
  const script = await bundle('memory.ts', 'memory.mjs', 'node');
  const rows = [];
  for (const [name, chunks, limit] of [
    ['a log of 64 MB', 0, 138],
    ['a log of 64 MB, mostly stream chunks', 40, 44],
  ]) {
    const file = join(work, 'memory.jsonl');
    await runNode([script, 'write', String(chunks), file], () => undefined);
    await runNode([script, 'measure', file], (megabytes) => rows.push({ name, megabytes, limit }));
  }
  return rows;
}

function milliseconds(timing) {
  if (timing === undefined) return '';
  const digits = timing.median < 10 ? 2 : timing.median < 100 ? 1 : 0;
  return `${timing.median.toFixed(digits)} (${timing.spread.map((value) => value.toFixed(digits)).join('–')})`;
}

function toRow({ runtime, name, goal, ours, floor, peer, note }) {
  const ratio = floor === undefined ? '' : `${(ours.median / floor.timing.median).toFixed(2)} ×`;
  const times = peer === undefined ? '' : `${Math.round(peer.median / ours.median).toLocaleString('en')} ×`;
  const floorText = floor === undefined ? '' : `${milliseconds(floor.timing)} ${floor.name}`;
  return `| ${[name, runtime, milliseconds(ours), floorText, ratio, milliseconds(peer), times, goal, note ?? ''].join(' | ')} |`;
}

const results = [];
console.log('| case | runtime | ours, ms | floor, ms | ratio | peer, ms | peer ÷ ours | goal | note |');
console.log('|---|---|---:|---:|---:|---:|---:|---|---|');
const record = (runtime) => (result) => {
  const entry = { runtime, ...result };
  results.push(entry);
  console.log(toRow(entry));
};
try {
  if (wanted.has('node')) await runNode([await bundle('node.ts', 'node.mjs', 'node')], record('Node'));
  if (wanted.has('peer')) {
    const library = await bundle('library.ts', 'library.mjs', 'node');
    await runNode([join(HERE, 'peer.mjs'), library, ...options.peer.split(',')], record('Node'));
  }
  if (wanted.has('chromium')) await runChromium(record('Chromium worker'));
  const memory = wanted.has('node') ? await measureMemory() : [];
  if (memory.length > 0) console.log('\n| peak extra memory, Node | MB | goal: 2 × the text + 32 |\n|---|---:|---:|');
  for (const { name, megabytes, limit } of memory) console.log(`| ${name} | ${megabytes.toFixed(1)} | ≤ ${limit} |`);
  const machine = {
    node: process.version,
    processor: cpus()[0]?.model,
    cores: cpus().length,
    date: new Date().toISOString(),
  };
  await writeFile(join(HERE, 'results.json'), `${JSON.stringify({ machine, results, memory }, null, 2)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
