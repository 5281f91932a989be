import type { Report } from '../../test/cases/case-report.ts';
import { createSubject, type Library } from '../../test/cases/library.ts';
import { runEveryCase } from '../../test/cases/run-every-case.ts';
import { parseVectorFile, VECTOR_FILES } from '../../test/cases/vector-file.ts';

/** Run every case in this realm, against the core entry as it is published. */
export async function runVectorsHere(): Promise<Report> {
  // Must not be a literal: the build under test is loaded as it is, not bundled with the cases.
  const url = '/dist/index.js';
  const library = (await import(url)) as Library;
  return runEveryCase(createSubject(library), await fetchVectors());
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
