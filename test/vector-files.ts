import { readFile } from 'node:fs/promises';
import { parseVectorFile, type VectorFile } from './cases/vector-file.ts';

/** @param name - of a file in `test/vectors`. */
export async function readVectorFile(name: string): Promise<VectorFile> {
  return parseVectorFile(await readFile(new URL(`./vectors/${name}`, import.meta.url), 'utf8'));
}
