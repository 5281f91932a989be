/**
 * A small static server on the loopback interface. Run as a script it serves the built demo, prints the address, and
 * stops on Ctrl+C: `PORT=8080 node browser-demo/serve.mjs`.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HOST = '127.0.0.1';

/** Tried when `PORT` is not set, so that what the browser stored for the demo is found again the next time. */
const USUAL_PORT = 4173;

const MEDIA_TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.jsonl', 'application/x-ndjson; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.wasm', 'application/wasm'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/**
 * Serve folders over HTTP.
 *
 * @param {Readonly<Record<string, string>>} folders - folder by URL prefix, for instance `{ '/': 'dist-demo' }`; the
 *   longest prefix that fits wins.
 * @param {number} [port] - 0 (the default) takes any free one.
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} the address without a slash at its end, and how to stop.
 */
export function serveFolders(folders, port = 0) {
  const prefixes = Object.keys(folders).sort((one, other) => other.length - one.length);
  const server = createServer((request, response) => {
    answer(folders, prefixes, request, response).catch(() => refuse(response, 500));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      resolve({ url: `http://${HOST}:${server.address().port}`, close: () => close(server) });
    });
  });
}

async function answer(folders, prefixes, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  const file = await findFile(folders, prefixes, readPath(request.url));
  if (file === undefined) return refuse(response, 404);
  response.writeHead(200, {
    'content-type': MEDIA_TYPES.get(extname(file.path)) ?? 'application/octet-stream',
    'content-length': file.size,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD') return response.end();
  createReadStream(file.path)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** The decoded path of a request, or `undefined` when it is none. */
function readPath(url) {
  try {
    return decodeURIComponent(new URL(url, `http://${HOST}`).pathname);
  } catch {
    return undefined;
  }
}

async function findFile(folders, prefixes, path) {
  const prefix = prefixes.find((candidate) => path?.startsWith(candidate));
  if (prefix === undefined || path.includes('\0')) return undefined;
  const folder = normalize(folders[prefix] + sep);
  const name = path.slice(prefix.length);
  const target = join(folder, name === '' || name.endsWith('/') ? `${name}index.html` : name);
  // Must look at the joined path: a `..` can hide behind an escape.
  if (!target.startsWith(folder)) return undefined;
  try {
    const { size, isFile } = await stat(target).then((entry) => ({ size: entry.size, isFile: entry.isFile() }));
    return isFile ? { path: target, size } : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response, status) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${status}\n`);
}

function close(server) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serveDemo() {
  const folders = { '/': join(dirname(fileURLToPath(import.meta.url)), '..', 'dist-demo') };
  const wanted = process.env.PORT === undefined || process.env.PORT === '' ? undefined : Number(process.env.PORT);
  const server = await serveFolders(folders, wanted ?? USUAL_PORT).catch((error) => {
    if (wanted !== undefined || error.code !== 'EADDRINUSE') throw error;
    return serveFolders(folders);
  });
  console.log(`The demo is at ${server.url}/ (Ctrl+C stops it).`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await serveDemo().catch((error) => {
    console.error(`The demo cannot be served: ${error.message}`);
    process.exitCode = 1;
  });
}
