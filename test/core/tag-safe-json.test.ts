import { describe, expect, it } from 'vitest';
import { serializedTextBytes, stringifyTagSafe } from '../../src/snapshot/tag-safe-json.ts';

/** A character, and the bytes that it takes in tag-safe JSON. */
const COSTS: readonly (readonly [string, number])[] = [
  ...[...' !#;=[]~aZ0'].map((character): [string, number] => [character, 1]),
  ...[...'"\\\b\t\n\f\r'].map((character): [string, number] => [character, 2]),
  ...[...'<\0\u0001\u000b\u001f\u007f\u0080\u009f\u061c'].map((character): [string, number] => [character, 6]),
  ...[...'\u00a0ÿĀ\u061b\u061d\u07ff'].map((character): [string, number] => [character, 2]),
  ...[...'\u0800会\u200d\u200c\u2010\u2027\u202f\u2065\u206a\ufe0f\ufeff\ufffd\uffff'].map(
    (character): [string, number] => [character, 3],
  ),
  ...[...'\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\udc00\udfff\ud800\udbff'].map(
    (character): [string, number] => [character, 6],
  ),
  ...[...'😀\u{10000}\u{10ffff}\u{e0080}\u{e0100}\u{dffff}'].map((character): [string, number] => [character, 4]),
  ...[...'\u{e0000}\u{e0001}\u{e007f}'].map((character): [string, number] => [character, 12]),
];

describe('the bytes of a text in tag-safe JSON', () => {
  it.each(COSTS)('of %j are %i', (character, bytes) => {
    for (const text of [character, `a${character}`, `${character}a`, `<${character}`]) {
      const made = new TextEncoder().encode(stringifyTagSafe(text)).length - 2;
      expect(serializedTextBytes(text, 1_000)).toBe(made);
    }
    expect(serializedTextBytes(character, 1_000)).toBe(bytes);
  });

  it('are told up to a limit, beyond which any larger number will do', () => {
    expect(serializedTextBytes('<<<', 18)).toBe(18);
    expect(serializedTextBytes('<<<', 17)).toBeGreaterThan(17);
    expect(serializedTextBytes('x'.repeat(100), 99)).toBeGreaterThan(99);
    expect(serializedTextBytes('', 0)).toBe(0);
  });
});
