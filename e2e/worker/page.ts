import { connectSessionReferences } from './library.ts';

/** What a failed connection came to. */
export interface Outcome {
  readonly code: string;
  readonly message: string;
  /** ms from the call to its end. */
  readonly time: number;
  /** Where the work was done. */
  readonly mode: string;
  /** What the next connection, to a healthy worker, lists. */
  readonly next: number | string;
}

/** How a case connects and what happens then. */
export interface WorkerCase {
  /** Address of the worker; the package's own where it is missing. */
  readonly worker?: string;
  /** How the worker is handed over. */
  readonly as?: 'instance' | 'factory' | 'shared';
  readonly startTimeout?: number;
  readonly silenceTimeout?: number;
  /** What the host does once the connection is there and a call is pending, or before that. */
  readonly meanwhile?: 'terminate' | 'close' | 'abort' | 'abort-connection' | 'wait' | 'close-at-once';
  /** Abort before the call. */
  readonly aborted?: boolean;
  /** Start the worker through a policy for trusted types. */
  readonly trusted?: true;
  /** Run on the page where there can be no worker. */
  readonly fallback?: 'page';
}

/** Not in the DOM types of the compiler. */
declare const trustedTypes: {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
};

const healthy = (): Worker => new Worker('/host-worker.js', { type: 'module' });

async function listHealthy(): Promise<number | string> {
  const client = connectSessionReferences({ worker: healthy });
  try {
    return (await client.listCandidates({ id: 'target' })).length;
  } catch (error) {
    return String(error);
  } finally {
    client.close();
  }
}

async function runCase(given: WorkerCase): Promise<Outcome> {
  const { worker, as = 'factory', startTimeout, silenceTimeout, meanwhile, aborted, fallback, trusted } = given;
  const connection = new AbortController();
  const call = new AbortController();
  if (aborted) call.abort();
  const policy = trusted ? trustedTypes.createPolicy('app', { createScriptURL: (address) => address }) : undefined;
  const open = (): Worker | SharedWorker =>
    policy !== undefined ? new Worker(policy.createScriptURL(worker ?? ''), { type: 'module' }) : openPlain();
  const openPlain = (): Worker | SharedWorker =>
    as === 'shared' ? new SharedWorker(worker ?? '', { type: 'module' }) : new Worker(worker ?? '', { type: 'module' });
  const started = as === 'factory' ? undefined : open();
  const client = connectSessionReferences({
    ...(worker === undefined ? {} : { worker: started ?? open }),
    ...(startTimeout === undefined ? {} : { startTimeout }),
    ...(silenceTimeout === undefined ? {} : { silenceTimeout }),
    ...(fallback === undefined ? {} : { fallback, store: 'memory' as const }),
    signal: connection.signal,
  });
  if (meanwhile === 'wait') {
    await client.ready;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const start = performance.now();
  const listed = client.listCandidates({ id: 'target' }, '', 5, call.signal);
  listed.catch(() => undefined);
  if (meanwhile === 'close-at-once') client.close();
  else if (meanwhile !== undefined && meanwhile !== 'wait') await client.ready;
  if (meanwhile === 'terminate') (started as Worker).terminate();
  if (meanwhile === 'close') client.close();
  if (meanwhile === 'abort') call.abort();
  if (meanwhile === 'abort-connection') connection.abort();
  const failure = await listed.then(
    (found) => ({ code: 'none', message: `${found.length} candidates` }),
    (error: { code?: string; message: string }) => ({ code: error.code ?? 'bare', message: error.message }),
  );
  const time = performance.now() - start;
  client.close();
  const mode = await client.ready.then(
    (found: { readonly mode: string }) => found.mode,
    () => 'none',
  );
  return { ...failure, time, mode, next: await listHealthy() };
}

/** Open and close many connections, and count the ports and workers that are left in between. */
async function cycle(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const client = connectSessionReferences({ worker: healthy });
    await client.listCandidates({ id: 'target' });
    client.close();
  }
}

/** A long snapshot and short lists beside it: how long a list takes meanwhile, in ms. */
async function listBesideLongPrepare(): Promise<{ readonly lists: readonly number[]; readonly prepare: number }> {
  const client = connectSessionReferences({
    worker: () => new Worker('/worker.js', { type: 'module' }),
    store: 'memory',
  });
  const words = 'the build is green again and again '.repeat(16);
  const events = Array.from({ length: 60_000 }, (_, seq) => ({
    type: 'user/message',
    seq,
    data: { content: [{ type: 'text', text: `${words} ž ${seq}` }], source: { kind: 'user' } },
  }));
  await client.put({ header: { version: 0, id: 'long', createdAt: 1 }, events });
  const start = performance.now();
  let isDone = false;
  const prepared = client.prepare({ id: 'target' }, [], [{ sessionId: 'long' }]).then(() => {
    isDone = true;
    return performance.now() - start;
  });
  const lists: number[] = [];
  while (!isDone) {
    const before = performance.now();
    await client.listCandidates({ id: 'target' });
    lists.push(performance.now() - before);
  }
  const prepare = await prepared;
  client.close();
  return { lists, prepare };
}

/** Abort a long snapshot in the middle: ms until the worker hears of it, and until the call has ended here. */
async function abortLongPrepare(): Promise<{
  readonly heard: number;
  readonly settled: number;
  readonly code: string;
}> {
  const worker = new Worker('/host-worker.js?long', { type: 'module' });
  const hear = (field: string): Promise<number> =>
    new Promise((resolve) => {
      worker.addEventListener('message', ({ data }) => {
        if (field in data) resolve(Number(data[field]));
      });
    });
  const reading = hear('reading');
  const heard = hear('heard');
  const client = connectSessionReferences({ worker });
  const controller = new AbortController();
  const prepared = client
    .prepare({ id: 'target' }, [], [{ sessionId: 'long' }], controller.signal)
    .then(() => 'none')
    .catch((error: { code: string }) => error.code);
  await reading;
  await new Promise((resolve) => setTimeout(resolve, 20));
  const start = performance.timeOrigin + performance.now();
  controller.abort();
  const code = await prepared;
  const settled = performance.timeOrigin + performance.now() - start;
  const found = { heard: (await heard) - start, settled, code };
  client.close();
  worker.terminate();
  return found;
}

/** What the spec drives. */
export interface WorkerPage {
  readonly runCase: typeof runCase;
  readonly cycle: typeof cycle;
  readonly listBesideLongPrepare: typeof listBesideLongPrepare;
  readonly abortLongPrepare: typeof abortLongPrepare;
}

Object.assign(globalThis, {
  workers: { runCase, cycle, listBesideLongPrepare, abortLongPrepare } satisfies WorkerPage,
});
