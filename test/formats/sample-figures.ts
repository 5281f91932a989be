import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FormatReader } from '../../src/formats/format-reader.ts';
import type { SessionLog } from '../../src/session/session.ts';
import { readRows, speak, toSample } from './read-rows.ts';

interface Figure {
  readonly index: number;
  readonly user: number;
  readonly assistant: number;
  readonly checkpoints: number;
  readonly first?: { readonly role: string; readonly text: string };
  readonly last?: { readonly role: string; readonly text: string };
}

const FOLDER = process.env.SAMPLES_DIR;

/**
 * Adds a test of what a reader makes of the real files in `SAMPLES_DIR`; there is none without that folder.
 *
 * @param reader - a reader.
 * @param files - names of files that have known figures, from the folder on.
 */
export function testSamples(reader: FormatReader, files: readonly string[]): void {
  if (FOLDER === undefined) return;
  const figures = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<string, Figure[]>;
  it.each(files)('gives the figures of the real file %s', (file) => {
    const sample = toRows(file, readFileSync(join(FOLDER, file), 'utf8').replace(/^\ufeff/, ''));
    const { logs } = readRows(reader, sample.rows);
    const expected = figures[file] ?? [];
    expect(reader.recognizes({ ...sample, rows: sample.rows.slice(0, 50) })).toBe(true);
    expect(expected.map(({ index }) => toFigure(index, logs[index]))).toMatchObject(expected);
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

function toFigure(index: number, log: SessionLog | undefined): Figure | 'missing' {
  if (log === undefined) return 'missing';
  const spoken = speak(log);
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
