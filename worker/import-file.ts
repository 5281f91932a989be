import { untilCancelled } from '../src/cancellation.ts';
import type { Caller, CallOptions } from './caller.ts';
import type { ImportInput, ImportOptions, ImportReport } from './client-types.ts';

/**
 * Have one worker read a file and another one keep what is in it, over a port between the two.
 *
 * @param file - handed over if it is a buffer or a stream.
 * @param given - of the client's call.
 * @param openReader - connects to the worker that reads.
 * @param callKeeper - calls the worker that keeps.
 */
export async function importFile(
  file: ImportInput,
  { signal, onProgress, ...options }: ImportOptions,
  openReader: () => Promise<Caller>,
  callKeeper: (method: string, args: readonly unknown[], options: CallOptions) => Promise<unknown>,
): Promise<ImportReport> {
  const fileName = file instanceof Blob && 'name' in file ? file.name : undefined;
  const { port1, port2 } = new MessageChannel();
  const isHandedOver = file instanceof ArrayBuffer || file instanceof ReadableStream;
  const transferred = isHandedOver ? [port1, file] : [port1];
  const report = onProgress as CallOptions['onProgress'];
  const read = openReader().then((reader) =>
    reader.call('read', [file, { fileName, ...options }, port1], { signal, onProgress: report, transferred }),
  );
  // Must stay a call until the end: only a worker that is waited for is seen to die.
  const receiving = new AbortController();
  const received = callKeeper('receive', [port2], { transferred: [port2], signal: receiving.signal });
  try {
    const [imported] = await untilCancelled(Promise.all([read, received]), signal);
    return imported as ImportReport;
  } finally {
    receiving.abort();
  }
}
