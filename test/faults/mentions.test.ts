import { describe, expect, it } from 'vitest';
import {
  displayLabel,
  encodeSessionReferenceUri,
  formatSessionReferenceMention,
  parseSessionReferenceText,
} from '../../src/index.ts';

const MENTION = formatSessionReferenceMention({ sessionId: 'x', label: 'a' });
const REFERENCE = { sessionId: 'x', label: 'a' };

describe('a message', () => {
  it.each(['`actions/github-script@v7`', 'mail a@b.c', '@[x] (dsh-session:)', 'npm i @scope/name@1.2.3', '@', '@['])(
    'B38: with an @ that begins no mention is as it was: %j',
    (text) => {
      expect(parseSessionReferenceText(text)).toEqual({ text, references: [] });
    },
  );

  it('B40: has a canonical mention also in code, as the contract says', () => {
    expect(parseSessionReferenceText(`\`\`\`\n${MENTION}\n\`\`\``)).toEqual({
      text: '```\n@a\n```',
      references: [REFERENCE],
    });
  });

  it.each([
    ['(', ')'],
    ['[', ']'],
    ['[[', ']]'],
    ['（', '）'],
    ['"', '",'],
  ])('B41: has a mention between %s and %s, and they stay', (before, after) => {
    expect(parseSessionReferenceText(before + MENTION + after)).toEqual({
      text: `${before}@a${after}`,
      references: [REFERENCE],
    });
  });

  it('B46: has no reference in a name that is typed by hand', () => {
    expect(parseSessionReferenceText(`@a and ${MENTION}`)).toEqual({ text: '@a and @a', references: [REFERENCE] });
  });

  it('B47: may name the scheme; what looks like a reference and is none is an error with a code', () => {
    for (const text of ['the dsh-session: scheme', 'dsh-session:', 'is it dsh-session:?', '(dsh-session:)']) {
      expect(parseSessionReferenceText(text)).toEqual({ text, references: [] });
    }
    expect(() => parseSessionReferenceText('the dsh-session:abc scheme')).toThrow(
      expect.objectContaining({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' }),
    );
  });

  // In more than linear time these would take hours.
  it.each([
    ['@[', 2_000_000],
    ['\\\\', 2_000_000],
    ['@[a', 1_000_000],
    [']', 2_000_000],
    ['@[](dsh-session:', 200_000],
    ['dsh-session:', 200_000],
  ])('B49: of nothing but %j is read at once', (piece, count) => {
    const text = `@[${piece.repeat(count)}`;
    let references: readonly unknown[] = [];
    try {
      references = parseSessionReferenceText(text).references;
    } catch (error) {
      expect(error).toMatchObject({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
    }
    expect(references).toEqual([]);
  });
});

describe('a label', () => {
  it.each([
    ['B43', 'Team [East]'],
    ['B43', '[[a] [b]]'],
    ['B44', 'Spec [draft]'],
    ['B44', 'a\\]b'],
    ['B44', 'x](y'],
    ['B44', '\\'],
    ['B44', `x](${encodeSessionReferenceUri('evil')})`],
    ['B50', 'a\r\nb'],
    ['B50', 'a\u2028b\u0085c'],
  ])('%s: comes back from a mention, and is shown as one line: %j', (_, label) => {
    const mention = formatSessionReferenceMention({ sessionId: 'x\ny', label });
    const { text, references } = parseSessionReferenceText(`see ${mention}.`);
    expect(references).toEqual([{ sessionId: 'x\ny', label }]);
    expect(text).toBe(`see @${displayLabel(label)}.`);
    expect(text).not.toMatch(/[\n\r\u2028\u2029\u0085]/);
    expect(parseSessionReferenceText(text).references).toEqual([]);
  });
});
