import { mergeReports, type Report } from '../../test/cases/case-report.ts';
import { HOSTILE_CASES } from '../../test/cases/hostile-cases.ts';
import { createSubject, type Library, type Subject } from '../../test/cases/library.ts';
import { runConformance } from '../../test/cases/run-conformance.ts';
import { runHostileCases } from '../../test/cases/run-hostile-cases.ts';
import { parseVectorFile, VECTOR_FILES } from '../../test/cases/vector-file.ts';

/** Run every vector in this realm, against the core entry as it is published. */
export async function runVectorsHere(): Promise<Report> {
  // Must not be a literal: the build under test is loaded as it is, not bundled with the cases.
  const url = '/dist/index.js';
  const library = (await import(url)) as Library;
  return runEveryCase(createSubject(library));
}

/** Run every case against what a host would use. */
export async function runEveryCase(subject: Subject): Promise<Report> {
  return mergeReports([
    await runConformance(subject, await fetchVectors()),
    await runHostileCases(subject, HOSTILE_CASES),
  ]);
}

/** Every file of `test/vectors`, parsed. */
export function fetchVectors(): Promise<ReturnType<typeof parseVectorFile>[]> {
  const names = Object.keys(VECTOR_FILES);
  return Promise.all(
    names.map(async (name) => {
      const response = await fetch(`/vectors/${name}`);
      return parseVectorFile(await response.text());
    }),
  );
}
