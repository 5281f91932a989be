import { describe, expect, it } from 'vitest';
import {
  MemorySessionStore,
  parseSessionReferenceText,
  type SessionQuery,
  SessionReferences,
} from '../../src/index.ts';
import { quote, takeApart, user } from './quote-sessions.ts';

/** A host whose titles are what is given, of whatever type. */
function hostOf(titles: Readonly<Record<string, unknown>>): SessionQuery {
  const headers = Object.keys(titles).map((id) => ({ version: 0, id, createdAt: 1 }));
  return {
    listSessions: async () => headers.map((header) => ({ header })),
    readTitleSnapshots: async () =>
      headers.map((session) => {
        const title = titles[session.id] === null ? null : { title: titles[session.id] };
        return { sessionId: session.id, status: 'fulfilled', value: { session, title } } as never;
      }),
    readSurface: async (id) => {
      const session = headers.find((header) => header.id === id);
      if (session === undefined) throw new Error('there is none');
      return { session, capturedThroughSeq: 0, events: [user(0, `the words of ${id}`)] };
    },
  };
}

describe('candidates', () => {
  it.each([
    ['B52', null],
    ['B53', ''],
    ['B53', '   '],
    ['B53', '\n\t'],
    ['B53', undefined],
    ['B53', 7],
  ])('%s: have a session whose title is %j, under its id', async (_, title) => {
    const found = await new SessionReferences(hostOf({ 'session-1': title })).listCandidates({ id: 'target' });
    expect(found).toMatchObject([{ sessionId: 'session-1', label: 'session-1' }]);
  });

  it('B56: of one name are told apart by their ids, and the id decides', async () => {
    const service = new SessionReferences(hostOf({ one: 'Fix bug', two: 'Fix bug' }));
    const found = await service.listCandidates({ id: 'target' }, 'fix');
    expect(found.map(({ label }) => label)).toEqual(['Fix bug', 'Fix bug']);
    for (const { mention, sessionId } of found) {
      const { references } = parseSessionReferenceText(mention);
      const { additionalContext } = await service.prepare({ id: 'target' }, [], references);
      const { snapshot } = takeApart(additionalContext);
      expect(snapshot.conversation[0]?.text).toBe(`the words of ${sessionId}`);
    }
  });
});

describe('a reference', () => {
  it.each(['unknown', '', 'target ', 'TARGET', '__proto__'])(
    'B55: to %j, which there is not, is an error, and nothing else is read',
    async (sessionId) => {
      const reads: string[] = [];
      const host = hostOf({ target: 'Mine', other: 'Other' });
      const query: SessionQuery = {
        ...host,
        readSurface: (id) => {
          reads.push(id);
          return host.readSurface(id);
        },
      };
      await expect(new SessionReferences(query).prepare({ id: 'target' }, [], [{ sessionId }])).rejects.toMatchObject({
        code: 'SESSION_REFERENCE_READ_FAILED',
      });
      expect(reads).toEqual([sessionId]);
    },
  );

  it('B58: to a session that is deleted is an error before sending; what was sent stays', async () => {
    const store = new MemorySessionStore();
    await store.put({ header: { version: 0, id: 's', createdAt: 1 }, events: [user(0, 'hi')] });
    const service = new SessionReferences(store);
    const prepare = () => service.prepare({ id: 'target' }, [], [{ sessionId: 's' }]);
    const sent = await prepare();
    await store.delete('s');
    await expect(prepare()).rejects.toMatchObject({ code: 'SESSION_REFERENCE_READ_FAILED' });
    expect(takeApart(sent.additionalContext).snapshot.conversation).toEqual([{ role: 'user', text: 'hi' }]);
  });

  it('B59: to a session that was deleted and written again reads the one that there is', async () => {
    const store = new MemorySessionStore();
    const service = new SessionReferences(store);
    const seen: unknown[] = [];
    for (const texts of [['old', 'older'], ['new']]) {
      await store.put({
        header: { version: 0, id: 's', createdAt: 1 },
        events: texts.map((text, seq) => user(seq, text)),
      });
      const { additionalContext } = await service.prepare({ id: 'target' }, [], [{ sessionId: 's' }]);
      const { snapshot, record } = takeApart(additionalContext);
      seen.push([snapshot.conversation.map(({ text }) => text), record.capturedThroughSeq]);
      await store.delete('s');
    }
    expect(seen).toEqual([
      [['old', 'older'], 1],
      [['new'], 0],
    ]);
  });

  it.each([{ temporary: true }, { parentSession: 'target' }, { kind: 'branch', archived: true }])(
    'B61: is refused to no kind of session that the host has: %j',
    async (kind) => {
      const store = new MemorySessionStore();
      await store.put({ header: { version: 0, id: 's', createdAt: 1, ...kind }, events: [user(0, 'hi')] });
      const service = new SessionReferences(store);
      expect(await service.listCandidates({ id: 'target' })).toHaveLength(1);
      const { additionalContext } = await service.prepare({ id: 'target' }, [], [{ sessionId: 's' }]);
      expect(takeApart(additionalContext).record.retainedMessages).toBe(1);
    },
  );

  it('B62: to itself is refused, the same twice is one, and four are too many', async () => {
    const service = new SessionReferences(hostOf({ a: '', b: '', c: '', d: '' }));
    const prepare = (...ids: string[]) =>
      service.prepare(
        { id: 'target' },
        [],
        ids.map((sessionId) => ({ sessionId })),
      );
    await expect(prepare('target')).rejects.toMatchObject({ code: 'SESSION_REFERENCE_SELF_REFERENCE' });
    const { additionalContext } = await prepare('a', 'b', 'a', 'c', 'b');
    expect(additionalContext?.source.references.map(({ sessionId }) => sessionId)).toEqual(['a', 'b', 'c']);
    await expect(prepare('a', 'b', 'c', 'd')).rejects.toMatchObject({ code: 'SESSION_REFERENCE_TOO_MANY' });
  });
});

it('B53: a label that shows nothing is shown as something', async () => {
  const { text } = parseSessionReferenceText('@[\u200b](dsh-session:Ingi)');
  expect(text.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '').length).toBeGreaterThan(1);
  expect((await quote({ events: [], label: '\u200b' })).snapshot.label).toBe('\u200b');
});
