import { runEveryCaseHere } from './program.ts';

/** For engines without a host, and for pages: the report, or what went wrong, in a global. */
runEveryCaseHere().then(
  (report) => Object.assign(globalThis, { REPORT: JSON.stringify(report) }),
  (error: unknown) => Object.assign(globalThis, { REPORT: JSON.stringify({ executed: 0, failures: [String(error)] }) }),
);
