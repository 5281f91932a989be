import type { Library, Subject } from '../../test/cases/library.ts';
import { connectSessionReferences } from '../worker/library.ts';

/**
 * What a host sees that swaps the service for the client: the library on the page, the service in the package's own
 * worker, the sessions on the page again.
 *
 * @param library - the core entry.
 * @param address - of the package's worker script.
 */
export function throughClient(library: Library, address: string): Subject {
  const createService: Subject['createService'] = (query, config) => {
    const worker = (): Worker => new Worker(address, { type: 'module' });
    const client = connectSessionReferences({ worker, query, config: config as never });
    // Must not pile up: a case asks its service once.
    const once =
      <Arguments extends unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
      (...args: Arguments): Promise<Result> =>
        call(...args).finally(() => client.close());
    return { listCandidates: once(client.listCandidates), prepare: once(client.prepare) };
  };
  return { library, createService };
}
