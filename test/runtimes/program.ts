import * as library from '../../dist/index.js';
import type { Report } from '../cases/case-report.ts';
import { createSubject } from '../cases/library.ts';
import { runEveryCase } from '../cases/run-every-case.ts';
import { parseVectorFile } from '../cases/vector-file.ts';

/** The texts of the vector files; put in by whoever builds this program. */
declare const VECTOR_TEXTS: readonly string[];

/** Every case of the project, against the built core, in whatever runtime this is. */
export function runEveryCaseHere(): Promise<Report> {
  return runEveryCase(createSubject(library as never), VECTOR_TEXTS.map(parseVectorFile));
}
