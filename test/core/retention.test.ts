import { describe, expect, it, vi } from 'vitest';
import { type SessionReferenceContext, SessionReferences, type SurfaceEvent } from '../../src/index.ts';
import { runAtOnce } from '../../src/slices.ts';
import type { ConversationUnit } from '../../src/snapshot/projection.ts';
import { retainConversation } from '../../src/snapshot/retention.ts';
import { sessionsQuery } from '../cases/vector-query.ts';
import { findContextProblems } from '../context-invariants.ts';
import { fixedFieldsFit, type SnapshotSource, wholeBytes } from '../snapshot-invariants.ts';

/** A message: who said what. `c` is a checkpoint. */
type Line = readonly ['u' | 'a' | 'c', string];

const TAG = '\u{e0041}';
const long = (letter: string, length: number): string => letter.repeat(length);

const CONVERSATIONS: readonly (readonly [string, readonly Line[]])[] = [
  ['nothing', []],
  ['one message', [['u', long('a', 90)]]],
  [
    'short messages',
    [
      ['u', 'one'],
      ['a', 'two'],
      ['u', 'three'],
      ['a', 'four'],
      ['u', 'five'],
    ],
  ],
  [
    'a long message among short ones',
    [
      ['u', 'one'],
      ['a', long('b', 120)],
      ['u', 'three'],
    ],
  ],
  [
    'a checkpoint and a newest message, both long',
    [
      ['c', long('s', 130)],
      ['u', 'x'],
      ['a', long('n', 130)],
    ],
  ],
  [
    'a short checkpoint and a long newest message',
    [
      ['c', 'sum'],
      ['a', long('n', 160)],
    ],
  ],
  [
    'a long checkpoint and a short newest message',
    [
      ['c', long('s', 160)],
      ['u', 'x'],
      ['a', 'new'],
    ],
  ],
  [
    'the newest is a checkpoint',
    [
      ['u', long('o', 40)],
      ['c', long('s', 90)],
    ],
  ],
  [
    'three checkpoints of one length',
    [
      ['c', long('1', 80)],
      ['c', long('2', 80)],
      ['c', long('3', 80)],
      ['u', long('n', 80)],
    ],
  ],
  [
    'three checkpoints of three lengths',
    [
      ['c', long('1', 20)],
      ['c', long('2', 150)],
      ['c', long('3', 60)],
      ['u', 'new'],
    ],
  ],
  [
    'checkpoints that become ever longer',
    [
      ['c', 'a'],
      ['c', long('b', 30)],
      ['c', long('c', 60)],
      ['u', long('n', 120)],
    ],
  ],
  [
    'checkpoints that become ever shorter',
    [
      ['c', long('a', 120)],
      ['c', long('b', 60)],
      ['c', long('c', 45)],
      ['u', 'n'],
    ],
  ],
  [
    'many tiny checkpoints',
    [
      ['c', 'a'],
      ['c', 'b'],
      ['c', 'c'],
      ['c', 'd'],
      ['c', 'e'],
      ['u', long('n', 60)],
    ],
  ],
  [
    'texts that cost more than they are',
    [
      ['c', long('"', 40)],
      ['c', long('<', 20)],
      ['u', long('会', 40)],
    ],
  ],
  [
    'dear code points',
    [
      ['c', TAG.repeat(9)],
      ['c', long('s', 70)],
      ['u', `${TAG}${long('x', 60)}${TAG}`],
    ],
  ],
  [
    'pairs',
    [
      ['c', long('😀', 25)],
      ['a', long('😀', 25)],
    ],
  ],
];

function toEvents(lines: readonly Line[]): SurfaceEvent[] {
  return lines.map(([who, text], seq) => {
    const content = [{ type: 'text', text }];
    if (who === 'a') return { type: 'assistant/message', seq, data: { message: { content } } };
    const source = who === 'c' ? { kind: 'plugin', plugin: 'compact' } : { kind: 'user' };
    return { type: 'user/message', seq, data: { content, source } };
  });
}

function toUnits(lines: readonly Line[]): ConversationUnit[] {
  return lines.map(([who, text]) => ({ role: who === 'a' ? 'assistant' : 'user', text, checkpoint: who === 'c' }));
}

function sourceOf(lines: readonly Line[]): SnapshotSource {
  const capturedThroughSeq = lines.length === 0 ? null : lines.length - 1;
  return { sessionId: 's', label: 's', cwd: null, capturedThroughSeq, units: toUnits(lines), inputIndex: 0 };
}

async function prepare(
  lines: readonly Line[],
  maxReferenceBytes: number,
): Promise<SessionReferenceContext | undefined> {
  const events = toEvents(lines);
  const session = { version: 0, id: 's', createdAt: 0 };
  const capturedThroughSeq = events.length === 0 ? null : events.length - 1;
  const service = new SessionReferences(sessionsQuery([{ session, capturedThroughSeq, events }]), {
    maxReferenceBytes,
  });
  return (await service.prepare({ id: 'target' }, [], [{ sessionId: 's' }])).additionalContext;
}

