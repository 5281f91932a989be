import fc from 'fast-check';
import {
  foldSurface,
  isSessionReferenceError,
  type SessionEvent,
  type SessionLog,
  type SessionQuery,
  SessionReferences,
  type SessionStore,
} from '../../src/index.ts';
import { projectConversation } from '../../src/snapshot/projection.ts';
import { utf8Length } from '../../src/snapshot/utf8-length.ts';
import { sessionLog } from '../arbitraries.ts';
import {
  expectCode,
  expectEqual,
  expectNoProblems,
  expectValue,
  outcomeOf,
  type Report,
  runCases,
} from '../cases/case-report.ts';

/** A store as the suite needs it: the contract, and what every store of this library has besides. */
export type StoreUnderTest = SessionStore & {
  readLog(id: string, signal?: AbortSignal): Promise<SessionLog>;
};

/** Makes an empty store. */
export type CreateStore = () => Promise<StoreUnderTest> | StoreUnderTest;

interface StoreCase {
  readonly name: string;
  readonly run: (create: CreateStore) => Promise<void>;
}

const INVALID_LOG = 'SESSION_REFERENCE_INVALID_LOG';
const STORE_FAILED = 'SESSION_REFERENCE_STORE_FAILED';
const CANCELLED = 'SESSION_REFERENCE_CANCELLED';

/** Every kind of id that a store must keep apart. */
export const UNUSUAL_IDS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '__proto__',
  'constructor',
  'café',
  'cafe\u0301',
  '\ud800',
  '\udc00',
  '\ud801',
  '\ud800\udc00',
  '\ufffd',
  '\uffff',
  '😀',
  'x'.repeat(10_000),
  `${'x'.repeat(10_000)}y`,
  '["array"]',
  '1',
];

/** @param seq - of the event. @param text - of the message. @param extra - more fields of the event. */
export function userEvent(seq: number, text: string, extra: Partial<SessionEvent> = {}): SessionEvent {
  const data = { content: [{ type: 'text', text }], source: { kind: 'user' } };
  return { type: 'user/message', seq, time: 1_000 + seq, data, ...extra };
}

/** @param seq - of the event. @param text - of the summary. @param start - first replaced. @param end - last replaced. */
export function checkpointEvent(seq: number, text: string, start: number, end: number): SessionEvent {
  const data = { content: [{ type: 'text', text }], source: { kind: 'plugin', plugin: 'compact' } };
  return { type: 'user/message', seq, time: 1_000 + seq, data, surfaceOp: { op: 'replace', start, end } };
}

/** @param seq - of the event. @param title - what the session is called from now on. */
export function titleEvent(seq: number, title: string): SessionEvent {
  return { type: 'session/title', seq, time: 1_000 + seq, data: { title } };
}

/** @param id - of the session. @param events - all of them. @param createdAt - Unix ms. */
export function logOf(id: string, events: readonly SessionEvent[] = [], createdAt = 1): SessionLog {
  return { header: { version: 0, id, createdAt }, events };
}

async function expectRefused(call: () => Promise<unknown>, code: string): Promise<void> {
  expectCode(await outcomeOf(call), code, isSessionReferenceError);
}

/** Everything a store tells about one session, for comparing before and after. */
async function observe(store: StoreUnderTest, id: string): Promise<unknown> {
  const [records, titles, surface, log] = [
    await store.listSessions(),
    await store.readTitleSnapshots([id]),
    await store.readSurface(id),
    await store.readLog(id),
  ];
  const conversation = await store.readConversation?.(id, 1_000);
  return JSON.parse(JSON.stringify({ records, titles, surface, log, conversation })) as unknown;
}

/**
 * Whether a store answers for a log what a fresh fold of the whole of it says.
 *
 * @param store - that holds the log.
 * @param log - all of it.
 * @param limits - how many bytes to ask `readConversation` for.
 * @throws when anything differs.
 */
