import { describe, expect, it } from 'vitest';
import * as library from '../src/index.ts';
import { HOSTILE_CASES } from './cases/hostile-cases.ts';
import { createSubject } from './cases/library.ts';
import { runConformance } from './cases/run-conformance.ts';
import { runHostileCases } from './cases/run-hostile-cases.ts';
import { runRandomSessions } from './cases/run-random-sessions.ts';
import { VECTOR_FILES } from './cases/vector-file.ts';
import { readVectorFile } from './vector-files.ts';

/** The same cases as for the built package, on the sources: what coverage and mutants are measured by. */
const subject = createSubject(library);

describe('the sources', () => {
  it.each(Object.entries(VECTOR_FILES))('hold every case of %s', async (name, count) => {
    const report = await runConformance(subject, [await readVectorFile(name)]);
    expect(report.failures).toEqual([]);
    expect(report.executed).toBe(count);
  });

  it('hold every promise for sessions that were made to break it', async () => {
    expect((await runHostileCases(subject, HOSTILE_CASES)).failures).toEqual([]);
  });

  it('come to what they came to, for sessions of every kind', async () => {
    expect(await runRandomSessions(subject)).toEqual({ executed: 10, failures: [] });
  });
});
