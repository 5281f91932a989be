import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatSessionReferenceMention, parseSessionReferenceText } from '../../src/index.ts';
import { displayLabel, toReadableLabel } from '../../src/mention/display-label.ts';

/** What a title becomes where it is shown. */
const LABELS: readonly (readonly [string, string])[] = [
  ['Fix the login', 'Fix the login'],
  ['  two   spaces\t\ttabs ', 'two spaces tabs'],
  ['one\ntwo\vthree\ffour\rfive\r\nsix', 'one two three four five six'],
  ['next\u0085line\u2028separator\u2029paragraph', 'next line separator paragraph'],
  ['a\u00a0b\u3000c', 'a b c'],
  ['a\u0000b\u001bc\u007fd\u009fe', 'abcde'],
  ['a\u202eb\u2066c\u061cd', 'abcd'],
  ['soft\u00adhyphen, zero\u200bwidth, word\u2060joiner', 'softhyphen, zerowidth, wordjoiner'],
  ['tag\u{e0041}\u{e007f}s', 'tags'],
  ['annotation\ufff9\ufffa\ufffb', 'annotation'],
  ['👩‍🚀 می‌خواهم ❤️', '👩‍🚀 می‌خواهم ❤️'],
  ['a \u202e b', 'a b'],
  ['see dsh-session:Ingi', 'see dsh-session Ingi'],
  ['dsh-session:dsh-session:x', 'dsh-session dsh-session x'],
  ['dsh-ses\u200bsion:x', 'dsh-session x'],
  ['Fix \udb40\u200b\udc49\udb40\u200b\udc47', 'Fix \ufffd\ufffd\ufffd\ufffd'],
  ['', 'untitled session'],
  [' \n\u200b', 'untitled session'],
  ['\u200d\ufe0f', 'untitled session'],
  ['<b>&amp;</b>', '<b>&amp;</b>'],
  ['x'.repeat(120), 'x'.repeat(120)],
  ['x'.repeat(121), `${'x'.repeat(119)}…`],
  ['x'.repeat(100_000), `${'x'.repeat(119)}…`],
  ['😀'.repeat(120), '😀'.repeat(120)],
  ['😀'.repeat(121), `${'😀'.repeat(119)}…`],
  [`${'x'.repeat(118)} yz`, `${'x'.repeat(118)}…`],
  [` ${'x'.repeat(121)}`, `${'x'.repeat(119)}…`],
];

/** Labels that end inside a grapheme unless it is known where graphemes end. */
const GRAPHEMES: readonly (readonly [string, string])[] = [
  [`${'x'.repeat(118)}e\u0301yyyy`, `${'x'.repeat(118)}…`],
  [`${'x'.repeat(117)}e\u0301yyyy`, `${'x'.repeat(117)}e\u0301…`],
  [`${'x'.repeat(115)}👩‍👩‍👧zz`, `${'x'.repeat(115)}…`],
  [`${'x'.repeat(114)}👩‍👩‍👧zz`, `${'x'.repeat(114)}👩‍👩‍👧…`],
  [`${'x'.repeat(118)}🇯🇵🇩🇪`, `${'x'.repeat(118)}…`],
  [`${'x'.repeat(117)}🇯🇵🇩🇪`, `${'x'.repeat(117)}🇯🇵…`],
  [`${'x'.repeat(118)}👍🏿yyyy`, `${'x'.repeat(118)}…`],
  [`${'x'.repeat(117)}👍🏿yyyy`, `${'x'.repeat(117)}👍🏿…`],
  [`${'x'.repeat(118)}❤️yyyy`, `${'x'.repeat(118)}…`],
  [`${'x'.repeat(117)}❤️yyyy`, `${'x'.repeat(117)}❤️…`],
  [`${'x'.repeat(118)}و‌yyyy`, `${'x'.repeat(118)}…`],
];

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each<[string, () => void]>([
  ['with Intl.Segmenter', () => undefined],
  ['without Intl.Segmenter', () => vi.stubGlobal('Intl', {})],
  ['without Intl', () => vi.stubGlobal('Intl', undefined)],
])('a label %s', (_, prepare) => {
  it.each([...LABELS, ...GRAPHEMES])('of %j reads %j', (label, shown) => {
    prepare();
    expect(displayLabel(label)).toBe(shown);
    expect(displayLabel(shown)).toBe(shown);
  });
});

it('looks at a bounded start of a label only', () => {
  const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  displayLabel('x'.repeat(1_000_000));
  expect(segment.mock.calls.map(([text]) => text.length)).toEqual([480]);
  segment.mockRestore();
});

it('replaces lone surrogates where it is shown, and leaves them in the text of a message', () => {
  expect(displayLabel('a\ud800b\udc00')).toBe('a\ufffdb\ufffd');
  expect(toReadableLabel('a\ud800b')).toBe('a\ud800b');
});

it('never lets what is removed join two lone surrogates into a character that must not be there', () => {
  expect(toReadableLabel('Fix \udb40\u200b\udc49')).toBe('Fix \ufffd\ufffd');
  expect(toReadableLabel('Fix \ud83d\u200b\ude00')).toBe('Fix 😀');
  const mention = formatSessionReferenceMention({ sessionId: 'a', label: 'Hi \udb40' });
  const joined = parseSessionReferenceText(`${mention}\udc41`);
  expect(joined.text).toBe('@Hi \udb40 \udc41');
});

it.each<unknown>([undefined, null, 7, ['a']])('refuses %j with a code', (label) => {
  expect(() => displayLabel(label as string)).toThrow(
    expect.objectContaining({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' }),
  );
});
