import { describe, expect, it } from 'vitest';
import { foldSurface, type SessionEvent, type SurfaceOperation } from '../../src/index.ts';
import { SurfaceFold } from '../../src/session/surface.ts';

const INVALID_LOG = 'SESSION_REFERENCE_INVALID_LOG';

function event(seq: number, surfaceOp?: unknown, type = 'user/message'): SessionEvent {
  return { type, seq, data: { seq }, ...(surfaceOp === undefined ? {} : { surfaceOp: surfaceOp as SurfaceOperation }) };
}

const replace = (start: unknown, end: unknown): unknown => ({ op: 'replace', start, end });

function seqs(fold: SurfaceFold): number[] {
  return fold.surface().map(({ seq }) => seq);
}

function failureOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('a log that makes no sense', () => {
  it.each<[readonly unknown[], string]>([
    [[null], 'The event at seq 0 must be an object with a type, not null.'],
    [[event(0), 'x'], 'The event at seq 1 must be an object with a type, not a string.'],
    [[{ seq: 0 }], 'The event at seq 0 must be an object with a type, not an object.'],
    [[event(1)], 'The log has a gap: seq 0 was expected, seq 1 was found.'],
    [[event(0), event(0)], 'The log has a gap: seq 1 was expected, seq 0 was found.'],
    [[{ ...event(0), seq: '0' }], 'The log has a gap: seq 0 was expected, a string was found.'],
    [[{ ...event(0), seq: undefined }], 'The log has a gap: seq 0 was expected, undefined was found.'],
    [
      [event(0, 'prepend')],
      'The event at seq 0 has the surface operation "prepend"; "append" and "replace" are known.',
    ],
    [
      [event(0, { op: 'remove' })],
      'The event at seq 0 has the surface operation an object; "append" and "replace" are known.',
    ],
    [[event(0, 7)], 'The event at seq 0 has the surface operation a number; "append" and "replace" are known.'],
    [[event(0), event(1, replace(5, 5))], 'The event at seq 1 replaces seq 5, which is not on the surface.'],
    [[event(0), event(1, replace('0', 0))], 'The event at seq 1 replaces a string, which is not on the surface.'],
    [
      [event(0), event(1), event(2, replace(1, 0))],
      'The event at seq 2 replaces seq 1 to 0, but the start comes after the end.',
    ],
    [
      [event(0), event(1, replace(0, 0)), event(2, replace(0, 0))],
      'The event at seq 2 replaces seq 0, which is not on the surface.',
    ],
    [
      [event(0, undefined, 'tool/call'), event(1, replace(0, 0))],
      'The event at seq 1 replaces seq 0, which is not on the surface.',
    ],
  ])('%j is refused', (events, message) => {
    expect(failureOf(() => foldSurface(events as SessionEvent[]))).toMatchObject({ code: INVALID_LOG, message });
  });
});

describe('a surface', () => {
  it('has the four kinds of messages, and of each what it needs', () => {
    const types = ['user/message', 'steering/message', 'assistant/message', 'tool/result', 'session/title', 'x'];
    const events = types.map((type, seq) => ({ ...event(seq, seq === 1 ? undefined : 'append', type), time: seq }));
    expect(foldSurface(events)).toEqual(
      [0, 1, 2, 3].map((seq) => ({ type: types[seq], seq, time: seq, data: { seq } })),
    );
    expect(foldSurface([event(0)])).toEqual([{ type: 'user/message', seq: 0, data: { seq: 0 } }]);
    expect(Object.keys(foldSurface([event(0)])[0] ?? {})).toEqual(['type', 'seq', 'data']);
  });

  it('knows the title, the last one', () => {
    const fold = new SurfaceFold();
    const title = (seq: number, data: unknown, type = 'session/title'): SessionEvent => ({ type, seq, data });
    expect(fold.title).toBeUndefined();
    fold.apply([title(0, { title: 'one' }), title(1, { title: 7 }), title(2, null), title(3, { title: 'x' }, 'x')]);
    expect(fold.title).toBe('one');
    fold.apply([title(4, { title: '' })]);
    expect(fold.title).toBe('');
  });

  it('takes events that were looked at before, and passes others', () => {
    const fold = new SurfaceFold();
    expect(fold.capturedThroughSeq).toBeNull();
    fold.pass(2);
    fold.append(event(2));
    fold.append(event(3));
    fold.apply([event(4, replace(2, 3))]);
    fold.append(event(5));
    fold.pass(1);
    fold.apply([event(7, replace(5, 5))]);
    expect(seqs(fold)).toEqual([4, 7]);
    expect(Array.from(fold.walk(), ({ seq }) => seq)).toEqual([4, 7]);
    expect(fold.capturedThroughSeq).toBe(7);
  });

  it.each<[string, readonly SessionEvent[]]>([
    ['appends', [event(4), event(5)]],
    ['a replacement of the start', [event(4, replace(0, 1))]],
    ['a replacement of the end', [event(4, replace(2, 3))]],
    ['a replacement of all', [event(4, replace(0, 3))]],
    ['a replacement of what replaced', [event(4, replace(1, 2)), event(5, replace(4, 3)), event(6, replace(5, 5))]],
    ['a title', [{ type: 'session/title', seq: 4, data: { title: 'new' } }]],
  ])('is as it was when %s come before a fault', (_, events) => {
    const fold = new SurfaceFold();
    fold.apply([{ type: 'session/title', seq: 0, data: { title: 'old' } }]);
    const later = (seq: number): SessionEvent => event(seq);
    const shifted = events.map((one) => shift(one));
    fold.apply([1, 2, 3, 4].map(later));
    expect(failureOf(() => fold.apply([...shifted, event(99)]))).toMatchObject({ code: INVALID_LOG });
    expect([seqs(fold), fold.title, fold.capturedThroughSeq]).toEqual([[1, 2, 3, 4], 'old', 4]);
    // Must also be sound inside: what was taken back can be done again.
    fold.apply(shifted);
    const whole = foldSurface([{ type: 'x', seq: 0, data: 0 }, ...[1, 2, 3, 4].map(later), ...shifted]);
    expect(fold.surface()).toEqual(whole);
    fold.apply([event(4 + shifted.length + 1, replace(whole[0]?.seq, whole.at(-1)?.seq))]);
    expect(fold.surface()).toHaveLength(1);
  });
});

/** The same event behind one more. */
function shift(one: SessionEvent): SessionEvent {
  const operation = one.surfaceOp;
  const moved =
    typeof operation === 'object' ? { ...operation, start: operation.start + 1, end: operation.end + 1 } : operation;
  return { ...one, seq: one.seq + 1, ...(moved === undefined ? {} : { surfaceOp: moved }) };
}

it.each<unknown>([undefined, null, {}, 'log'])('%j is no log', (events) => {
  const refused = expect.objectContaining({ code: 'SESSION_REFERENCE_INVALID_LOG' });
  expect(() => foldSurface(events as never)).toThrow(refused);
});
