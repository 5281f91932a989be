import { connectSessionReferences } from '../worker/library.ts';

/** What an import was like. */
export interface LargeImport {
  readonly megabytes: number;
  readonly sessions: number;
  /** ms of `JSON.parse` of the same text. */
  readonly parseTime: number;
  /** ms of reading the sessions, and nothing else. */
  readonly readTime: number;
  readonly importTime: number;
  /** Tasks of 50 ms and more on the page. */
  readonly longTasks: number;
  readonly longestFrameGap: number;
  readonly progressReports: number;
  /** ms from an abort to its end, in a second import. */
  readonly abortTime: number;
  readonly abortCode: string;
}

function generate(
  kind: 'chatgpt' | 'jsonl',
  megabytes: number,
): Promise<{ file: Blob; parseTime: number; readTime: number }> {
  const worker = new Worker('/generator.js', { type: 'module' });
  return new Promise((resolve) => {
    worker.onmessage = ({ data }): void => {
      worker.terminate();
      resolve(data);
    };
    worker.postMessage({ kind, megabytes });
  });
}

function watchFrames(): () => number {
  let longest = 0;
  let last = performance.now();
  let isOn = true;
  const look = (now: number): void => {
    longest = Math.max(longest, now - last);
    last = now;
    if (isOn) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  return () => {
    isOn = false;
    return longest;
  };
}

let prepared: Awaited<ReturnType<typeof generate>> | undefined;

/** Make the file, which is not what is measured. */
async function prepare(kind: 'chatgpt' | 'jsonl', megabytes: number): Promise<void> {
  prepared = await generate(kind, megabytes);
}

async function importLarge(): Promise<LargeImport> {
  if (prepared === undefined) throw new Error('There is no file to import.');
  const { file, parseTime, readTime } = prepared;
  const client = connectSessionReferences({ store: 'memory' });
  await client.ready;
  let longTasks = 0;
  const observer = new PerformanceObserver((list) => {
    longTasks += list.getEntries().length;
  });
  observer.observe({ type: 'longtask' });
  const stopWatching = watchFrames();
  let progressReports = 0;
  const start = performance.now();
  const { sessions } = await client.importSessions(file, {
    onProgress: () => {
      progressReports += 1;
    },
  });
  const importTime = performance.now() - start;
  const longestFrameGap = stopWatching();

  const controller = new AbortController();
  let abortedAt = 0;
  const abortCode = await client
    .importSessions(file, {
      signal: controller.signal,
      onProgress: () => {
        abortedAt ||= performance.now();
        controller.abort();
      },
    })
    .then(
      () => 'none',
      (error: { readonly code: string }) => error.code,
    );
  const abortTime = performance.now() - abortedAt;
  observer.disconnect();
  client.close();
  const size = file.size / 1e6;
  return {
    megabytes: size,
    sessions: sessions.length,
    parseTime,
    readTime,
    importTime,
    longTasks,
    longestFrameGap,
    progressReports,
    abortTime,
    abortCode,
  };
}

/** What the spec drives. */
export interface LargeFilesPage {
  readonly prepare: typeof prepare;
  readonly importLarge: typeof importLarge;
}

Object.assign(globalThis, { largeFiles: { prepare, importLarge } satisfies LargeFilesPage });
