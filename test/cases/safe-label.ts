import { describeValue } from './deep-equal.ts';

/** The most code points of a readable label (DESIGN §4). */
const MAX_CODE_POINTS = 120;

/** Joiners and variation selectors are default-ignorable, but emoji and scripts need them. */
const KEPT = /[\u200c\u200d]|\p{Variation_Selector}/u;
const REFUSED = /[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\u{e0000}-\u{e007f}]/u;

/**
 * What makes a readable label unsafe to show or to send. Written apart from the library, from the contract alone.
 *
 * @param label - what the library made readable.
 * @param original - what another session wrote; a lone surrogate in it may still be there.
 */
export function findUnsafeLabelProblems(label: string, original: string): string[] {
  const problems: string[] = [];
  const codePoints = Array.from(label);
  if (label.trim() === '') problems.push('the label cannot be seen');
  if (codePoints.length > MAX_CODE_POINTS) problems.push(`the label has ${codePoints.length} code points`);
  const refused = codePoints.find((codePoint) => REFUSED.test(codePoint) && !KEPT.test(codePoint));
  if (refused !== undefined) problems.push(`the label contains ${describeValue(refused)}`);
  if (/\p{Surrogate}/u.test(label) && !/\p{Surrogate}/u.test(original)) problems.push('the label is not well-formed');
  if (/dsh-session:[\w-]/.test(label) || /@\[.*\]\(dsh-session:/.test(label)) problems.push('the label is a mention');
  if (splitsGrapheme(label, original)) problems.push('the label ends inside a grapheme');
  return problems;
}

/** Whether a shortened label ends in the middle of what a reader sees as one character. */
function splitsGrapheme(label: string, original: string): boolean {
  if (!label.endsWith('…') || typeof Intl !== 'object' || typeof Intl.Segmenter !== 'function') return false;
  const kept = label.slice(0, -1);
  // What may not be shown joins nothing either: an invisible tag character is no part of the flag behind it.
  const shown = Array.from(original.replace(/[\s\u0085]/g, ' '), (codePoint) =>
    REFUSED.test(codePoint) && !KEPT.test(codePoint) ? '' : codePoint,
  ).join('');
  const start = shown.indexOf(kept);
  if (start < 0 || shown === label) return false;
  const end = start + kept.length;
  if (end >= shown.length) return false;
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  // Must go through them in order: asked for one in the middle, WebKit finds boundaries inside of emoji.
  for (const { index } of segmenter.segment(shown.slice(start))) {
    if (index >= kept.length) return index > kept.length;
  }
  return true;
}