export async function expectHolds(store: StoreUnderTest, log: SessionLog, limits: readonly number[]): Promise<void> {
  const { header, events } = JSON.parse(JSON.stringify(log)) as SessionLog;
  const { id } = header;
  const surface = foldSurface(events);
  const units = projectConversation(surface);
  const capturedThroughSeq = events.length === 0 ? null : events.length - 1;
  const title = readLatestTitle(events);
  expectEqual('the surface', await store.readSurface(id), { session: header, capturedThroughSeq, events: surface });
  expectEqual('the log', await store.readLog(id), { header, events });
  const record = (await store.listSessions()).find((candidate) => candidate.header.id === id);
  const changedAt = events.at(-1)?.time ?? header.createdAt;
  expectEqual('the record', record, { header, title: title ?? null, messages: units.length, changedAt });
  const value = { session: header, ...(title === undefined ? {} : { title: { title } }) };
  const titles = await store.readTitleSnapshots([id]);
  expectEqual('the title', titles, [{ sessionId: id, status: 'fulfilled', value }]);
  if (store.readConversation === undefined) return;
  for (const bytes of limits) {
    const read = await store.readConversation(id, bytes);
    expectEqual('the session', read.session, header);
    expectEqual('the captured seq', read.capturedThroughSeq, capturedThroughSeq);
    const left = units.slice(0, units.length);
    const texts = read.units.filter(({ checkpoint }) => !checkpoint);
    const others = left.filter(({ checkpoint }) => !checkpoint);
    const unread = others.slice(0, others.length - texts.length);
    const expected = units.filter((unit) => unit.checkpoint || !unread.includes(unit));
    expectEqual('the units', read.units, expected);
    expectEqual('the unread part', read.unread, {
      messages: unread.length,
      bytes: unread.reduce((sum, { text }) => sum + utf8Length(text), 0),
    });
    const readBytes = texts.reduce((sum, { text }) => sum + utf8Length(text), 0);
    if (unread.length > 0 && readBytes <= bytes) expectNoProblems([`only ${readBytes} of ${bytes} bytes were read`]);
  }
}

function readLatestTitle(events: readonly SessionEvent[]): string | undefined {
  const titled = events.filter(({ type }) => type === 'session/title').at(-1);
  return (titled?.data as { readonly title: string } | undefined)?.title;
}

