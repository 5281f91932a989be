import { describe, expect, it } from 'vitest';
import { resolveConfig } from '../../src/config.ts';
import {
  describeType,
  isSessionReferenceError,
  quoteInput,
  SESSION_REFERENCE_ERROR_CODES,
  SessionReferenceError,
} from '../../src/error.ts';
import { isRecord } from '../../src/record.ts';

describe('quoted input', () => {
  it.each([
    ['plain', 'session-1', '"session-1"'],
    ['quotes and backslashes', 'a"b\\c', '"a\\"b\\\\c"'],
    ['line breaks and controls', 'a\nb\u0000\u007f\u0085', '"a\\nb\\u0000\\u{7f}\\u{85}"'],
    ['hidden characters', 'a\u202eb\u200b\u{e0041}', '"a\\u{202e}b\\u{200b}\\u{e0041}"'],
    ['separators', 'a\u2028\u2029', '"a\\u{2028}\\u{2029}"'],
    ['a lone surrogate', '\ud800x', '"\\ud800x"'],
    ['exactly 200 code points', 'x'.repeat(200), `"${'x'.repeat(200)}"`],
    ['more than 200', 'x'.repeat(201), `"${'x'.repeat(200)}…"`],
    ['more than 200 pairs', '😀'.repeat(201), `"${'😀'.repeat(200)}…"`],
    ['megabytes', 'y'.repeat(5_000_000), `"${'y'.repeat(200)}…"`],
  ])('shows %s', (_, input, quoted) => {
    expect(quoteInput(input)).toBe(quoted);
  });
});

it.each([
  [null, 'null'],
  [undefined, 'undefined'],
  [[], 'an array'],
  [{}, 'an object'],
  [1, 'a number'],
  ['x', 'a string'],
  [true, 'a boolean'],
  [() => 1, 'a function'],
  [Symbol('x'), 'a symbol'],
  [1n, 'a bigint'],
])('a type is called what it is: %#', (value, name) => {
  expect(describeType(value)).toBe(name);
});

it.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ['x', false],
  [1, false],
])('a record is an object that is no array: %#', (value, expected) => {
  expect(isRecord(value)).toBe(expected);
});

describe('the error', () => {
  it('has a name, a code, a message and a cause', () => {
    const cause = new Error('behind');
    const error = new SessionReferenceError('SESSION_REFERENCE_TOO_MANY', 'Too many.', { cause });
    expect(error).toMatchObject({
      name: 'SessionReferenceError',
      code: 'SESSION_REFERENCE_TOO_MANY',
      message: 'Too many.',
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect('cause' in new SessionReferenceError('SESSION_REFERENCE_TOO_MANY', 'x')).toBe(false);
  });

  it.each(SESSION_REFERENCE_ERROR_CODES)('is known by its shape: %s', (code) => {
    const { name, message } = new SessionReferenceError(code, 'm');
    expect(isSessionReferenceError({ name, message, code })).toBe(true);
    expect(code).toMatch(/^SESSION_REFERENCE_[A-Z_]+$/);
  });

  it.each([
    null,
    undefined,
    'SessionReferenceError',
    {},
    new Error('x'),
    { name: 'SessionReferenceError', message: 'm', code: 'OTHER' },
    { name: 'SessionReferenceError', message: 7, code: 'SESSION_REFERENCE_TOO_MANY' },
    { name: 'Error', message: 'm', code: 'SESSION_REFERENCE_TOO_MANY' },
  ])('is not what only looks like it: %#', (value) => {
    expect(isSessionReferenceError(value)).toBe(false);
  });
});

describe('the configuration', () => {
  const DEFAULTS = { maxReferences: 3, candidateLimit: 50, maxReferenceBytes: 65_536 };

  it.each([
    [undefined, DEFAULTS],
    [null, DEFAULTS],
    [{}, DEFAULTS],
    [{ maxReferences: null, candidateLimit: undefined, other: 7 }, DEFAULTS],
    [
      { maxReferences: 1, candidateLimit: 1, maxReferenceBytes: 1 },
      { maxReferences: 1, candidateLimit: 1, maxReferenceBytes: 1 },
    ],
    [{ candidateLimit: Number.MAX_SAFE_INTEGER }, { ...DEFAULTS, candidateLimit: Number.MAX_SAFE_INTEGER }],
  ])('is completed: %#', (config, expected) => {
    expect(resolveConfig(config)).toEqual(expected);
  });

  it.each([
    [7, 'The configuration must be an object, not a number.'],
    [[], 'The configuration must be an object, not an array.'],
    [{ maxReferences: 4 }, 'maxReferences must be a whole number from 1 to 3, not 4.'],
    [{ maxReferences: 0 }, 'maxReferences must be a whole number from 1 to 3, not 0.'],
    [{ candidateLimit: 1.5 }, 'candidateLimit must be a whole number of at least 1, not 1.5.'],
    [{ candidateLimit: Number.NaN }, 'candidateLimit must be a whole number of at least 1, not NaN.'],
    [{ maxReferenceBytes: '9' }, 'maxReferenceBytes must be a whole number of at least 1, not a string.'],
    [{ maxReferenceBytes: 2 ** 60 }, `maxReferenceBytes must be a whole number of at least 1, not ${2 ** 60}.`],
  ])('is refused in words: %#', (config, message) => {
    expect(() => resolveConfig(config)).toThrow(new SessionReferenceError('SESSION_REFERENCE_INVALID_CONFIG', message));
  });
});
