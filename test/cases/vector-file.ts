/** One file of `test/vectors`; its README says what the cases hold and how they are compared. */
export interface VectorFile {
  readonly kind: string;
  readonly cases: readonly unknown[];
}

/** Every file of `test/vectors`, with the number of its cases. */
export const VECTOR_FILES: Readonly<Record<string, number>> = {
  'uri-encode.json': 47,
  'uri-decode.json': 58,
  'mention-format.json': 20,
  'mention-parse.json': 108,
  'config.json': 13,
  'candidates.json': 30,
  'surface-fold.json': 12,
  'prepare-exact.json': 155,
  'prepare-invariant.json': 217,
};

/**
 * Read a vector file. Lone surrogates stand as escapes in it, so that its text is plain UTF-8.
 *
 * @param text - the text of the file.
 */
export function parseVectorFile(text: string): VectorFile {
  return JSON.parse(text, (_key, value: unknown) => expandRepeat(value)) as VectorFile;
}

/** `{"$repeat": [[unit, count], …]}` stands for the concatenated string. */
function expandRepeat(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '$repeat')) return value;
  const { $repeat: runs } = value as { $repeat: readonly (readonly [unit: string, count: number])[] };
  return runs.map(([unit, count]) => unit.repeat(count)).join('');
}