const CASES: readonly StoreCase[] = [
  {
    name: 'is empty at first',
    run: async (create) => {
      const store = await create();
      expectEqual('the list', await store.listSessions(), []);
      expectEqual('the titles', await store.readTitleSnapshots([]), []);
      expectEqual('a deletion', await store.delete('nobody'), false);
      await expectRefused(() => store.readSurface('nobody'), STORE_FAILED);
      await expectRefused(() => store.readLog('nobody'), STORE_FAILED);
      await expectRefused(() => store.append('nobody', []), STORE_FAILED);
      await expectRefused(() => store.append('nobody', [userEvent(0, 'x')]), STORE_FAILED);
      if (store.readConversation !== undefined) {
        await expectRefused(async () => store.readConversation?.('nobody', 1), STORE_FAILED);
      }
      const [title] = await store.readTitleSnapshots(['nobody']);
      expectEqual('the status', title?.status, 'rejected');
    },
  },
  {
    name: 'keeps a log, and its header with fields it does not know',
    run: async (create) => {
      const store = await create();
      const header = { version: 0, id: 's', createdAt: 5, cwd: '/work', parentSession: 'p', host: { name: ['x'] } };
      const events = [titleEvent(0, 'First'), userEvent(1, 'Hello'), { type: 'unknown/type', seq: 2, data: null }];
      await store.put({ header, events });
      await expectHolds(store, { header, events }, [0, 1, 100]);
    },
  },
  {
    name: 'keeps an empty log, and appends to it',
    run: async (create) => {
      const store = await create();
      await store.put(logOf('s'));
      await expectHolds(store, logOf('s'), [0]);
      await store.append('s', []);
      await expectHolds(store, logOf('s'), [0]);
      await store.append('s', [userEvent(0, 'Hello')]);
      await expectHolds(store, logOf('s', [userEvent(0, 'Hello')]), [0, 10]);
      await store.append('s', []);
      await expectHolds(store, logOf('s', [userEvent(0, 'Hello')]), [0, 10]);
    },
  },
  {
    name: 'puts a log in place of the one with the same id',
    run: async (create) => {
      const store = await create();
      await store.put(logOf('s', [titleEvent(0, 'Old'), userEvent(1, 'old'), checkpointEvent(2, 'summary', 1, 1)]));
      await store.put(logOf('s', [userEvent(0, 'new')]));
      await expectHolds(store, logOf('s', [userEvent(0, 'new')]), [0, 10]);
      expectEqual('the number of sessions', (await store.listSessions()).length, 1);
      // What was replaced before is on no surface any more.
      await expectRefused(() => store.append('s', [checkpointEvent(1, 'x', 2, 2)]), INVALID_LOG);
    },
  },
  {
    name: 'lists the newest session first, and of one moment the last that was put',
    run: async (create) => {
      const store = await create();
      const order = async (): Promise<string[]> => (await store.listSessions()).map(({ header }) => header.id);
      for (const [id, createdAt] of [
        ['a', 2],
        ['b', 3],
        ['c', 2],
        ['d', 1],
      ] as const) {
        await store.put(logOf(id, [], createdAt));
      }
      expectEqual('the order', await order(), ['b', 'c', 'a', 'd']);
      await store.append('d', [userEvent(0, 'x')]);
      expectEqual('the order after an append', await order(), ['b', 'c', 'a', 'd']);
      await store.put(logOf('a', [], 2));
      expectEqual('the order after a put', await order(), ['b', 'a', 'c', 'd']);
      await store.delete('b');
      expectEqual('the order after a deletion', await order(), ['a', 'c', 'd']);
    },
  },
  {
    name: 'gives the same list again while nothing changes',
    run: async (create) => {
      const store = await create();
      await store.put(logOf('a', [], 1));
      await store.put(logOf('b', [], 2));
      const list = await store.listSessions();
      expectEqual('sameness', (await store.listSessions()) === list, true);
    },
  },
  {
    name: 'gives the same record again of every session that did not change',
    run: async (create) => {
      const store = await create();
      for (const id of ['a', 'b', 'c']) await store.put(logOf(id, [], 1));
      const before = await store.listSessions();
      await store.append('b', [titleEvent(0, 'New')]);
      await store.put(logOf('d', [], 2));
      await store.delete('c');
      const after = await store.listSessions();
      const kept = after.filter((record) => before.includes(record)).map(({ header }) => header.id);
      expectEqual(
        'the sessions',
        after.map(({ header }) => header.id),
        ['d', 'b', 'a'],
      );
      expectEqual('those with the same record', kept, ['a']);
    },
  },
  {
    name: 'deletes a session and nothing of its neighbours',
    run: async (create) => {
      const store = await create();
      const ids = ['s', 's\0', 'sa', 'r'];
      for (const id of ids) await store.put(logOf(id, [userEvent(0, id), checkpointEvent(1, 'summary', 0, 0)]));
      expectEqual('the first deletion', await store.delete('s'), true);
      expectEqual('the second deletion', await store.delete('s'), false);
      await expectRefused(() => store.readSurface('s'), STORE_FAILED);
      for (const id of ids.slice(1)) {
        await expectHolds(store, logOf(id, [userEvent(0, id), checkpointEvent(1, 'summary', 0, 0)]), [0, 10]);
      }
      await store.put(logOf('s'));
      await expectHolds(store, logOf('s'), [10]);
    },
  },
  {
    name: 'keeps sessions of every kind of id apart',
    run: async (create) => {
      const store = await create();
      for (const id of UNUSUAL_IDS) await store.put(logOf(id, [userEvent(0, id)]));
      for (const id of UNUSUAL_IDS) await store.append(id, [titleEvent(1, id)]);
      for (const id of UNUSUAL_IDS) await expectHolds(store, logOf(id, [userEvent(0, id), titleEvent(1, id)]), [0]);
      expectEqual('the number of sessions', (await store.listSessions()).length, UNUSUAL_IDS.length);
      for (const id of UNUSUAL_IDS) expectEqual('a deletion', await store.delete(id), true);
      expectEqual('the list', await store.listSessions(), []);
    },
  },
  {
    name: 'keeps text and titles as they are, lone surrogates too',
    run: async (create) => {
      const store = await create();
      const texts = ['\ud83d', 'a\udc00b', '<b>', '\u2028', '\0', '🏴', 'x'.repeat(200_000), '\ud800'.repeat(50_000)];
      const events = texts.flatMap((text, index) => [userEvent(2 * index, text), titleEvent(2 * index + 1, text)]);
      await store.put(logOf('s', events));
      await expectHolds(store, logOf('s', events), [0, 100_000, 10_000_000]);
    },
  },
  {
    name: 'refuses what is no log, and keeps what it had',
    run: async (create) => {
      const store = await create();
      await store.put(logOf('s', [userEvent(0, 'a'), userEvent(1, 'b')]));
      const before = await observe(store, 's');
      const bad: readonly unknown[] = [
        undefined,
        null,
        'log',
        [],
        {},
        { header: null, events: [] },
        { header: { id: 's', createdAt: 1 } },
        { header: { id: 1, createdAt: 1 }, events: [] },
        { header: { id: 's', createdAt: 'today' }, events: [] },
        { header: { id: 's', createdAt: Number.NaN }, events: [] },
        { header: { version: 0, id: 's', createdAt: 1, cwd: 5 }, events: [] },
        logOf('s', [userEvent(1, 'gap')]),
        logOf('s', [userEvent(0, 'a'), userEvent(0, 'b')]),
        logOf('s', [null as never]),
        logOf('s', [{ seq: 0 } as never]),
        logOf('s', [userEvent(0, 'a', { surfaceOp: 'drop' as never })]),
        logOf('s', [userEvent(0, 'a'), checkpointEvent(1, 'x', 0, 1)]),
        logOf('s', [userEvent(0, 'a'), userEvent(1, 'b'), checkpointEvent(2, 'x', 1, 0)]),
      ];
      for (const log of bad) await expectRefused(() => store.put(log as SessionLog), INVALID_LOG);
      expectEqual('the store', await observe(store, 's'), before);
    },
  },
  {
    name: 'refuses an append that does not fit, all of it, and keeps what it had',
    run: async (create) => {
      const store = await create();
      const events = [userEvent(0, 'a'), userEvent(1, 'b'), checkpointEvent(2, 'x', 1, 1), userEvent(3, 'c')];
      await store.put(logOf('s', events));
      const before = await observe(store, 's');
      const bad: readonly (readonly unknown[])[] = [
        [userEvent(5, 'gap')],
        [userEvent(3, 'fork')],
        [userEvent(0, 'again')],
        [userEvent(4, 'fits'), titleEvent(5, 'fits'), userEvent(7, 'gap')],
        [userEvent(4, 'fits'), checkpointEvent(5, 'fits', 0, 2), checkpointEvent(6, 'gone', 0, 0)],
        [checkpointEvent(4, 'replaced', 1, 1)],
        [checkpointEvent(4, 'start after end', 3, 0)],
        [checkpointEvent(4, 'later place, earlier seq', 3, 2)],
        [checkpointEvent(4, 'itself', 4, 4)],
        [checkpointEvent(4, 'future', 0, 9)],
        [checkpointEvent(4, 'negative', -1, 0)],
        [checkpointEvent(4, 'fraction', 0.5, 0)],
        [checkpointEvent(4, 'no number', Number.NaN, 0)],
        [checkpointEvent(4, 'text', '0' as never, 0)],
        [userEvent(4, 'x', { surfaceOp: { op: 'insert' } as never })],
        [{ type: 'tool/result', seq: 4, data: null, surfaceOp: null }],
        [undefined],
        [{ seq: 4 }],
      ];
      for (const added of bad) await expectRefused(() => store.append('s', added as SessionEvent[]), INVALID_LOG);
      await expectRefused(() => store.append('s', 'events' as never), INVALID_LOG);
      expectEqual('the store', await observe(store, 's'), before);
      await store.append('s', [checkpointEvent(4, 'by place', 2, 3)]);
      await expectHolds(store, logOf('s', [...events, checkpointEvent(4, 'by place', 2, 3)]), [0, 1, 100]);
    },
  },
  {
    name: 'lets one of two appends at once win, and refuses the other',
    run: async (create) => {
      const store = await create();
      await store.put(logOf('s'));
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) => outcomeOf(() => store.append('s', [userEvent(0, `${index}`)]))),
      );
      const won = outcomes.findIndex(({ kind }) => kind === 'value');
      for (const [index, outcome] of outcomes.entries()) {
        if (index === won) expectValue(outcome);
        else expectCode(outcome, INVALID_LOG, isSessionReferenceError);
      }
      await expectHolds(store, logOf('s', [userEvent(0, `${won}`)]), [0]);
    },
  },
  {
    name: 'grows by single events over many pages',
    run: async (create) => {
      const store = await create();
      await store.put(logOf('s'));
      const events: SessionEvent[] = [];
      for (let seq = 0; seq < 400; seq += 1) {
        const isCheckpoint = seq % 90 === 89;
        events.push(
          isCheckpoint ? checkpointEvent(seq, `to ${seq}`, seq - 40, seq - 5) : userEvent(seq, longText(seq)),
        );
        await store.append('s', events.slice(-1));
      }
      await expectHolds(store, logOf('s', events), [0, 1_000, 20_000, 100_000, 400_000, 10_000_000]);
      events.push(checkpointEvent(400, 'all of it', 0, 399));
      await store.append('s', events.slice(-1));
      await expectHolds(store, logOf('s', events), [0, 1_000]);
    },
  },
  {
    name: 'replaces within one page, over pages, at both ends, and what replaced before',
    run: async (create) => {
      const store = await create();
      const events: SessionEvent[] = Array.from({ length: 300 }, (_, seq) => userEvent(seq, longText(seq)));
      await store.put(logOf('s', events));
      const ranges = [
        [10, 12],
        [0, 0],
        [299, 299],
        [50, 250],
        [301, 300],
        [303, 302],
        [305, 305],
        [306, 304],
      ] as const;
      for (const [start, end] of ranges) {
        const seq = events.length;
        const event = seq % 2 === 0 ? checkpointEvent(seq, `${seq}`, start, end) : editEvent(seq, start, end);
        const fresh = await outcomeOf(() => foldSurface([...events, event]));
        const stored = await outcomeOf(() => store.append('s', [event]));
        expectEqual(`the outcome of ${start} to ${end}`, stored.kind, fresh.kind);
        if (stored.kind === 'error') continue;
        events.push(event);
        await expectHolds(store, logOf('s', events), [0, 5_000, 1_000_000]);
      }
    },
  },
  {
    name: 'forgets a checkpoint that was replaced, also where it is far from the end',
    run: async (create) => {
      const store = await create();
      const events = Array.from({ length: 600 }, (_, seq) => userEvent(seq, longText(seq)));
      await store.put(logOf('s', events));
      for (const [start, end] of [
        [10, 20],
        [100, 101],
        [5, 30],
        [90, 200],
      ] as const) {
        events.push(checkpointEvent(events.length, `${start} to ${end}`, start, end));
        await store.append('s', events.slice(-1));
      }
      await expectHolds(store, logOf('s', events), [0, 1_000, 1_000_000]);
    },
  },
  {
    name: 'reads nothing once it is cancelled',
    run: async (create) => {
      const store = await create();
      await store.put(logOf('s'));
      const signal = AbortSignal.abort('stop');
      await expectRefused(() => store.listSessions(signal), CANCELLED);
      await expectRefused(() => store.readTitleSnapshots(['s'], signal), CANCELLED);
      await expectRefused(() => store.readSurface('s', signal), CANCELLED);
      if (store.readConversation !== undefined) {
        await expectRefused(async () => store.readConversation?.('s', 1, signal), CANCELLED);
      }
    },
  },
  {
    name: 'is searched and referenced like any source of sessions',
    run: async (create) => {
      const store = await create();
      await store.put(logOf('old', [titleEvent(0, 'Deploy plan'), userEvent(1, 'Never deploy on Friday')]));
      const service = new SessionReferences(store);
      const [found] = await service.listCandidates({ id: 'me' }, 'DEPLOY');
      expectEqual('the candidate', found?.label, 'Deploy plan');
      const prepared = await service.prepare({ id: 'me' }, [], [{ sessionId: 'old' }]);
      const text = (prepared.additionalContext?.content[0] as { readonly text: string } | undefined)?.text ?? '';
      expectEqual('the snapshot', text.includes('Never deploy on Friday'), true);
    },
  },
];

