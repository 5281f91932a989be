import { describe, expect, it } from 'vitest';
import { parseSessionHeader } from '../../src/session/header.ts';
import {
  parseConversationSnapshot,
  parseSessionList,
  parseSessionRecord,
  parseSurfaceSnapshot,
  parseTitles,
} from '../../src/session/query-answers.ts';

const HEADER = { version: 0, id: 's', createdAt: 1 };

function failureOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('a session header', () => {
  it('keeps what it does not know, and has version 0 where none is told', () => {
    expect(parseSessionHeader({ id: 's', createdAt: 1, cwd: '/w', parentSession: 'p', more: [1] })).toEqual({
      ...HEADER,
      cwd: '/w',
      parentSession: 'p',
      more: [1],
    });
  });

  it.each<[unknown, string]>([
    [null, 'header must be an object, not null'],
    [[], 'header must be an object, not an array'],
    [{ ...HEADER, id: 7 }, 'id must be a string, not a number'],
    [{ ...HEADER, version: '0' }, 'version must be a number, not a string'],
    [{ ...HEADER, createdAt: '1' }, 'createdAt must be Unix time in milliseconds, not a string'],
    [{ ...HEADER, createdAt: Number.NaN }, 'createdAt must be Unix time in milliseconds, not a number'],
    [{ ...HEADER, cwd: 7 }, 'cwd must be a string, not a number'],
    [{ ...HEADER, cwd: null }, 'cwd must be a string, not null'],
    [{ ...HEADER, parentSession: {} }, 'parentSession must be a string, not an object'],
  ])('like %j is refused', (value, problem) => {
    expect(failureOf(() => parseSessionHeader(value))).toMatchObject({
      code: 'SESSION_REFERENCE_INVALID_LOG',
      message: `A session header's ${problem}.`,
    });
  });
});

const SURFACE = { session: HEADER, capturedThroughSeq: 0, events: [] };
const CONVERSATION = { session: HEADER, capturedThroughSeq: 0, units: [], unread: { messages: 0, bytes: 0 } };

describe('an answer of a host', () => {
  it.each<[(answer: unknown) => unknown, unknown]>([
    [parseSessionList, []],
    [parseSessionRecord, { header: HEADER }],
    [parseSessionRecord, { header: { ...HEADER, cwd: null }, title: 'more' }],
    [parseSurfaceSnapshot, SURFACE],
    [parseSurfaceSnapshot, { ...SURFACE, capturedThroughSeq: null }],
    [parseSurfaceSnapshot, { ...SURFACE, capturedThroughSeq: undefined, session: { ...HEADER, cwd: null } }],
  ])('%o takes %j as it is', (parse, answer) => {
    expect(parse(answer)).toBe(answer);
  });

  it('of a conversation is taken as it is', () => {
    expect(parseConversationSnapshot(CONVERSATION)).toBe(CONVERSATION);
  });

  it.each<[(answer: unknown) => unknown, unknown, string]>([
    [parseSessionList, {}, 'listSessions must be an array, not an object'],
    [parseSessionRecord, null, "listSessions of a record's header must be an object, not undefined"],
    [parseSessionRecord, { header: [] }, "listSessions of a record's header must be an object, not an array"],
    [
      parseSessionRecord,
      { header: { ...HEADER, id: 1 } },
      "listSessions of a header's id must be a string, not a number",
    ],
    [
      parseSessionRecord,
      { header: { ...HEADER, createdAt: '1' } },
      "listSessions of a header's createdAt must be a number, not a string",
    ],
    [
      parseSessionRecord,
      { header: { ...HEADER, cwd: 1 } },
      "listSessions of a header's cwd must be a string, not a number",
    ],
    [parseSurfaceSnapshot, [], 'readSurface must be a snapshot, not an array'],
    [parseSurfaceSnapshot, { ...SURFACE, session: 's' }, 'readSurface of the session must be its header, not a string'],
    [
      parseSurfaceSnapshot,
      { ...SURFACE, session: { cwd: 1 } },
      'readSurface of the cwd must be a string, not a number',
    ],
    [
      parseSurfaceSnapshot,
      { ...SURFACE, capturedThroughSeq: 0.5 },
      'readSurface of capturedThroughSeq must be a whole number or null, not a number',
    ],
    [parseSurfaceSnapshot, { ...SURFACE, events: {} }, 'readSurface of the events must be an array, not an object'],
    [parseConversationSnapshot, null, 'readConversation must be a snapshot, not null'],
    [
      parseConversationSnapshot,
      { ...CONVERSATION, units: 'x' },
      'readConversation of the units must be an array, not a string',
    ],
    ...[null, { role: 'user' }, { role: 'system', text: 'a' }, { text: 'a' }].map(
      (unit): [(answer: unknown) => unknown, unknown, string] => [
        parseConversationSnapshot,
        { ...CONVERSATION, units: [unit] },
        `readConversation of a unit must be a message with a role and a text, not ${unit === null ? 'null' : 'an object'}`,
      ],
    ),
    ...[null, { messages: 0 }, { bytes: 0 }, { messages: '0', bytes: 0 }].map(
      (unread): [(answer: unknown) => unknown, unknown, string] => [
        parseConversationSnapshot,
        { ...CONVERSATION, unread },
        `readConversation of what was not read must be numbers of messages and bytes, not ${unread === null ? 'null' : 'an object'}`,
      ],
    ),
  ])('%o refuses %j', (parse, answer, problem) => {
    expect(failureOf(() => parse(answer))).toMatchObject({
      code: 'SESSION_REFERENCE_READ_FAILED',
      message: `The session query's answer to ${problem}.`,
    });
  });

  it('with titles is searched for those that are some', () => {
    const fulfilled = (sessionId: unknown, value: unknown): unknown => ({ sessionId, status: 'fulfilled', value });
    const titles = parseTitles([
      fulfilled('a', { title: { title: 'A' } }),
      fulfilled('b', { title: { title: 7 } }),
      fulfilled('c', { title: 'C' }),
      fulfilled('d', null),
      fulfilled(7, { title: { title: 'seven' } }),
      { sessionId: 'e', status: 'rejected', value: { title: { title: 'E' } } },
      null,
      'text',
      fulfilled('f', { title: { title: '' } }),
    ]);
    expect([...titles]).toEqual([
      ['a', 'A'],
      ['f', ''],
    ]);
    expect([...parseTitles(undefined)]).toEqual([]);
    expect([...parseTitles({ length: 1, 0: fulfilled('a', { title: { title: 'A' } }) })]).toEqual([]);
  });
});
