import { expect, it } from 'vitest';
import { importBuiltLibrary } from './built-library.ts';
import { HOSTILE_CASES } from './cases/hostile-cases.ts';
import { createSubject } from './cases/library.ts';
import { runHostileCases } from './cases/run-hostile-cases.ts';
import { runRandomSessions } from './cases/run-random-sessions.ts';

it('holds every promise for sessions that were made to break it', async () => {
  const report = await runHostileCases(createSubject(await importBuiltLibrary()), HOSTILE_CASES);
  expect(report.failures).toEqual([]);
  expect(report.executed).toBe(HOSTILE_CASES.length);
  expect(report.executed).toBeGreaterThan(100);
});

it('comes to what it came to, for sessions of every kind', async () => {
  const report = await runRandomSessions(createSubject(await importBuiltLibrary()));
  expect(report).toEqual({ executed: 10, failures: [] });
});