function longText(seq: number): string {
  return `${seq} ${'the build is green and nobody looks at it '.repeat(seq % 40)}`;
}

function editEvent(seq: number, start: number, end: number): SessionEvent {
  return userEvent(seq, `edit ${seq}`, { surfaceOp: { op: 'replace', start, end } });
}

/** A query that has only what every host has, so that the whole surface is read. */
function withoutBounds(store: StoreUnderTest): SessionQuery {
  return {
    listSessions: (signal) => store.listSessions(signal),
    readTitleSnapshots: (ids, signal) => store.readTitleSnapshots(ids, signal),
    readSurface: (id, signal) => store.readSurface(id, signal),
  };
}

/** A log, and where it is cut into a put and appends. */
const arrivals = fc.record({
  log: sessionLog,
  // Pages are large: only long texts make several.
  stretch: fc.constantFrom(1, 1, 1, 3_000, 12_000),
  cuts: fc.array(fc.nat(30), { maxLength: 6 }),
  limits: fc.array(fc.oneof(fc.nat(40), fc.nat(200_000)), { minLength: 1, maxLength: 3 }),
  budget: fc.integer({ min: 200, max: 100_000 }),
});

function stretchTexts(events: readonly SessionEvent[], times: number): SessionEvent[] {
  const json = JSON.stringify(events, (key, value: unknown) =>
    key === 'text' && typeof value === 'string' ? value.repeat(times) : value,
  );
  return JSON.parse(json) as SessionEvent[];
}

