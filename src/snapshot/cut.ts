import { isPairAt, serializedCodePointBytes } from './tag-safe-json.ts';
import { utf8Length } from './utf8-length.ts';

/** A text of which only the head and the tail are left. */
export interface CutText {
  /** Head, notice and tail. */
  readonly text: string;
  /** What it takes in tag-safe JSON, in UTF-8 bytes without quotes. */
  readonly serializedBytes: number;
  /** UTF-8 bytes of the source text that are not in it. */
  readonly omittedBytes: number;
}

/** Head and tail differ by no more serialized bytes than the dearest code point takes. */
const MAX_IMBALANCE = 12;

/** Code points around the first guess that are tried when head and tail came out unbalanced. */
const REBALANCE_STEPS = 16;

/** Where head and tail end, in code units, and what they take in tag-safe JSON. */
interface Split {
  readonly headEnd: number;
  readonly tailStart: number;
  readonly headBytes: number;
  readonly tailBytes: number;
}

/**
 * What stands where text was left out: at the cut, so that head and tail never read as one sentence.
 *
 * @param omittedBytes - UTF-8 bytes left out.
 */
export function formatOmissionNotice(omittedBytes: number): string {
  return `\n[… omitted ${omittedBytes} UTF-8 bytes …]\n`;
}

/**
 * What the notice takes in tag-safe JSON, in UTF-8 bytes.
 *
 * @param digits - decimal digits of the number in it.
 */
export function serializedNoticeBytes(digits: number): number {
  // Each of the two line breaks is two bytes in JSON.
  return utf8Length(formatOmissionNotice(0)) + 1 + digits;
}

/**
 * Cut a text down to a size: as much of its head and tail as fits, evenly, with a notice between them.
 *
 * @param text - a text that takes more than `maxBytes`.
 * @param textBytes - its UTF-8 length.
 * @param maxBytes - the most UTF-8 bytes it may take in tag-safe JSON.
 * @returns `undefined` when not even the notice fits.
 */
export function cutText(text: string, textBytes: number, maxBytes: number): CutText | undefined {
  let best: Split | undefined;
  // Leaving less out can make the number in the notice shorter, and then there is room for more.
  for (let digits = String(textBytes).length; digits > 0; ) {
    const room = maxBytes - serializedNoticeBytes(digits);
    if (room < 0) break;
    const split = splitEvenly(text, room);
    const found = countDigits(omittedBytesOf(text, textBytes, split));
    if (found > digits) break;
    best = split;
    if (found === digits) break;
    digits = found;
  }
  return best === undefined ? undefined : finish(text, textBytes, best, maxBytes);
}

/**
 * Must look at the cut as a whole once more: the room was worked out for a number of digits that the notice need not
 * have in the end, and the last code point that fits can be the one that takes a digit off.
 */
function finish(text: string, textBytes: number, split: Split, maxBytes: number): CutText {
  let current = split;
  for (let larger: Split | undefined = split; larger !== undefined; ) {
    current = larger;
    larger = findLarger(text, textBytes, current, maxBytes);
  }
  const cut = toCut(text, textBytes, current);
  if (imbalance(current) <= MAX_IMBALANCE) return cut;
  let evenest = current;
  const digits = countDigits(cut.omittedBytes);
  // A more even cut can leave more out, and tell that in one digit more.
  for (const noticeDigits of [digits, digits + 1]) {
    const evener = rebalance(text, current, maxBytes - serializedNoticeBytes(noticeDigits));
    const fits = toCut(text, textBytes, evener).serializedBytes <= maxBytes;
    const isFull = fits && findLarger(text, textBytes, evener, maxBytes) === undefined;
    if (isFull && imbalance(evener) < imbalance(evenest)) evenest = evener;
  }
  return toCut(text, textBytes, evenest);
}

/** The split with one code point more, on the smaller side where that is possible; `undefined` when none fits. */
function findLarger(text: string, textBytes: number, split: Split, maxBytes: number): Split | undefined {
  if (split.headEnd >= split.tailStart) return undefined;
  const [head, tail] = [growHead(text, split), growTail(text, split)];
  const inOrder = split.headBytes <= split.tailBytes ? [head, tail] : [tail, head];
  return inOrder.find((larger) => toCut(text, textBytes, larger).serializedBytes <= maxBytes);
}

