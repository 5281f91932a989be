import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSessionConversation, readSessions } from '../../src/formats/index.ts';
import { MemorySessionStore, type SessionEvent, type SessionQuery, SessionReferences } from '../../src/index.ts';
import { hostileText, LAW_RUNS, sessionLog } from '../arbitraries.ts';

const HEADER = { type: 'session', version: 0, id: 's', createdAt: 1, cwd: '/w' };

function toBytes(rows: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** The context made from all of a log, and from what a bounded read of its bytes gives. */
async function prepareBoth(
  bytes: Uint8Array,
  maxReferenceBytes: number,
  pieceBytes: number,
): Promise<[unknown, unknown]> {
  const logs = [];
  for await (const log of readSessions(bytes, { format: 'deepseek-harness' })) logs.push(log);
  const store = new MemorySessionStore(logs);
  const scanned: SessionQuery = {
    listSessions: () => store.listSessions(),
    readTitleSnapshots: (ids) => store.readTitleSnapshots(ids),
    readSurface: () => Promise.reject(new Error('the whole surface is not wanted')),
    readConversation: (_, wanted) => readSessionConversation(streamOf(bytes, pieceBytes), wanted),
  };
  const answers = [store, scanned].map(async (query) => {
    const service = new SessionReferences(query, { maxReferenceBytes }, { createId: () => 'same' });
    try {
      return (await service.prepare({ id: 'target' }, [], [{ sessionId: 's' }])).additionalContext;
    } catch (error) {
      return (error as { code?: unknown }).code;
    }
  });
  return (await Promise.all(answers)) as [unknown, unknown];
}

function streamOf(bytes: Uint8Array, pieceBytes: number): ReadableStream<Uint8Array> {
  let start = 0;
  return new ReadableStream({
    pull(controller) {
      if (start >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(start, start + pieceBytes));
      start += pieceBytes;
    },
  });
}

const budget = fc.oneof(fc.integer({ min: 60, max: 600 }), fc.integer({ min: 600, max: 20_000 }));

describe('a conversation straight from bytes', () => {
  it('gives byte for byte what the whole log gives', async () => {
    await fc.assert(
      fc.asyncProperty(sessionLog, budget, fc.integer({ min: 1, max: 5_000 }), async (events, maxBytes, pieceBytes) => {
        const [whole, scanned] = await prepareBoth(toBytes([HEADER, ...events]), maxBytes, pieceBytes);
        expect(scanned).toEqual(whole);
      }),
      { numRuns: Math.min(LAW_RUNS, 3_000) },
    );
  });

  it('counts what any text stands for', async () => {
    const text = fc.oneof(hostileText, fc.string({ unit: 'binary', maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        budget,
        async (texts, isAscii, maxBytes) => {
          const rows = texts.map((one, seq) => ({
            type: seq % 3 === 2 ? 'assistant/message' : 'user/message',
            seq,
            data:
              seq % 3 === 2
                ? {
                    message: {
                      content: [
                        { type: 'reasoning', text: 'x' },
                        { type: 'text', text: one },
                      ],
                    },
                  }
                : { content: [{ text: one, type: 'text' }], source: { kind: 'user' } },
            surfaceOp: 'append',
          }));
          const lines = [HEADER, ...rows].map(
            (row) => `${isAscii ? toAscii(JSON.stringify(row)) : JSON.stringify(row)}\n`,
          );
          const [whole, scanned] = await prepareBoth(new TextEncoder().encode(lines.join('')), maxBytes, 997);
          expect(scanned).toEqual(whole);
        },
      ),
      { numRuns: Math.min(LAW_RUNS, 3_000) },
    );
  });

  it.each<[string, readonly unknown[]]>([
    ['without seq', [user('a'), user('b')]],
    [
      'with packed rows',
      [user('a'), { type: 'text-chunks', data: { texts: ['x', '"],'] } }, checkpoint('sum', 0, 0), user('b')],
    ],
    [
      'with keys in another order',
      [{ data: { source: { kind: 'user' }, content: [{ text: 'a', type: 'text' }] }, type: 'user/message' }],
    ],
    ['with white space', [JSON.parse(JSON.stringify(user('a'), null, 0))]],
    [
      'with baked context',
      [
        {
          type: 'user/message',
          data: { ...data('all of it'), envelope: { displayContent: [{ type: 'text', text: 'own words' }] } },
        },
      ],
    ],
    [
      'with several text blocks',
      [
        {
          type: 'user/message',
          data: { content: ['a', '', 'c'].map((text) => ({ type: 'text', text })), source: { kind: 'user' } },
        },
      ],
    ],
    ['with content that is text', [{ type: 'user/message', data: { content: 'plain', source: { kind: 'user' } } }]],
    ['with blank messages', [user(' \n\t'), user('\u00a0\ufeff'), user('')]],
    [
      'with injected context',
      [
        {
          type: 'user/message',
          data: { content: [{ type: 'text', text: 'no' }], source: { kind: 'session-reference' } },
        },
        user('yes'),
      ],
    ],
    [
      'with legacy answers',
      [{ type: 'assistant/message', data: { content: [{ type: 'text', text: 'old' }], provenance: {} } }],
    ],
  ])('understands logs %s', async (_, rows) => {
    for (const maxBytes of [150, 65_536]) {
      const [whole, scanned] = await prepareBoth(toBytes([HEADER, ...rows]), maxBytes, 64);
      expect(scanned).toEqual(whole);
    }
  });

  it.each<[string, readonly unknown[], RegExp]>([
    [
      'a gap',
      [
        { ...user('a'), seq: 0 },
        { ...user('b'), seq: 2 },
      ],
      /seq 1 was expected, seq 2/,
    ],
    ['a missing seq', [{ ...user('a'), seq: 0 }, user('b')], /none was found/],
    ['a replacement of what is not there', [user('a'), checkpoint('x', 5, 5)], /seq 5/],
    ['two headers', [user('a'), HEADER], /more than one/],
  ])('refuses %s with a code', async (_, rows, message) => {
    const error = await readSessionConversation(toBytes([HEADER, ...rows]), 1_000).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'SESSION_REFERENCE_INVALID_LOG' });
    expect((error as Error).message).toMatch(message);
  });

  it.each<[string, (bytes: Uint8Array<ArrayBuffer>) => unknown]>([
    ['a Blob', (bytes) => new Blob([bytes])],
    ['bytes', (bytes) => bytes],
    ['text', (bytes) => new TextDecoder().decode(bytes)],
    ['a stream', (bytes) => streamOf(bytes, 100_000)],
    ['a stream of bytes', (bytes) => new Blob([bytes]).stream()],
  ])('finds the old messages that a replacement of new ones leaves, in %s', async (_, toInput) => {
    const messages = Array.from({ length: 3_000 }, (__, index) => user(`${index} ${'word '.repeat(200)}`));
    const rows = [HEADER, ...messages, checkpoint('the rest', 50, 2_999), user('go on')];
    const [whole] = await prepareBoth(toBytes(rows), 20_000, 100_000);
    const query: SessionQuery = {
      listSessions: async () => [],
      readTitleSnapshots: async () => [],
      readSurface: () => Promise.reject(new Error('the whole surface is not wanted')),
      readConversation: (__, wanted) => readSessionConversation(toInput(new Uint8Array(toBytes(rows))), wanted),
    };
    const service = new SessionReferences(query, { maxReferenceBytes: 20_000 }, { createId: () => 'same' });
    const { additionalContext } = await service.prepare({ id: 'target' }, [], [{ sessionId: 's' }]);
    expect(additionalContext).toEqual(whole);
    expect(JSON.stringify(additionalContext)).toContain('49 word');
  });

  it('skips a torn last line and broken ones, and hears an abort', async () => {
    const lines = `${JSON.stringify(HEADER)}\nbroken\n${JSON.stringify(user('a'))}\n{"type":"user`;
    const { units } = await readSessionConversation(lines, 1_000);
    expect(units.map(({ text }) => text)).toEqual(['a']);
    const aborted = readSessionConversation(lines, 1_000, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
  });
});

function data(text: string): object {
  return { content: [{ type: 'text', text }], source: { kind: 'user' } };
}

function user(text: string): Omit<SessionEvent, 'seq'> {
  return { type: 'user/message', data: data(text), surfaceOp: 'append' };
}

function checkpoint(text: string, start: number, end: number): Omit<SessionEvent, 'seq'> {
  const content = [{ type: 'text', text }];
  const replaced = { content, source: { kind: 'plugin', plugin: 'compact' } };
  return { type: 'user/message', data: replaced, surfaceOp: { op: 'replace', start, end } };
}

/** The same JSON with everything beyond ASCII escaped, as some writers do. */
function toAscii(json: string): string {
  return json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
