/**
 * Finds a Chromium for the browser tests, or installs one.
 *
 * Looked for in this order: `CHROMIUM_PATH`, Playwright's own download, a Chromium, Chrome or Edge of the system. Where
 * there is none, Playwright downloads one, and where that fails the system's package manager installs one, if this
 * process is allowed to. The tests are never skipped for want of a browser: what is left is an error that says what to do.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright';

const SYSTEM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

const APPLICATION_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ...[process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
      join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ]),
];

/** Each installs a browser under Debian, Fedora, Alpine and Arch; the first manager that exists is used. */
const PACKAGE_MANAGERS = [
  { name: 'apt-get', commands: [['update'], ['install', '-y', '--no-install-recommends', 'chromium']] },
  { name: 'dnf', commands: [['install', '-y', 'chromium']] },
  { name: 'apk', commands: [['add', '--no-cache', 'chromium']] },
  { name: 'pacman', commands: [['-Sy', '--noconfirm', 'chromium']] },
];

const DOWNLOAD_MILLISECONDS = 5 * 60_000;
const INSTALL_MILLISECONDS = 10 * 60_000;
const VERSION_MILLISECONDS = 30_000;

/**
 * What to start Chromium with: as root it has no sandbox, and a test needs no GPU, no QUIC and no background traffic.
 *
 * @returns {string[]}
 */
export function chromiumArguments() {
  const quiet = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet;
}

/**
 * The path of a Chromium that starts. Installs one where there is none, and remembers it in `CHROMIUM_PATH` for the
 * processes that this one starts.
 *
 * @returns {string}
 * @throws Error with one sentence that says what to do.
 */
export function requireChromium() {
  const path = findGivenChromium() ?? findInstalledChromium() ?? installChromium();
  if (path === undefined) {
    throw new Error(
      'The browser tests need Chromium or Chrome: install one, or set CHROMIUM_PATH to its executable, and run them again.',
    );
  }
  process.env.CHROMIUM_PATH = path;
  return path;
}

function findGivenChromium() {
  const path = process.env.CHROMIUM_PATH;
  if (path === undefined || path === '') return undefined;
  // Must not fall back to another browser: whoever names one means this one.
  if (existsSync(path)) return path;
  throw new Error(
    `CHROMIUM_PATH is ${JSON.stringify(path)}, but there is no such file: set it to a Chromium or Chrome, or unset it.`,
  );
}

function findInstalledChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [chromium.executablePath(), ...onPath, ...APPLICATION_PATHS].find((path) => existsSync(path) && starts(path));
}

/** Some systems ship a stub that only tells where to get the browser, and a download can lack system libraries. */
function starts(path) {
  if (process.platform === 'win32') return true;
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: VERSION_MILLISECONDS });
  return status === 0 && /\d+\.\d+/.test(stdout);
}

function installChromium() {
  console.error('There is no Chromium here: downloading one with Playwright.');
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');
  run(process.execPath, [cli, 'install', 'chromium'], DOWNLOAD_MILLISECONDS);
  return findInstalledChromium() ?? installFromSystem();
}

function installFromSystem() {
  const manager = PACKAGE_MANAGERS.find(({ name }) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
  if (manager === undefined || process.getuid?.() !== 0) return undefined;
  console.error(`The download gave no browser that starts: installing one with ${manager.name}.`);
  for (const command of manager.commands) run(manager.name, command, INSTALL_MILLISECONDS);
  return findInstalledChromium();
}

function run(command, args, timeout) {
  spawnSync(command, args, { stdio: 'inherit', timeout, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}
