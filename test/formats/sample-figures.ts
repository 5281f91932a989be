import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatReader } from '../../src/formats/format-reader.ts';
import { readRows, speak, toSample } from './read-rows.ts';

interface Figure {
  readonly index: number;
  readonly user: number;
  readonly assistant: number;
  readonly checkpoints: number;
  readonly first?: { readonly role: string; readonly text: string };
  readonly last?: { readonly role: string; readonly text: string };
}

/** A real file and what a reader made of it, beside what it has to make of it. */
export interface SampleResult {
  readonly file: string;
  readonly recognized: boolean;
  readonly found: unknown;
  readonly expected: unknown;
}

const FOLDER = process.env.SAMPLES_DIR;

/**
 * What a reader makes of the real files in `SAMPLES_DIR`, for those that have known figures.
 *
 * @param reader - a reader.
 * @param files - names of files, from the folder on.
 * @returns nothing where there are no samples.
 */
export function readSamples(reader: FormatReader, files: readonly string[]): SampleResult[] {
  if (FOLDER === undefined) return [];
  const figures = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<string, Figure[]>;
  return files.map((file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8').replace(/^\ufeff/, '');
    const rows = toRows(file, text);
    const logs = readRows(reader, rows.rows).logs;
    const expected = figures[file] ?? [];
    return {
      file,
      recognized: reader.recognizes({ ...rows, rows: rows.rows.slice(0, 50) }),
      found: expected.map(({ index }) => {
        const log = logs[index];
        return log === undefined ? 'missing' : toFigure(index, speak(log));
      }),
      expected,
    };
  });
}

function toRows(file: string, text: string): ReturnType<typeof toSample> {
  if (file.endsWith('.jsonl')) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return { layout: 'lines', rows: lines.map((line) => JSON.parse(line) as unknown) };
  }
  const value = JSON.parse(text) as unknown;
  return { ...toSample(value), rows: Array.isArray(value) ? value : [value] };
}

function toFigure(index: number, spoken: readonly string[]): Figure {
  const count = (role: string): number => spoken.filter((line) => line.startsWith(`${role}: `)).length;
  const messages = spoken.filter((line) => !line.startsWith('c: '));
  const figures = { index, user: count('u'), assistant: count('a'), checkpoints: count('c') };
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined) return figures;
  return { ...figures, first: shorten(first), last: shorten(last) };
}

function shorten(line: string): { role: string; text: string } {
  const text = line.slice(3).trim();
  return { role: line.slice(0, 1), text: text.length > 60 ? `${text.slice(0, 60)}…` : text };
}
