import { describe, expect, it } from 'vitest';
import { deepFreeze } from '../../src/deep-freeze.ts';
import { MemorySessionStore } from '../../src/index.ts';

const HEADER = { version: 0, id: 's', createdAt: 1 };

describe('what a store in memory refuses', () => {
  it.each<[string, (store: MemorySessionStore) => Promise<unknown>, string, string]>([
    [
      'a log that is none',
      (store) => store.put('x' as never),
      'INVALID_LOG',
      'A session log must be an object, not a string.',
    ],
    [
      'events that are none',
      (store) => store.put({ header: HEADER, events: {} } as never),
      'INVALID_LOG',
      "A session log's events must be an array, not an object.",
    ],
    [
      'more events that are none',
      (store) => store.append('s', 'x' as never),
      'INVALID_LOG',
      'The events must be an array, not a string.',
    ],
    ['an unknown session', (store) => store.readSurface('nobody'), 'STORE_FAILED', 'There is no session "nobody".'],
    ['an id that is none', (store) => store.readLog(7 as never), 'STORE_FAILED', 'There is no session a number.'],
    [
      'an event that cannot be looked at',
      (store) =>
        store.append('s', [
          {
            get type(): string {
              throw new Error('a getter');
            },
            seq: 0,
            data: {},
          },
        ]),
      'INVALID_LOG',
      'An event cannot be read.',
    ],
    [
      'a list of ids that is none',
      (store) => store.readTitleSnapshots('s' as never),
      'INVALID_REFERENCE',
      'The session ids must be an array, not a string.',
    ],
    ['an append to nobody', (store) => store.append('nobody', []), 'STORE_FAILED', 'There is no session "nobody".'],
  ])('%s', async (_, call, code, message) => {
    const store = new MemorySessionStore([{ header: HEADER, events: [] }]);
    await expect(call(store)).rejects.toMatchObject({ code: `SESSION_REFERENCE_${code}`, message });
    expect(await store.listSessions()).toHaveLength(1);
  });

  it('a log to start with', () => {
    expect(() => new MemorySessionStore([null as never])).toThrow('A session log must be an object, not null.');
  });

  it('a title of nobody, and goes on', async () => {
    const store = new MemorySessionStore([{ header: HEADER, events: [] }]);
    expect(await store.readTitleSnapshots(['s', 'nobody'])).toMatchObject([
      { sessionId: 's', status: 'fulfilled', value: { session: HEADER } },
      { sessionId: 'nobody', status: 'rejected', reason: { message: 'There is no session "nobody".' } },
    ]);
  });
});

describe('freezing', () => {
  it('goes all the way down, and takes what is frozen as it is', () => {
    const inner = { list: [{ leaf: 1 }, 'text', null], frozen: Object.freeze({ kept: {} }) };
    deepFreeze({ inner });
    expect([inner, inner.list, inner.list[0]].every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(inner.frozen.kept)).toBe(false);
    for (const value of [null, undefined, 'text', 7]) expect(() => deepFreeze(value)).not.toThrow();
  });
});

describe('the list of a store in memory', () => {
  it('cannot be changed by who gets it', async () => {
    const store = new MemorySessionStore([{ header: { version: 0, id: 'a', createdAt: 1 }, events: [] }]);
    const list = (await store.listSessions()) as unknown[];
    expect(() => list.pop()).toThrow(TypeError);
    expect(await store.listSessions()).toHaveLength(1);
  });

  it.each<unknown>([7, null, {}])('cannot start with %j', (logs) => {
    const refused = expect.objectContaining({ code: 'SESSION_REFERENCE_INVALID_LOG' });
    expect(() => new MemorySessionStore(logs as never)).toThrow(refused);
  });

  it('has titles for lists of ids only', async () => {
    const titles = new MemorySessionStore().readTitleSnapshots(undefined as never);
    await expect(titles).rejects.toMatchObject({ code: 'SESSION_REFERENCE_INVALID_REFERENCE' });
  });
});
