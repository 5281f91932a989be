import { runCases } from './cases.ts';
import { runStoreCases } from './store/cases.ts';

/** The cases in a browser's worker: one message per result, and `undefined` at the end. */
for await (const result of runCases()) postMessage(result);
for await (const result of runStoreCases()) postMessage(result);
postMessage(undefined);
