import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** How many faults the list has. A row more or less is a decision. */
const FAULTS = 68;

interface Fault {
  readonly number: string;
  readonly rule: string;
  readonly file: string;
  readonly words: string;
}

function readFaults(table: string): Fault[] {
  return Array.from(table.matchAll(/^\| (B\d+) \| (.+) \| (\S+) › (.+) \|$/gm), ([, number, rule, file, words]) => ({
    number: number ?? '',
    rule: rule ?? '',
    file: file ?? '',
    words: words ?? '',
  }));
}

const table = await readFile(`${ROOT}test/faults.md`, 'utf8');
const faults = readFaults(table);

describe('the faults of other software', () => {
  it('are all in the table, each once', () => {
    expect(faults).toHaveLength(FAULTS);
    expect(table.match(/^\| B\d/gm)).toHaveLength(FAULTS);
    expect(new Set(faults.map(({ number }) => number)).size).toBe(FAULTS);
  });

  it.each(faults)('$number: $rule', async ({ number, file, words }) => {
    expect(words).toMatch(new RegExp(`^'?${number}\\b`));
    expect(await readFile(`${ROOT}${file}`, 'utf8')).toContain(words);
  });
});
