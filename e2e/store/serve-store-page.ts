import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { serveFolders } from '../../browser-demo/serve.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A page that offers the store to tests, and a worker that does. */
export interface StoreServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** @param outdir - where to build the page. */
export async function serveStorePage(outdir: string): Promise<StoreServer> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['e2e/store/page.ts', 'e2e/store/worker.ts'],
    bundle: true,
    format: 'esm',
    outdir,
    // The only thing that the laws ask of Node.
    define: { 'process.env.LAW_RUNS': 'undefined' },
    logLevel: 'error',
  });
  await writeFile(
    `${outdir}/index.html`,
    '<!doctype html><title>store</title><script type="module" src="/page.js"></script>',
  );
  return serveFolders({ '/': outdir });
}