function laws(runs: number): readonly StoreCase[] {
  return [
    {
      name: 'B70: answers what a fresh fold says, however the events arrive',
      run: async (create) => {
        const store = await create();
        let count = 0;
        const property = fc.asyncProperty(arrivals, async ({ log, stretch, cuts, limits, budget }) => {
          const id = `session ${count}`;
          count += 1;
          const events = stretchTexts(log, stretch);
          const places = [...cuts.map((cut) => Math.min(cut, events.length)), events.length].sort((a, b) => a - b);
          let place = places[0] ?? 0;
          await store.put(logOf(id, events.slice(0, place)));
          for (const next of places) {
            await store.append(id, events.slice(place, next));
            place = next;
          }
          await expectHolds(store, logOf(id, events), limits);
          const prepare = async (query: SessionQuery): Promise<unknown> =>
            new SessionReferences(query, { maxReferenceBytes: budget }, { createId: () => 'id' }).prepare(
              { id: 'me' },
              [],
              [{ sessionId: id }],
            );
          expectEqual('the bounded read', await prepare(store), await prepare(withoutBounds(store)));
          await store.delete(id);
        });
        await fc.assert(property, { numRuns: runs });
      },
    },
    {
      name: 'refuses exactly what a fresh fold refuses, and is as it was',
      run: async (create) => {
        const store = await create();
        const wild = fc.record({
          log: sessionLog,
          start: fc.integer({ min: -1, max: 32 }),
          end: fc.integer({ min: -1, max: 32 }),
        });
        const property = fc.asyncProperty(wild, async ({ log, start, end }) => {
          await store.put(logOf('s', log));
          const event = checkpointEvent(log.length, 'summary', start, end);
          const fresh = await outcomeOf(() => foldSurface([...log, event]));
          const stored = await outcomeOf(() => store.append('s', [event]));
          expectEqual('the outcome', stored.kind, fresh.kind);
          if (fresh.kind === 'error' && stored.kind === 'error') {
            expectEqual('the message', (stored.error as Error).message, (fresh.error as Error).message);
          }
          await expectHolds(store, logOf('s', stored.kind === 'error' ? log : [...log, event]), [10]);
        });
        await fc.assert(property, { numRuns: runs });
      },
    },
  ];
}

/**
 * Everything that is promised of every store of this library. No test framework: it runs in Node, pages and workers.
 *
 * @param name - of the store.
 * @param create - makes an empty one.
 * @param runs - of each law.
 */
export function runStoreSuite(name: string, create: CreateStore, runs: number): Promise<Report> {
  return runCases(
    name,
    [...CASES, ...laws(runs)],
    (entry) => entry.name,
    (entry) => entry.run(create),
  );
}

/** How many cases the suite has. */
export const STORE_CASES: number = CASES.length + laws(0).length;
