import { runEveryCase } from './program.ts';

/** For engines without a host, and for pages: the report, or what went wrong, in a global. */
runEveryCase().then(
  (report) => Object.assign(globalThis, { REPORT: JSON.stringify(report) }),
  (error: unknown) => Object.assign(globalThis, { REPORT: JSON.stringify({ executed: 0, failures: [String(error)] }) }),
);