function toCut(text: string, textBytes: number, split: Split): CutText {
  const omittedBytes = omittedBytesOf(text, textBytes, split);
  const serializedBytes = sizeOf(split) + serializedNoticeBytes(countDigits(omittedBytes));
  const notice = formatOmissionNotice(omittedBytes);
  return { text: text.slice(0, split.headEnd) + notice + text.slice(split.tailStart), serializedBytes, omittedBytes };
}

function omittedBytesOf(text: string, textBytes: number, { headEnd, tailStart }: Split): number {
  return textBytes - utf8Length(text.slice(0, headEnd)) - utf8Length(text.slice(tailStart));
}

function countDigits(count: number): number {
  return String(count).length;
}

function sizeOf({ headBytes, tailBytes }: Split): number {
  return headBytes + tailBytes;
}

function splitEvenly(text: string, room: number): Split {
  const split = grow(text, { headEnd: 0, tailStart: text.length, headBytes: 0, tailBytes: 0 }, room);
  return imbalance(split) > MAX_IMBALANCE ? rebalance(text, split, room) : split;
}

function imbalance(split: Split): number {
  return Math.abs(split.headBytes - split.tailBytes);
}

/** Add code points, always on the smaller side while one fits there, until none fits on either side. */
function grow(text: string, from: Split, room: number): Split {
  let { headEnd, tailStart, headBytes, tailBytes } = from;
  while (headEnd < tailStart) {
    const left = room - headBytes - tailBytes;
    const tailIndex = codePointBefore(text, tailStart);
    const headCost = serializedCodePointBytes(text, headEnd);
    const tailCost = serializedCodePointBytes(text, tailIndex);
    const prefersHead = headBytes <= tailBytes;
    if (headCost <= left && (prefersHead || tailCost > left)) {
      headBytes += headCost;
      headEnd += isPairAt(text, headEnd) ? 2 : 1;
    } else if (tailCost <= left) {
      tailBytes += tailCost;
      tailStart = tailIndex;
    } else {
      break;
    }
  }
  return { headEnd, tailStart, headBytes, tailBytes };
}

function growHead(text: string, { headEnd, tailStart, headBytes, tailBytes }: Split): Split {
  const end = headEnd + (isPairAt(text, headEnd) ? 2 : 1);
  return { headEnd: end, tailStart, headBytes: headBytes + serializedCodePointBytes(text, headEnd), tailBytes };
}

function growTail(text: string, { headEnd, tailStart, headBytes, tailBytes }: Split): Split {
  const start = codePointBefore(text, tailStart);
  return { headEnd, tailStart: start, headBytes, tailBytes: tailBytes + serializedCodePointBytes(text, start) };
}

/**
 * Find a better place near an unbalanced split. Only where code points of 12 bytes (tag characters) meet cheap ones can
 * the greedy way leave head and tail further apart than one code point.
 */
function rebalance(text: string, split: Split, room: number): Split {
  let best = split;
  let { headEnd, headBytes } = split;
  for (let step = 0; step < REBALANCE_STEPS && headEnd > 0; step += 1) {
    headEnd = codePointBefore(text, headEnd);
    headBytes -= serializedCodePointBytes(text, headEnd);
  }
  for (let step = 0; step < 2 * REBALANCE_STEPS && headBytes <= room; step += 1) {
    const candidate = grow(text, fillTail(text, headEnd, headBytes, room), room);
    if (imbalance(candidate) < imbalance(best)) best = candidate;
    headBytes += serializedCodePointBytes(text, headEnd);
    headEnd += isPairAt(text, headEnd) ? 2 : 1;
  }
  return best;
}

function fillTail(text: string, headEnd: number, headBytes: number, room: number): Split {
  let split: Split = { headEnd, tailStart: text.length, headBytes, tailBytes: 0 };
  while (split.tailStart > headEnd) {
    const larger = growTail(text, split);
    if (sizeOf(larger) > room) break;
    split = larger;
  }
  return split;
}

function codePointBefore(text: string, index: number): number {
  return index >= 2 && isPairAt(text, index - 2) ? index - 2 : index - 1;
}
