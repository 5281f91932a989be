import { describe, expect, it } from 'vitest';
import { cutText, formatOmissionNotice } from '../../src/snapshot/cut.ts';
import { stringifyTagSafe } from '../../src/snapshot/tag-safe-json.ts';

const TAG = '\u{e0041}';

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** What a text takes in tag-safe JSON, quotes not counted, by making it. */
function serializedBytes(text: string): number {
  return bytesOf(stringifyTagSafe(text)) - 2;
}

/** Head and tail of a cut, by all places at which its notice may stand. */
function partsOf(source: string, cut: string, omittedBytes: number): { head: string; tail: string } {
  const notice = formatOmissionNotice(omittedBytes);
  for (let at = cut.indexOf(notice); at >= 0; at = cut.indexOf(notice, at + 1)) {
    const [head, tail] = [cut.slice(0, at), cut.slice(at + notice.length)];
    if (source.startsWith(head) && source.endsWith(tail) && head.length + tail.length <= source.length)
      return { head, tail };
  }
  throw new Error('The cut is not made of the source and a notice.');
}

function codePoints(text: string): string[] {
  return Array.from(text);
}

/** Whether head and tail can have one code point more, with the notice that there would be then. */
function fitsMore(source: string, head: string, tail: string, maxBytes: number): boolean {
  const middle = codePoints(source.slice(head.length, source.length - tail.length));
  if (middle.length === 0) return false;
  const larger = [
    [head + middle[0], tail],
    [head, middle.at(-1) + tail],
  ] as const;
  return larger.some(([more, end]) => {
    const omitted = bytesOf(source) - bytesOf(more) - bytesOf(end);
    return serializedBytes(more + formatOmissionNotice(omitted) + end) <= maxBytes;
  });
}

/** As many bytes as the dearest code point takes. */
const MAX_IMBALANCE = 12;

/** How far head and tail are apart at the least, in all cuts to which nothing can be added. */
function leastImbalance(source: string, maxBytes: number): number {
  const points = codePoints(source);
  const heads = [0];
  for (const point of points) heads.push((heads.at(-1) ?? 0) + serializedBytes(point));
  const all = heads.at(-1) ?? 0;
  let least = Number.POSITIVE_INFINITY;
  for (let head = 0; head < points.length; head += 1) {
    for (let tail = points.length; tail > head; tail -= 1) {
      const apart = Math.abs((heads[head] ?? 0) - (all - (heads[tail] ?? 0)));
      if (apart >= least) continue;
      const [start, end] = [points.slice(0, head).join(''), points.slice(tail).join('')];
      const omitted = bytesOf(source) - bytesOf(start) - bytesOf(end);
      if (serializedBytes(start + formatOmissionNotice(omitted) + end) > maxBytes) continue;
      if (!fitsMore(source, start, end, maxBytes)) least = apart;
    }
  }
  return least;
}

const SOURCES: readonly (readonly [string, string])[] = [
  ['letters', 'abcdefghij'.repeat(14)],
  ['two bytes', 'äöüß'.repeat(30)],
  ['three bytes', '会话参照版本'.repeat(14)],
  ['pairs', '😀🎉🚀'.repeat(16)],
  ['quotes', '"\\'.repeat(60)],
  ['tags', '<b>'.repeat(40)],
  ['controls', '\u0001\u0085'.repeat(20)],
  ['lone surrogates', 'x\ud800y\udc00'.repeat(20)],
  ['hidden tags', TAG.repeat(20)],
  ['letters with a hidden tag at the start', `ab${TAG}${'cdefghijkl'.repeat(12)}`],
  ['letters with a hidden tag at the end', `${'cdefghijkl'.repeat(12)}${TAG}mn`],
  ['hidden tags among letters', `${TAG}a${TAG}bcdefg${TAG}${'hijklmno'.repeat(12)}${TAG}p${TAG}${TAG}q`],
  ['a cheap head and a dear tail', 'a'.repeat(80) + TAG.repeat(12)],
  ['a dear head and a cheap tail', TAG.repeat(12) + 'a'.repeat(80)],
  ['a word and a hidden tag at the end', `\n[… omitted 0 UTF-8 bytes …]\n${'deploy '.repeat(10)}dep ${TAG}`],
  ['everything', `a"<é会😀${TAG}\ud800\n`.repeat(8)],
];

describe.each(SOURCES)('a text of %s', (_, source) => {
  const whole = bytesOf(source);

  it('is cut to every size: exact, as long as can be, and even', () => {
    let lastLength = 0;
    for (let maxBytes = 30; maxBytes < serializedBytes(source); maxBytes += 1) {
      const cut = cutText(source, whole, maxBytes);
      const notice = serializedBytes(formatOmissionNotice(whole));
      if (cut === undefined) {
        expect([maxBytes, notice > maxBytes]).toEqual([maxBytes, true]);
        continue;
      }
      const { head, tail } = partsOf(source, cut.text, cut.omittedBytes);
      expect([maxBytes, cut.serializedBytes]).toEqual([maxBytes, serializedBytes(cut.text)]);
      expect(cut.serializedBytes).toBeLessThanOrEqual(maxBytes);
      expect([maxBytes, cut.omittedBytes]).toEqual([maxBytes, whole - bytesOf(head) - bytesOf(tail)]);
      expect([maxBytes, fitsMore(source, head, tail, maxBytes)]).toEqual([maxBytes, false]);
      expect(codePoints(source).slice(0, codePoints(head).length).join('')).toBe(head);
      const apart = Math.abs(serializedBytes(head) - serializedBytes(tail));
      if (apart > MAX_IMBALANCE) expect([maxBytes, apart]).toEqual([maxBytes, leastImbalance(source, maxBytes)]);
      lastLength = cut.text.length;
    }
    expect(lastLength).toBeGreaterThan(0);
  });
});

/** Text, bytes, and what is left: where both sides could have the next code point, the head has it. */
const CUTS: readonly (readonly [string, number, string | undefined])[] = [
  ['abcdefghij'.repeat(9), 30, undefined],
  ['abcdefghij'.repeat(9), 35, undefined],
  ['abcdefghij'.repeat(9), 36, '\n[… omitted 90 UTF-8 bytes …]\n'],
  ['abcdefghij'.repeat(9), 37, 'a\n[… omitted 89 UTF-8 bytes …]\n'],
  ['abcdefghij'.repeat(9), 38, 'a\n[… omitted 88 UTF-8 bytes …]\nj'],
  ['abcdefghij'.repeat(9), 39, 'ab\n[… omitted 87 UTF-8 bytes …]\nj'],
  // One byte less to tell is one byte more to keep.
  ['abcdefghij'.repeat(10), 36, undefined],
  ['abcdefghij'.repeat(10), 37, 'a\n[… omitted 99 UTF-8 bytes …]\n'],
  ['abcdefghij'.repeat(10), 38, 'a\n[… omitted 98 UTF-8 bytes …]\nj'],
  ['😀'.repeat(20), 39, '\n[… omitted 80 UTF-8 bytes …]\n'],
  ['😀'.repeat(20), 40, '😀\n[… omitted 76 UTF-8 bytes …]\n'],
  ['😀'.repeat(20), 44, '😀\n[… omitted 72 UTF-8 bytes …]\n😀'],
  [`${TAG}${'a'.repeat(60)}`, 42, '\n[… omitted 58 UTF-8 bytes …]\naaaaaa'],
];

it.each(CUTS)('%j in %i bytes is %j', (source, maxBytes, text) => {
  expect(cutText(source, bytesOf(source), maxBytes)?.text).toBe(text);
});
