import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { importBuiltLibrary } from './built-library.ts';
import { createSubject } from './cases/library.ts';
import { runConformance } from './cases/run-conformance.ts';
import { VECTOR_FILES } from './cases/vector-file.ts';
import { readVectorFile } from './vector-files.ts';

const subject = createSubject(await importBuiltLibrary());

describe('the built library in Node', () => {
  it.each(Object.entries(VECTOR_FILES))('holds every case of %s', async (name, count) => {
    const report = await runConformance(subject, [await readVectorFile(name)]);
    expect(report.failures).toEqual([]);
    expect(report.executed).toBe(count);
  });

  it('is run on every file there is', async () => {
    const names = await readdir(new URL('./vectors', import.meta.url));
    expect(Object.keys(VECTOR_FILES).toSorted()).toEqual(names.filter((name) => name.endsWith('.json')).toSorted());
  });
});