describe.each(CONVERSATIONS)('a conversation of %s', (_, lines) => {
  it('keeps every promise in every budget', async () => {
    const source = sourceOf(lines);
    const counts: number[] = [];
    for (let maxBytes = 60; maxBytes <= wholeBytes(source) + 2; maxBytes += 1) {
      if (!fixedFieldsFit(source, maxBytes)) {
        await expect(prepare(lines, maxBytes)).rejects.toMatchObject({ code: 'SESSION_REFERENCE_BUDGET_EXCEEDED' });
        continue;
      }
      const context = await prepare(lines, maxBytes);
      expect([maxBytes, findContextProblems(context, [source], maxBytes)]).toEqual([maxBytes, []]);
      counts.push(context?.source.references[0]?.retainedMessages ?? -1);
    }
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts.at(-1)).toBe(lines.length);
  });
});

const FIELDS = { sessionId: 's', label: 's', cwd: null, capturedThroughSeq: 9 };
/** What the fixed fields take. */
const FIXED = JSON.stringify({ ...FIELDS, conversation: [] }).length;
const NOTHING = { messages: 0, bytes: 0 };

function retain(lines: readonly Line[], room: number, unread = NOTHING): ReturnType<typeof readRetained> {
  return readRetained(runAtOnce(retainConversation(FIELDS, toUnits(lines), FIXED + room, unread)));
}

function readRetained(retained: ReturnType<typeof runAtOnce<unknown>>): unknown {
  if (retained === undefined) return undefined;
  const { reference, record } = retained as {
    reference: { conversation: readonly { text: string }[] };
    record: { omittedMessages: number; omittedBytes: number };
  };
  return [reference.conversation.map(({ text }) => text), record.omittedMessages, record.omittedBytes];
}

/** Room for the conversation, what is kept, messages and bytes left out. An empty message takes 25 bytes, a comma 1. */
const EXAMPLES: readonly (readonly [string, readonly Line[], number, unknown])[] = [
  ['no room at all', [['u', 'hello']], -1, undefined],
  ['no room for a message', [['u', 'hello']], 0, [[], 1, 5]],
  ['room for an empty one', [['u', 'hello']], 25, [[''], 0, 5]],
  ['room for all but a byte', [['u', 'hello']], 29, [[''], 0, 5]],
  ['room for all', [['u', 'hello']], 30, [['hello'], 0, 0]],
  [
    'the oldest goes first',
    [
      ['u', 'one'],
      ['u', 'two'],
      ['u', 'new'],
    ],
    57,
    [['two', 'new'], 1, 3],
  ],
  [
    'a gap is never left',
    [
      ['u', 'a'],
      ['u', long('b', 60)],
      ['u', 'new'],
    ],
    60,
    [['new'], 2, 61],
  ],
  [
    'a checkpoint stays',
    [
      ['c', 'sum'],
      ['u', 'two'],
      ['u', 'new'],
    ],
    57,
    [['sum', 'new'], 1, 3],
  ],
  [
    'the older of two empty checkpoints goes first',
    [
      ['c', 'sum'],
      ['c', 'mid'],
      ['u', 'new'],
    ],
    54,
    [['', 'new'], 1, 6],
  ],
  [
    'the newest of those that were given up comes back',
    [
      ['c', long('a', 8)],
      ['c', long('b', 8)],
      ['u', long('n', 30)],
    ],
    92,
    [['', long('b', 8), ''], 0, 38],
  ],
];

it.each(EXAMPLES)('with %s', (_, lines, room, expected) => {
  expect(retain(lines, room)).toEqual(expected);
});

it('counts what was not read as left out', () => {
  const lines: readonly Line[] = [
    ['u', 'old'],
    ['u', 'new'],
  ];
  expect(retain(lines, 28, { messages: 7, bytes: 700 })).toEqual([['new'], 8, 703]);
  const { record } = runAtOnce(retainConversation(FIELDS, [], FIXED, { messages: 1, bytes: 0 })) ?? {};
  expect(record).toMatchObject({ originalMessages: 1, retainedMessages: 0, omittedMessages: 1, truncated: true });
});

it('looks at the clock while it counts what is left out', () => {
  const many: readonly Line[] = Array.from({ length: 40 }, () => ['u', long('x', 60_000)] as const);
  const huge: readonly Line[] = [
    ['u', long('x', 3_000_000)],
    ['u', 'new'],
  ];
  for (const lines of [many, huge]) {
    const work = retainConversation(FIELDS, toUnits(lines), 200, NOTHING);
    const looks = vi.fn();
    for (let step = work.next(); !step.done; step = work.next()) looks();
    expect(looks.mock.calls.length).toBeGreaterThanOrEqual(2);
    expect(looks.mock.calls.length).toBeLessThan(10);
  }
});
