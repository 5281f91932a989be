import * as library from '../../dist/index.js';
import { mergeReports, type Report } from '../cases/case-report.ts';
import { HOSTILE_CASES } from '../cases/hostile-cases.ts';
import { createSubject } from '../cases/library.ts';
import { runConformance } from '../cases/run-conformance.ts';
import { runHostileCases } from '../cases/run-hostile-cases.ts';
import { parseVectorFile } from '../cases/vector-file.ts';

/** The texts of the vector files; put in by whoever builds this program. */
declare const VECTOR_TEXTS: readonly string[];

/** Every case of the project, against the built core, in whatever runtime this is. */
export async function runEveryCase(): Promise<Report> {
  const subject = createSubject(library as never);
  return mergeReports([
    await runConformance(subject, VECTOR_TEXTS.map(parseVectorFile)),
    await runHostileCases(subject, HOSTILE_CASES),
  ]);
}
