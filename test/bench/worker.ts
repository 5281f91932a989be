import { runCases } from './cases.ts';

/** The cases in a browser's worker: one message per result, and `undefined` at the end. */
for await (const result of runCases()) postMessage(result);
postMessage(undefined);
