import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSessions } from '../../src/formats/index.ts';
import { foldSurface } from '../../src/session/surface.ts';
import { projectConversation } from '../../src/snapshot/projection.ts';

/** One conversation of a real file, as `expected.json` has it. */
interface Figure {
  readonly index: number;
  readonly user: number;
  readonly assistant: number;
  readonly checkpoints: number;
  readonly first?: { readonly role: string; readonly text: string };
  readonly last?: { readonly role: string; readonly text: string };
}

const FOLDER = process.env.SAMPLES_DIR;

/** Files of other people, which are never part of this project; its own fixtures prove each rule without them. */
const FIGURES: Readonly<Record<string, readonly Figure[]>> =
  FOLDER === undefined
    ? {}
    : (JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8')) as Record<string, Figure[]>);

/** Files of a tool that is not read: they hold no session of the formats that are. */
const FOREIGN: readonly string[] = ['librechat/chatbotui-export.json'];

/** What the figures call a text: its first 60 characters. */
function shorten(text: string): string {
  const codePoints = Array.from(text);
  return codePoints.length > 60 ? `${codePoints.slice(0, 60).join('')}…` : text;
}

async function readFigures(file: string): Promise<Figure[]> {
  const bytes = readFileSync(join(FOLDER ?? '', file));
  const figures: Figure[] = [];
  for await (const { events } of readSessions(bytes, { fileName: file.replace(/^.*\//, ''), decompressZstd })) {
    const units = projectConversation(foldSurface(events));
    const toQuote = (unit: (typeof units)[number] | undefined) =>
      unit === undefined || unit.checkpoint
        ? undefined
        : { role: unit.role === 'user' ? 'u' : 'a', text: shorten(unit.text.trim()) };
    const [first, last] = [toQuote(units.find(({ checkpoint }) => !checkpoint)), toQuote(units.at(-1))];
    figures.push({
      index: figures.length,
      user: units.filter(({ role, checkpoint }) => role === 'user' && !checkpoint).length,
      assistant: units.filter(({ role }) => role === 'assistant').length,
      checkpoints: units.filter(({ checkpoint }) => checkpoint).length,
      ...(first === undefined ? {} : { first }),
      ...(last === undefined ? {} : { last }),
    });
  }
  return figures;
}

async function decompressZstd(bytes: Uint8Array): Promise<Uint8Array> {
  const { decompress } = await import('fzstd');
  return decompress(bytes);
}

const files = Object.entries(FIGURES).filter(([file]) => existsSync(join(FOLDER ?? '', file)));

it.runIf(FOLDER !== undefined).each(files)('%s gives its figures', async (file, expected) => {
  if (expected.length === 0) return;
  if (FOREIGN.includes(file)) {
    await expect(readFigures(file)).rejects.toMatchObject({ code: 'SESSION_REFERENCE_INVALID_LOG' });
    return;
  }
  const found = await readFigures(file);
  expect(expected.map(({ index }) => found[index])).toMatchObject(expected);
});

it('has real files, or says that it has none', () => {
  if (FOLDER === undefined)
    console.info('SAMPLES_DIR is not set: the readers are proved on the fixtures of this project only.');
  expect(FOLDER === undefined || files.length > 0).toBe(true);
});
