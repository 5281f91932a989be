import { describe, expect, it } from 'vitest';
import { copilotCliReader } from '../../src/formats/copilot-cli.ts';
import { codesOf, readRows, speak, titleOf, toSample } from './read-rows.ts';
import { testSamples } from './sample-figures.ts';

interface Line {
  readonly [field: string]: unknown;
}

const TIME = '2026-01-02T03:04:05.000Z';

function event(type: string, data: Line, fields: Line = {}): Line {
  return { type, data, id: 'e', timestamp: TIME, parentId: null, ...fields };
}

function say(id: string, content: string, data: Line = {}): Line {
  return event(id.startsWith('u') ? 'user.message' : 'assistant.message', { content, ...data }, { id });
}

const START = event('session.start', { sessionId: 's', startTime: TIME, context: { cwd: '/home/u' } });
const TALK = [say('u1', 'hi'), say('a1', 'hello')];

describe('the Copilot CLI reader', () => {
  it.each<[string, readonly Line[], readonly string[]]>([
    ['a conversation', [START, ...TALK], ['u: hi', 'a: hello']],
    [
      'words only',
      [
        START,
        event('system.message', { content: 'x' }),
        say('u1', 'hi', { transformedContent: 'hi and more' }),
        event('assistant.reasoning', { content: 'hm' }),
        event('tool.execution_complete', { result: { content: 'secret' } }),
        say('a1', 'hello', { toolRequests: [{ name: 'x' }] }),
      ],
      ['u: hi', 'a: hello'],
    ],
    [
      'nothing that skills and the autopilot said',
      [
        START,
        ...TALK,
        say('u2', 'x', { source: 'skill-pdf' }),
        say('u3', 'x', { isAutopilotContinuation: true }),
        say('u4', 'y', { source: 'user' }),
      ],
      ['u: hi', 'a: hello', 'u: y'],
    ],
    [
      'no other agents',
      [START, ...TALK, say('a2', 'x', { parentToolCallId: 't' }), { ...say('a3', 'x'), agentId: 'b' }],
      ['u: hi', 'a: hello'],
    ],
    [
      'a compaction',
      [
        START,
        ...TALK,
        event('session.compaction_complete', { success: true, summaryContent: 'sum' }),
        say('u2', 'more'),
      ],
      ['c: sum', 'u: more'],
    ],
    [
      'a compaction that failed',
      [START, ...TALK, event('session.compaction_complete', { success: false, summaryContent: 'sum' })],
      ['u: hi', 'a: hello'],
    ],
    [
      'what is left after a rewind',
      [
        START,
        ...TALK,
        say('u2', 'next'),
        say('a2', 'x'),
        event('session.snapshot_rewind', { upToEventId: 'u2' }),
        say('u3', 'again'),
      ],
      ['u: hi', 'a: hello', 'u: again'],
    ],
    [
      'no rewind to what is not there any more',
      [
        START,
        ...TALK,
        event('session.snapshot_rewind', { upToEventId: 'a1' }),
        say('u2', 'next'),
        event('session.snapshot_rewind', { upToEventId: 'a1' }),
      ],
      ['u: hi', 'u: next'],
    ],
    [
      'a rewind that lists its events',
      [START, ...TALK, say('u2', 'next'), event('session.snapshot_rewind', { eventIds: ['a1', 'u2'] })],
      ['u: hi'],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(copilotCliReader.recognizes({ layout: 'lines', rows })).toBe(true);
    expect(readRows(copilotCliReader, rows).logs.map(speak)).toEqual([expected]);
  });

  it.each([
    ['lines of Claude Code', { type: 'user', message: { content: 'hi' }, timestamp: TIME }],
    ['an event of something else', { type: 'user.message', text: 'hi' }],
    ['nothing', 3],
  ])('does not claim %s', (_, value) => {
    expect(copilotCliReader.recognizes(toSample(value))).toBe(false);
  });

  it('takes the facts of a session from its events, else from the folder', () => {
    const [log] = readRows(copilotCliReader, [START, event('session.title_changed', { title: 'Cats' }), ...TALK]).logs;
    expect(log?.header).toMatchObject({ format: 'copilot-cli', id: 's', cwd: '/home/u', createdAt: Date.parse(TIME) });
    expect(log && titleOf(log)).toBe('Cats');
    const named = readRows(copilotCliReader, TALK, { fileName: 'session-state/7cf44517/events.jsonl' });
    expect(named.logs[0]?.header.id).toBe('7cf44517');
  });

  it('takes the time from the first event where there is no start', () => {
    expect(readRows(copilotCliReader, TALK).logs[0]?.header.createdAt).toBe(Date.parse(TIME));
  });

  it('reads two sessions of one file', () => {
    const rows = [START, ...TALK, event('session.start', { sessionId: 't' }), say('u1', 'other')];
    expect(readRows(copilotCliReader, rows).logs.map(speak)).toEqual([['u: hi', 'a: hello'], ['u: other']]);
  });

  it('keeps every event', () => {
    const rows = [
      START,
      ...TALK,
      event('tool.execution_complete', {}),
      say('u2', 'x'),
      event('session.snapshot_rewind', { upToEventId: 'u2' }),
    ];
    const [log] = readRows(copilotCliReader, rows).logs;
    expect(log?.events.filter(({ type }) => type !== 'session/title').length).toBe(rows.length);
  });

  it('reports what it cannot read and goes on', () => {
    const result = readRows(copilotCliReader, [
      7,
      {},
      START,
      ...TALK,
      { type: 'future', data: 3 },
      event('session.compaction_complete', {}),
    ]);
    expect(result.logs.map(speak)).toEqual([['u: hi', 'a: hello']]);
    expect(codesOf(result)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNKNOWN', 'BROKEN_COMPACTION']);
  });

  testSamples(copilotCliReader, ['extra/copilot-cli-events.jsonl']);
});
