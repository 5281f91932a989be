import { describe, expect, it } from 'vitest';
import { rooReader } from '../../src/formats/roo.ts';
import { codesOf, readRows, speak, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Fields {
  readonly [field: string]: unknown;
}

/** `u: hi` is of the user, anything else of the assistant. */
function say(words: string, fields: Fields = {}): Fields {
  return { role: words.startsWith('u') ? 'user' : 'assistant', content: words.slice(3), ts: 1, ...fields };
}

const CONDENSED = { condenseParent: 'c1' };
const TRUNCATED = { truncationParent: 't1' };
const SUMMARY = say('u: sum', { isSummary: true, condenseId: 'c1' });
const MARKER = say('u: [removed]', { isTruncationMarker: true, truncationId: 't1' });

describe('the Roo reader', () => {
  it.each<[string, readonly Fields[], readonly string[]]>([
    ['a task', [say('u: <task>hi</task>'), say('a: hello')], ['u: hi', 'a: hello']],
    [
      'reasoning apart',
      [say('u: hi'), { type: 'reasoning', role: 'assistant', summary: [], ts: 1 }, say('a: hello')],
      ['u: hi', 'a: hello'],
    ],
    [
      'a summary and everything behind it',
      [say('u: one', CONDENSED), SUMMARY, say('u: two', CONDENSED), say('a: three')],
      ['c: sum', 'u: two', 'a: three'],
    ],
    [
      'the last of two summaries',
      [say('u: one'), SUMMARY, say('u: two'), { ...SUMMARY, content: 'again', condenseId: 'c2' }],
      ['c: again'],
    ],
    [
      'messages whose summary a rewind took away',
      [say('u: one', CONDENSED), say('a: two', TRUNCATED)],
      ['u: one', 'a: two'],
    ],
    [
      'no messages that were truncated, and no mark',
      [say('u: one'), say('a: two', TRUNCATED), MARKER, say('u: three')],
      ['u: one', 'u: three'],
    ],
    [
      'no messages behind a summary that were truncated',
      [SUMMARY, say('a: two', TRUNCATED), MARKER, say('u: three')],
      ['c: sum', 'u: three'],
    ],
    [
      'a summary that cannot be read',
      [say('u: one', CONDENSED), { ...SUMMARY, content: [] }, say('a: two')],
      ['u: one', 'a: two'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(rooReader.recognizes({ layout: 'array', rows })).toBe(true);
    expect(readRows(rooReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    ['messages', [{ role: 'user', content: 'hi' }]],
    ['messages of an SDK', [{ id: 'm', role: 'user', content: 'hi', ts: 1 }]],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(rooReader.recognizes(toSample(value))).toBe(false);
  });

  it('takes id and time from the folder', () => {
    const [log] = readRows(rooReader, [say('u: hi')], {
      fileName: 'tasks/1767225700000/api_conversation_history.json',
    }).logs;
    expect(log?.header).toMatchObject({ format: 'roo', id: '1767225700000', createdAt: 1_767_225_700_000 });
  });

  it('keeps what a summary stands for as messages behind it', () => {
    const [log] = readRows(rooReader, [say('u: one'), say('a: two'), SUMMARY]).logs;
    const types = log?.events.map(({ type }) => type).filter((type) => type !== 'session/title');
    expect(types).toEqual(['user/message', 'assistant/message', 'user/message']);
    expect(log?.events.at(2)?.surfaceOp ?? log?.events.at(3)?.surfaceOp).toMatchObject({ op: 'replace' });
  });

  it.each([
    { role: 'user', content: 'x', isSummary: false },
    { role: 'user', content: 'x', isTruncationMarker: true },
    { role: 'user', content: 'x', truncationParent: 't' },
    { role: 'assistant', type: 'reasoning', ts: 1 },
  ])('knows a file by a message like %o', (row) => {
    expect(rooReader.recognizes(toSample([row]))).toBe(true);
  });

  it('keeps what is no part of the conversation', () => {
    const [log] = readRows(rooReader, [say('u: one', TRUNCATED), MARKER, SUMMARY, say('u: two')]).logs;
    expect(log?.events.filter(({ type }) => type !== 'session/title').length).toBe(4);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(rooReader, [
      7,
      say('u: hi'),
      {},
      { ...SUMMARY, content: 3 },
      { role: '__proto__', content: 'x' },
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'BROKEN_COMPACTION', 'UNKNOWN']);
  });

  testSamples(rooReader, ['roo/condensed.json', 'roo/tasks/1767225700000/api_conversation_history.json']);
});
