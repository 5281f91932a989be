import { describeType, SessionReferenceError } from '../error.ts';
import { SESSION_REFERENCE_SCHEME } from './uri.ts';
import { replaceLoneSurrogates } from './well-formed.ts';

/** The most code points a readable label has. */
export const MAX_LABEL_CODE_POINTS = 120;

/** What a label reads when nothing of it can be seen. */
const NAMELESS = 'untitled session';

const ELLIPSIS = '…';

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
const HIDDEN =
  /(?!\u200c|\u200d|\p{Variation_Selector})[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/gu;

/**
 * Another session's title, or its id, as it may be shown and sent: untrusted text made safe.
 *
 * One line of well-formed Unicode with single spaces, without control, bidi, tag and other default-ignorable characters
 * (UAX #44 properties; ZWJ, ZWNJ and variation selectors stay, because emoji and scripts need them), at most 120 code
 * points with `…` where it was cut, never inside a grapheme, and never itself a session reference. A label of which
 * nothing can be seen reads `untitled session`. Applying it twice changes nothing more.
 *
 * @param label - as another session had it. It is still text, never HTML.
 * @throws SessionReferenceError `INVALID_REFERENCE` when it is no string.
 */
export function displayLabel(label: string): string {
  if (typeof label !== 'string') {
    const message = `A label must be a string, not ${describeType(label)}.`;
    throw new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
  }
  return toReadableLabel(replaceLoneSurrogates(label));
}

/**
 * {@link displayLabel} of a text whose lone surrogates stay what they are.
 *
 * @param label - as another session had it.
 */
export function toReadableLabel(label: string): string {
  const shown = removeHidden(label);
  // Must look again: where something was removed between two lone surrogates, they may now be what must not be there.
  const line = (shown.search(HIDDEN) < 0 ? shown : removeHidden(replaceLoneSurrogates(label)))
    .replaceAll(SESSION_REFERENCE_SCHEME, `${SESSION_REFERENCE_SCHEME.slice(0, -1)} `)
    .replace(/\s+/g, ' ')
    .trim();
  return /(?!\u200c|\u200d|\p{Variation_Selector})\S/u.test(line) ? shorten(line) : NAMELESS;
}

function removeHidden(label: string): string {
  return label.replace(LINE_BREAKS, ' ').replace(HIDDEN, '');
}

function shorten(line: string): string {
  // Must look at a bounded start only: 120 code points and the one that decides where the last grapheme ends.
  const start = line.slice(0, 4 * MAX_LABEL_CODE_POINTS);
  if (Array.from(start).length <= MAX_LABEL_CODE_POINTS) return line;
  let kept = '';
  let codePoints = 0;
  for (const grapheme of splitGraphemes(start)) {
    codePoints += Array.from(grapheme).length;
    if (codePoints >= MAX_LABEL_CODE_POINTS) break;
    kept += grapheme;
  }
  return kept.trimEnd() + ELLIPSIS;
}

/** A base character with what attaches to it: enough of UAX #29 for runtimes without `Intl.Segmenter`. */
const GRAPHEME =
  /\p{Regional_Indicator}{2}|[\s\S](?:[\p{M}\p{Emoji_Modifier}\u200c]|\u200d\p{Extended_Pictographic}?)*/gu;

function splitGraphemes(text: string): Iterable<string> {
  if (typeof Intl !== 'object' || typeof Intl.Segmenter !== 'function') return text.match(GRAPHEME) ?? [];
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}
