import { storeApi } from './store-api.ts';

/** The page's types stand in for the worker's: of its scope, only this is used. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<number>) => void) | null;
  postMessage(message: unknown): void;
}

const scope = globalThis as unknown as WorkerScope;
scope.onmessage = ({ data }): void => {
  storeApi.runSuite(data).then(
    (report) => scope.postMessage(report),
    // Must become an uncaught error: that is what the page listens for.
    (error: unknown) =>
      setTimeout(() => {
        throw error;
      }),
  );
};
