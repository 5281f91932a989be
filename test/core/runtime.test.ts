import { afterEach, describe, expect, it, vi } from 'vitest';
import { throwIfCancelled, untilCancelled } from '../../src/cancellation.ts';
import { createRandomId, pauseForOthers } from '../../src/runtime.ts';
import { runAtOnce, runInSlices } from '../../src/slices.ts';
import { Utf8Counter, utf8Length } from '../../src/snapshot/utf8-length.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('an id', () => {
  it('comes from whatever the host has', () => {
    vi.stubGlobal('crypto', { randomUUID: () => 'uuid' });
    expect(createRandomId()).toBe('uuid');
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xab) });
    expect(createRandomId()).toBe('ab'.repeat(16));
    vi.stubGlobal('crypto', undefined);
    vi.spyOn(Math, 'random').mockReturnValue(0.05);
    expect(createRandomId()).toBe('0c'.repeat(16));
    vi.restoreAllMocks();
  });
});

describe('a pause', () => {
  it('lets other work have a turn, and leaves nothing behind', async () => {
    let hadTurn = false;
    setTimeout(() => {
      hadTurn = true;
    });
    for (let round = 0; round < 50 && !hadTurn; round += 1) await pauseForOthers();
    expect(hadTurn).toBe(true);
  });

  it('is a timer where there are no channels, and a promise where there is neither', async () => {
    vi.stubGlobal('MessageChannel', undefined);
    const setTimeout = vi.fn((callback: () => void) => callback());
    vi.stubGlobal('setTimeout', setTimeout);
    await pauseForOthers();
    expect(setTimeout).toHaveBeenCalledWith(expect.any(Function), 0);
    vi.stubGlobal('setTimeout', undefined);
    await pauseForOthers();
  });
});

function* work(steps: number): Generator<undefined, string, undefined> {
  for (let step = 0; step < steps; step += 1) yield;
  return `after ${steps}`;
}

describe('sliced work', () => {
  it('runs at once', () => {
    expect(runAtOnce(work(5))).toBe('after 5');
  });

  it('pauses when its slice is over, and not before', async () => {
    const pause = vi.fn(async () => undefined);
    expect(await runInSlices(work(100), pause, undefined)).toBe('after 100');
    expect(pause).not.toHaveBeenCalled();
    let now = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 1;
      return now;
    });
    await runInSlices(work(100), pause, undefined);
    expect(pause.mock.calls.length).toBeGreaterThan(5);
    expect(pause.mock.calls.length).toBeLessThan(20);
    vi.restoreAllMocks();
  });
});

describe('cancellation', () => {
  it('throws only for a signal that is aborted', () => {
    expect(() => throwIfCancelled(undefined)).not.toThrow();
    expect(() => throwIfCancelled(new AbortController().signal)).not.toThrow();
    expect(() => throwIfCancelled(AbortSignal.abort('why'))).toThrow('The operation was cancelled by its signal.');
  });

  it('passes results and failures through, and stops listening', async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    expect(await untilCancelled(Promise.resolve(1), undefined)).toBe(1);
    expect(await untilCancelled(Promise.resolve(2), signal)).toBe(2);
    await expect(untilCancelled(Promise.reject(new Error('x')), signal)).rejects.toThrow('x');
    expect(remove).toHaveBeenCalledTimes(2);
  });

  it('wins over an operation that hangs or fails late', async () => {
    const controller = new AbortController();
    const hanging = untilCancelled(new Promise(() => undefined), controller.signal);
    const failing = untilCancelled(
      new Promise((_, reject) => {
        setTimeout(() => reject(new Error('late')), 5);
      }),
      controller.signal,
    );
    controller.abort('why');
    await expect(hanging).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED', cause: 'why' });
    await expect(failing).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
    await expect(untilCancelled(new Promise(() => undefined), controller.signal)).rejects.toMatchObject({
      cause: 'why',
    });
    await new Promise((resolve) => setTimeout(resolve, 10));
  });
});

describe('UTF-8 lengths', () => {
  const TEXTS = [
    '',
    'a',
    'ž',
    '会',
    '😀',
    '\ud800',
    '\udc00',
    'x'.repeat(70_000),
    '😀'.repeat(40_000),
    `a${'😀'.repeat(40_000)}`,
    'ž'.repeat(9_000),
  ];

  it.each(TEXTS)('are those of an encoder: %#', (text) => {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
  });

  it('add up, whatever stands beside each other', () => {
    const counter = new Utf8Counter();
    let expected = 0;
    for (const text of [...TEXTS, '\ud83d', '\ude00', ...TEXTS]) {
      runAtOnce(counter.add(text));
      expected += new TextEncoder().encode(text).length;
    }
    expect(counter.total()).toBe(expected);
    expect(counter.total()).toBe(expected);
  });
});
