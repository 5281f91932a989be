import { type Draft, draftLength, sliceDraft } from './draft.ts';

/** Code units around an offset that are looked at: more than any grapheme that a person would type. */
const REACH = 128;

/** Where the chip or the grapheme before an offset starts: what one press of the backspace key deletes. */
export function previousBoundary(draft: Draft, offset: number): number {
  const before = sliceDraft(draft, Math.max(0, offset - REACH), offset).at(-1);
  if (before === undefined) return 0;
  if (before.kind === 'reference') return offset - 1;
  return offset - (splitGraphemes(before.text).at(-1)?.length ?? 1);
}

/** Where the chip or the grapheme after an offset ends: what one press of the delete key deletes. */
export function nextBoundary(draft: Draft, offset: number): number {
  const after = sliceDraft(draft, offset, Math.min(draftLength(draft), offset + REACH)).at(0);
  if (after === undefined) return offset;
  if (after.kind === 'reference') return offset + 1;
  return offset + (splitGraphemes(after.text).at(0)?.length ?? 1);
}

function splitGraphemes(text: string): readonly string[] {
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}
