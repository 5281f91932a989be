import { describe, expect, it } from 'vitest';
import {
  decodeSessionReferenceUri,
  encodeSessionReferenceUri,
  formatSessionReferenceMention,
  parseSessionReferenceText,
} from '../../src/index.ts';

const INVALID_REFERENCE = 'SESSION_REFERENCE_INVALID_REFERENCE';
const URI = encodeSessionReferenceUri('x');

function failureOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('what is refused in a mention', () => {
  it.each<[string, () => unknown, string]>([
    ['a text that is none', () => parseSessionReferenceText(7 as never), 'The text must be a string, not a number.'],
    ['an id that is none', () => encodeSessionReferenceUri(7 as never), 'A session id must be a string, not a number.'],
    [
      'a URI that is none',
      () => decodeSessionReferenceUri(null as never),
      'A session reference must be a string, not null.',
    ],
    [
      'another scheme',
      () => decodeSessionReferenceUri('https://example.com'),
      '"https://example.com" is not a canonical session reference.',
    ],
    [
      'a payload of another alphabet',
      () => decodeSessionReferenceUri('dsh-session:%%'),
      '"dsh-session:%%" is not a canonical session reference.',
    ],
    [
      'JSON that is no string',
      () => decodeSessionReferenceUri('dsh-session:MTI'),
      '"dsh-session:MTI" is not a canonical session reference.',
    ],
    [
      'bytes that are no UTF-8',
      () => decodeSessionReferenceUri('dsh-session:_w'),
      '"dsh-session:_w" is not a canonical session reference.',
    ],
    [
      'a reference that is none',
      () => formatSessionReferenceMention('x' as never),
      'A reference must be an object, not a string.',
    ],
    [
      'an id of a reference that is none',
      () => formatSessionReferenceMention({ sessionId: 7 } as never),
      "A reference's sessionId must be a string, not a number.",
    ],
    [
      'a label that is none',
      () => formatSessionReferenceMention({ sessionId: 'x', label: [] } as never),
      "A reference's label must be a string, not an array.",
    ],
  ])('%s', (_, call, message) => {
    expect(failureOf(call)).toMatchObject({ name: 'SessionReferenceError', code: INVALID_REFERENCE, message });
  });
});

/** What a person wrote, what the message reads, and the labels of what it references. */
const TEXTS: readonly (readonly [string, string, readonly string[]])[] = [
  ['', '', []],
  ['nothing here', 'nothing here', []],
  [`see @[One](${URI}), please`, 'see @One, please', ['One']],
  [`@[One](${URI})@[Two](${URI})`, '@One@Two', ['One', 'Two']],
  [`@[](${URI})`, '@untitled session', ['']],
  [`@[a\\]b\\\\c\\d](${URI})`, '@a]b\\cd', ['a]b\\cd']],
  [`@[a\\\nb](${URI})`, '@a b', ['a\nb']],
  [`@[one [two](${URI})`, '@one [two', ['one [two']],
  [`@[never closed ${URI}`, '@[never closed @x', ['x']],
  [`@[label](${URI}`, '@[label](@x', ['x']],
  [`bare ${URI}, and again: ${URI}.`, 'bare @x, and again: @x.', ['x', 'x']],
  [`before ${URI} @[One](${URI}) after ${URI}`, 'before @x @One after @x', ['x', 'One', 'x']],
  ['dsh-session: alone, dsh-session:', 'dsh-session: alone, dsh-session:', []],
  // A label and what follows it must not spell the scheme together.
  [`@[dsh-ses](${URI})sion: x`, '@dsh-ses sion: x', ['dsh-ses']],
  [`@[dsh-session](${URI}):Ingi`, '@dsh-session :Ingi', ['dsh-session']],
  [`@[d](${URI})sh-session:`, '@d sh-session:', ['d']],
  [`@[xdsh-ses](${URI})sion`, '@xdsh-session', ['xdsh-ses']],
  // Neither must labels and text make a mention together: then brackets and backslashes become something else.
  [`@[[](${URI})a](dsh-session:%)`, '@(a](dsh-session:%)', ['[']],
  [`@[[](${URI})a](dsh-session:%) @[b\\]c\\\\d](${URI})`, '@(a](dsh-session:%) @b)c/d', ['[', 'b]c\\d']],
  [`@[[x\\]\\\\](${URI})](dsh-session:`, '@[x]\\](dsh-session:', ['[x]\\']],
];

describe('a message with mentions', () => {
  it.each(TEXTS)('%j reads %j', (written, text, labels) => {
    const parsed = parseSessionReferenceText(written);
    expect(parsed).toEqual({ text, references: labels.map((label) => ({ sessionId: 'x', label })) });
    expect(failureOf(() => parseSessionReferenceText(text))).toEqual({ text, references: [] });
  });
});

it('escapes a label, and takes the id where there is none', () => {
  expect(formatSessionReferenceMention({ sessionId: 'x', label: 'a]b\\c[d' })).toBe(`@[a\\]b\\\\c[d](${URI})`);
  expect(formatSessionReferenceMention({ sessionId: 'a]' })).toBe(`@[a\\]](${encodeSessionReferenceUri('a]')})`);
});

it.each(['', 'x', '\u000f', '\u0010', 'é', '会', '😀', '\ud800', '\ufeff', '"', '\\'])('codes the id %j', (id) => {
  expect(decodeSessionReferenceUri(encodeSessionReferenceUri(id))).toBe(id);
});
