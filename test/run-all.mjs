/**
 * Everything that proves the package, in one run: build, checks, tests in Node, tests in a browser. Goes on after a
 * failure, unless nothing that follows can mean anything, and ends with the sums on a line of their own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const reports = mkdtempSync(join(tmpdir(), 'session-reference-'));

/** A script without tests of its own counts as one. */
const STEPS = [
  { script: 'build', isNeeded: true },
  { script: 'build:demo' },
  { script: 'check:types' },
  { script: 'check:style' },
  { script: 'check:package' },
  {
    script: 'test:node',
    read: readVitest,
    args: (file) => ['--reporter=default', '--reporter=json', `--outputFile=${file}`],
  },
  { script: 'test:browser', read: readPlaywright, env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }) },
  { script: 'test:e2e', read: readPlaywright, env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }) },
  { script: 'test:consumers' },
];

function runStep({ script, read, args, env }) {
  const file = join(reports, `${script.replace(':', '-')}.json`);
  console.log(`\n=== npm run ${script}`);
  const { status } = spawnSync('npm', ['run', '--silent', script, ...(args ? ['--', ...args(file)] : [])], {
    stdio: 'inherit',
    env: { ...process.env, ...env?.(file) },
    shell: process.platform === 'win32',
  });
  const counts = read
    ? readCounts(read, file)
    : { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
  // Must count what no test reports: a crash of the runner, an unhandled error, or that there was nothing to run.
  const isUnexplained = read && (counts.passed === 0 || (status !== 0 && counts.failed === 0));
  return isUnexplained ? { ...counts, failed: counts.failed + 1 } : counts;
}

function readCounts(read, file) {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

function readVitest({ numPassedTests, numFailedTests, numPendingTests, numTodoTests }) {
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

function readPlaywright({ stats }) {
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
}

const results = [];
for (const step of STEPS) {
  const counts = runStep(step);
  results.push({ script: step.script, ...counts });
  if (step.isNeeded && counts.failed > 0) break;
}
rmSync(reports, { recursive: true, force: true });

const sum = (key) => results.reduce((total, counts) => total + counts[key], 0);
console.log('');
for (const { script, passed, failed, skipped } of results) {
  const note = skipped > 0 ? `, ${skipped} skipped` : '';
  console.log(`${failed > 0 ? 'FAILED' : 'ok    '} ${script}: ${passed} passed, ${failed} failed${note}`);
}
for (const { script } of STEPS.slice(results.length)) console.log(`not run ${script}`);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
if (sum('failed') > 0) process.exitCode = 1;
