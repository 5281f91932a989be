import { SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import type { FormatReader, FormatSample } from './format-reader.ts';

/**
 * The reader of a file: the one that was asked for, else the first that is sure.
 *
 * @param readers - the most specific first.
 * @param sample - the first rows.
 * @param format - what the caller says the file is.
 * @throws SessionReferenceError `INVALID_LOG` with what was seen and what is known.
 */
export function chooseReader(
  readers: readonly FormatReader[],
  sample: FormatSample,
  format: string | undefined,
): FormatReader {
  const reader = format === undefined ? readers.find((one) => one.recognizes(sample)) : findByName(readers, format);
  if (reader !== undefined) return reader;
  const known = readers.map(({ title }) => title).join(', ');
  const message = `The file is no known format: ${describeSample(sample)}. Known are: ${known}.`;
  throw new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}

function findByName(readers: readonly FormatReader[], format: string): FormatReader {
  const reader = readers.find((one) => one.format === format);
  if (reader !== undefined) return reader;
  const known = readers.map((one) => one.format).join(', ');
  throw new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', `There is no such format. Known are: ${known}.`);
}

const LAYOUTS = { lines: 'JSON lines', array: 'a JSON array', value: 'one JSON object' } as const;

/** Keys that are named; only such that are words, because any other could be somebody's text. */
const MAX_KEYS = 8;

function describeSample({ layout, rows: [first] }: FormatSample): string {
  const keys = isRecord(first) ? Object.keys(first).filter((key) => /^\w{1,24}$/.test(key)) : [];
  const named = keys.slice(0, MAX_KEYS).join(', ');
  return `${LAYOUTS[layout]}${named === '' ? '' : ` with the keys ${named}`}`;
}
