/**
 * The memory that preparing from a log of 64 MB takes, in a process of its own: `write <chunks> <file>` makes the log,
 * `measure <file>` prepares from it and prints what the process grew by at most.
 */
import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { SessionReferences } from '../../src/index.ts';
import { createFileQuery, createLogFile } from './log-files.ts';

const LOG_BYTES = 64 << 20;

async function measure(file: string): Promise<number> {
  const prepare = async (blob: Blob): Promise<unknown> =>
    new SessionReferences(createFileQuery(blob)).prepare({ id: 'target' }, [], [{ sessionId: 'source' }]);
  // Must have been done once: what the engine and the library take for themselves is not the log's.
  await prepare(createLogFile(1 << 20, 'plain', 10).blob);
  const before = process.resourceUsage().maxRSS;
  await prepare(await openAsBlob(file));
  return (process.resourceUsage().maxRSS - before) / 1024;
}

const [task, first = '', second = ''] = process.argv.slice(2);
if (task === 'write') {
  const { blob } = createLogFile(LOG_BYTES, 'plain', Number(first));
  await writeFile(second, blob.stream());
} else {
  console.log(JSON.stringify(await measure(first)));
}
