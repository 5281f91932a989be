import { describe, expect, it } from 'vitest';
import { gooseReader } from '../../src/formats/goose.ts';
import { codesOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Line {
  readonly [field: string]: unknown;
}

const HEADER = { id: '20250724_1', description: 'Cats', working_dir: '/home/u', created_at: '2026-01-02T03:04:05Z' };

function say(role: string, text: string, metadata?: Line, blocks: readonly unknown[] = []): Line {
  return {
    id: 'm',
    role,
    created: 1_784_278_801,
    content: [{ type: 'text', text }, ...blocks],
    ...(metadata && { metadata }),
  };
}

const TALK = [say('user', 'hi'), say('assistant', 'hello')];
const SUMMARY = say('user', 'sum', { userVisible: false, agentVisible: true });

describe('the Goose reader', () => {
  it.each<[string, readonly Line[], readonly string[]]>([
    ['a header and messages', [HEADER, ...TALK], ['u: hi', 'a: hello']],
    ['an export', [{ ...HEADER, conversation: TALK }], ['u: hi', 'a: hello']],
    [
      'words only',
      [
        HEADER,
        ...TALK,
        say('assistant', 'so', undefined, [{ type: 'toolRequest' }, { type: 'thinking', thinking: 'hm' }]),
        say('user', ' ', undefined, [{ type: 'toolResponse' }]),
      ],
      ['u: hi', 'a: hello', 'a: so'],
    ],
    ['no messages that the user was not shown', [HEADER, ...TALK, SUMMARY], ['u: hi', 'a: hello']],
    ['words beside a result', [HEADER, say('user', 'stop', undefined, [{ type: 'toolResponse' }])], ['u: stop']],
    [
      'a compaction',
      [HEADER, say('user', 'hi', { agentVisible: false, userVisible: true }), SUMMARY, say('user', 'more')],
      ['c: sum', 'u: more'],
    ],
    [
      'a compaction without a summary',
      [HEADER, say('user', 'hi', { agentVisible: false }), say('user', 'more')],
      ['u: hi', 'u: more'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(gooseReader.recognizes({ layout: 'lines', rows })).toBe(true);
    expect(readRows(gooseReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it('recognizes messages without their header by their tools', () => {
    expect(
      gooseReader.recognizes({ layout: 'lines', rows: [say('user', '', undefined, [{ type: 'toolResponse' }])] }),
    ).toBe(true);
  });

  it.each([
    ['messages', { role: 'user', content: 'hi', created: 1 }],
    ['a folder', { working_dir: '/x' }],
    ['messages with content of another format', say('user', 'hi')],
    ['a text', 'working_dir'],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(gooseReader.recognizes(toSample(value))).toBe(false);
  });

  it('takes the facts of a session from its header, else from the file', () => {
    const [log] = readRows(gooseReader, [HEADER, ...TALK]).logs;
    expect(log?.header).toMatchObject({
      format: 'goose',
      id: '20250724_1',
      cwd: '/home/u',
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    });
    expect(log && titleOf(log)).toBe('Cats');
    const [loose] = readRows(gooseReader, TALK, { fileName: 'sessions/20250725_2.jsonl' }).logs;
    expect(loose?.header).toMatchObject({ id: '20250725_2', createdAt: 1_784_278_801_000 });
  });

  it('reads two sessions of one file', () => {
    expect(
      readRows(gooseReader, [HEADER, ...TALK, { ...HEADER, id: 'b' }, say('user', 'other')]).logs.map(speak),
    ).toEqual([['u: hi', 'a: hello'], ['u: other']]);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(gooseReader, [HEADER, 7, {}, ...TALK, { role: 'future', content: 'x' }]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNKNOWN']);
  });

  testSamples(gooseReader, ['extra/goose.jsonl']);
});
