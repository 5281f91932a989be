import { runEveryCaseHere } from './program.ts';

/** For runtimes with a console: the report as the last line. */
runEveryCaseHere().then(
  (report) => console.log(`REPORT ${JSON.stringify(report)}`),
  (error: unknown) => console.log(`REPORT ${JSON.stringify({ executed: 0, failures: [String(error)] })}`),
);
