import { runCases } from './cases.ts';

/** The cases in Node: one line of JSON per result on standard output. */
for await (const result of runCases()) process.stdout.write(`${JSON.stringify(result)}\n`);
