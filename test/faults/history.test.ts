import { describe, expect, it } from 'vitest';
import { MemorySessionStore, type SessionEvent, SessionReferences } from '../../src/index.ts';
import { assistant, checkpoint, quote, takeApart, textsOf, user } from './quote-sessions.ts';

const IMAGE = { type: 'image', attachment: { id: 'a' } };

function toolResult(seq: number, text: string): SessionEvent {
  return {
    type: 'tool/result',
    seq,
    data: { message: { content: [{ type: 'text', text }], source: { kind: 'tool' } } },
  };
}

describe('the history of a session', () => {
  it('B67: ends where the host says, without the answer that is being given again', async () => {
    const again: SessionEvent = { ...assistant(2, 'new answer'), surfaceOp: { op: 'replace', start: 1, end: 1 } };
    expect(await textsOf([user(0, 'q'), assistant(1, 'old answer')])).toEqual(['q', 'old answer']);
    expect(await textsOf([user(0, 'q'), assistant(1, 'old answer'), again])).toEqual(['q', 'new answer']);
  });

  it.each<[unknown, string[]]>([
    [null, []],
    [undefined, []],
    [[], []],
    [7, []],
    [{}, []],
    [[null, 7, 'x'], []],
    [[IMAGE], []],
    [[{ type: 'text', text: 'words' }, IMAGE], ['words']],
    [
      [
        { type: 'text', text: null },
        { type: 'text', text: 'words' },
      ],
      ['words'],
    ],
  ])('B68: has content of any shape: %j', async (content, expected) => {
    expect(await textsOf([user(0, content), assistant(1, content)])).toEqual([...expected, ...expected]);
  });

  it('B70: is taken at one moment, in which an answer under way is not there, and then there once', async () => {
    const store = new MemorySessionStore();
    const service = new SessionReferences(store);
    const take = async (): Promise<unknown> => {
      const { additionalContext } = await service.prepare({ id: 'target' }, [], [{ sessionId: 's' }]);
      const { snapshot } = takeApart(additionalContext);
      return [snapshot.capturedThroughSeq, snapshot.conversation.map(({ text }) => text)];
    };
    const chunk = (seq: number): SessionEvent => ({ type: 'assistant/chunk', seq, data: { text: 'ans' } });
    await store.put({ header: { version: 0, id: 's', createdAt: 1 }, events: [user(0, 'q')] });
    expect(await take()).toEqual([0, ['q']]);
    await store.append('s', [chunk(1), chunk(2)]);
    expect(await take()).toEqual([2, ['q']]);
    await store.append('s', [assistant(3, 'answer')]);
    expect(await take()).toEqual([3, ['q', 'answer']]);
  });

  it('B71: leaves tool output out, however long, and bounds an image that is written as text', async () => {
    const image = `see data:image/png;base64,${'iVBORw0KGgo'.repeat(50_000)}`;
    const events = [user(0, 'q'), toolResult(1, 'tool output '.repeat(400_000)), assistant(2, image)];
    const { json, record } = await quote({ events });
    expect(json).not.toContain('tool output');
    expect(json.length).toBeLessThanOrEqual(65_536 + 2);
    expect(record).toMatchObject({ originalMessages: 2, truncated: true });
  });

  it('B73: has a summary in the place of what it stands for, and of two the later', async () => {
    const messages = Array.from({ length: 9 }, (_, seq) => user(seq, `m${seq + 1}`));
    const first = [...messages, checkpoint(9, 'first summary', 0, 8), user(10, 'm10')];
    expect(await textsOf(first)).toEqual(['first summary', 'm10']);
    expect(await textsOf([...first, checkpoint(11, 'second summary', 9, 10), user(12, 'm11')])).toEqual([
      'second summary',
      'm11',
    ]);
  });

  it('B74: has no message for an image alone, and none of what an image says', async () => {
    const { snapshot, record, json } = await quote({ events: [user(0, [IMAGE]), user(1, 'and?')] });
    expect(snapshot.conversation).toEqual([{ role: 'user', text: 'and?' }]);
    expect(record).toMatchObject({ originalMessages: 1, omittedMessages: 0 });
    expect(json).not.toContain('attachment');
  });
});
