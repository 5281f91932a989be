import { mergeReports, type Report } from './case-report.ts';
import { HOSTILE_CASES } from './hostile-cases.ts';
import type { Subject } from './library.ts';
import { runConformance } from './run-conformance.ts';
import { runHostileCases } from './run-hostile-cases.ts';
import { runRandomSessions } from './run-random-sessions.ts';
import type { VectorFile } from './vector-file.ts';

/**
 * Every case of the project.
 *
 * @param subject - what is proved.
 * @param files - the parsed files of `test/vectors`.
 */
export async function runEveryCase(subject: Subject, files: readonly VectorFile[]): Promise<Report> {
  return mergeReports([
    await runConformance(subject, files),
    await runHostileCases(subject, HOSTILE_CASES),
    await runRandomSessions(subject),
  ]);
}
