import { describe, expect, it } from 'vitest';
import { openaiChatReader } from '../../src/formats/openai-chat.ts';
import { displayLabel, MemorySessionStore, SessionReferences } from '../../src/index.ts';
import { toOpenAiChatMessages } from '../../src/messages.ts';
import { readRows } from '../formats/read-rows.ts';
import { assistant, measure, quote, user } from './quote-sessions.ts';

const NOTICE = /\n\[… omitted (\d+) UTF-8 bytes …\]\n/;
const FAMILY = '👩‍👩‍👧';

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

describe('what is cut', () => {
  it('B17: holds no half of an emoji, wherever the cut falls', async () => {
    for (let length = 1; length <= 60; length += 1) {
      const text = `${'a'.repeat(length)}${'😀'.repeat(60)}`;
      const quotation = await quote({ events: [user(0, text)] }, 300);
      const [message] = quotation.snapshot.conversation;
      expect(message?.text).not.toMatch(/\p{Surrogate}/u);
      expect(message?.text).toMatch(NOTICE);
      expect(measure(quotation)).toBeLessThanOrEqual(300);
    }
  });

  it('B20: is whole characters in every other place that cuts', async () => {
    const store = new MemorySessionStore();
    const service = new SessionReferences(store);
    for (let length = 0; length <= 210; length += 1) {
      const text = `${'a'.repeat(length)}${'😀'.repeat(120)}`;
      const error: unknown = await service.prepare({ id: 'x' }, [], [{ sessionId: text }]).catch((reason) => reason);
      const { logs } = readRows(openaiChatReader, [{ messages: [{ role: 'user', content: text }] }]);
      const title = logs[0]?.events.find(({ type }) => type === 'session/title')?.data;
      for (const shown of [displayLabel(text), (error as Error).message, JSON.stringify(title)]) {
        expect(shown).toMatch(/^[^\ufffd\p{Surrogate}]+$/u);
        expect(shown).not.toMatch(/\\ud[89a-f]/);
        expect(shown.length).toBeLessThan(600);
      }
    }
  });

  it('B32: is counted as it was read', async () => {
    const events = Array.from({ length: 23 }, (_, seq) => user(seq, `message ${seq}`));
    const long = 'x'.repeat(40_960);
    const { snapshot, record } = await quote({ events: [...events, assistant(23, long)] }, 20_000);
    const [message] = snapshot.conversation;
    expect(snapshot.conversation).toHaveLength(1);
    expect(record).toMatchObject({ originalMessages: 24, retainedMessages: 1, omittedMessages: 23, truncated: true });
    const dropped = events.reduce((sum, _, seq) => sum + `message ${seq}`.length, 0);
    const kept = message?.text.replace(NOTICE, '').length ?? 0;
    expect(record.omittedBytes).toBe(dropped + long.length - kept);
  });

  it('B34: keeps its end, with the gap marked where it is', async () => {
    const text = `${'talk '.repeat(2_000)}\nThe rule: never on Friday.`;
    const { snapshot } = await quote({ events: [user(0, text)] }, 2_000);
    const [head = '', omitted, tail = ''] = snapshot.conversation[0]?.text.split(NOTICE) ?? [];
    expect(text.startsWith(head)).toBe(true);
    expect(tail.endsWith('The rule: never on Friday.')).toBe(true);
    expect(head.length + tail.length + Number(omitted)).toBe(text.length);
  });

  it('B35: stays what it was, the words of the user with their size', async () => {
    const { snapshot, record } = await quote({ events: [user(0, 'w'.repeat(5_000)), assistant(1, 'ok')] }, 300);
    expect(snapshot.conversation).toEqual([{ role: 'assistant', text: 'ok' }]);
    expect(record).toMatchObject({ omittedMessages: 1, omittedBytes: 5_000 });
    const cut = await quote({ events: [user(0, 'w'.repeat(5_000))] }, 300);
    expect(cut.snapshot.conversation[0]).toMatchObject({ role: 'user', text: expect.stringMatching(NOTICE) });
  });
});

describe('a budget', () => {
  it.each([
    ['B25: characters of three bytes', '数'.repeat(30_000)],
    ['B26: controls', '\u0001'.repeat(20_000)],
    ['B26: quotes', '"'.repeat(40_000)],
    ['B26: brackets', '<'.repeat(20_000)],
  ])('%s are measured as they are written', async (_, text) => {
    const quotation = await quote({ events: [user(0, text)] });
    expect(measure(quotation)).toBeLessThanOrEqual(65_536);
    expect(measure(quotation)).toBeGreaterThanOrEqual(65_536 - 16);
    const kept = quotation.snapshot.conversation[0]?.text.replace(NOTICE, '') ?? '';
    expect(quotation.record.omittedBytes).toBe(countBytes(text) - countBytes(kept));
  });

  it('B37: that the fixed fields exceed is an error, and nothing comes of it', async () => {
    await expect(quote({ events: [user(0, 'hi')], label: 'x'.repeat(70_000) })).rejects.toMatchObject({
      code: 'SESSION_REFERENCE_BUDGET_EXCEEDED',
    });
  });
});

describe('broken Unicode', () => {
  it('B22: that is stored already stays as it is in the data, and is mended where messages are written', async () => {
    const { context, snapshot } = await quote({ events: [user(0, 'a\ud83d')], label: '\ud83d' });
    expect(snapshot).toMatchObject({ label: '\ud83d', conversation: [{ text: 'a\ud83d' }] });
    const content = [{ type: 'text', text: 'mine \udc00' }];
    const messages = toOpenAiChatMessages({ content, additionalContext: context });
    for (const { content: text } of messages) expect(text).not.toMatch(/\p{Surrogate}/u);
    expect(JSON.stringify(messages)).toContain('mine \ufffd');
  });

  it('B23: gives text that a strict reader takes', async () => {
    const { context, snapshot } = await quote({ events: [user(0, '\ud800x\udfff')] });
    const text = context.content[0]?.text ?? '';
    expect(new TextDecoder('utf-8', { fatal: true }).decode(new TextEncoder().encode(text))).toBe(text);
    expect(snapshot.conversation[0]?.text).toBe('\ud800x\udfff');
  });
});

describe('a label that is shown', () => {
  it('B28: ends between two clusters', () => {
    const shown = displayLabel(FAMILY.repeat(60));
    expect(shown).toMatch(new RegExp(`^(?:${FAMILY})+…$`, 'u'));
    expect(Array.from(shown).length).toBeLessThanOrEqual(120);
    expect(displayLabel('e\u0301'.repeat(100))).toMatch(/^(?:e\u0301)+…$/);
  });

  it('B29: has no character that cannot be seen, whichever it is', () => {
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      const character = String.fromCodePoint(codePoint);
      if (!/\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/u.test(character)) continue;
      if (/[\u200c\u200d]|\p{Variation_Selector}/u.test(character)) continue;
      expect(displayLabel(`alice${character}bob`)).toBe('alicebob');
    }
  });

  it('B31: has no tag character, but the joiners of emoji and scripts', () => {
    expect(displayLabel('ok\u{e0041}\u{e0042}\u{e007f}')).toBe('ok');
    for (const kept of ['👩‍🚀', 'می‌خواهم', '❤️']) expect(displayLabel(kept)).toBe(kept);
  });

  it('B31: in the data, what is hidden can be seen, and nothing is lost', async () => {
    const text = 'ok\u{e0041}👩‍🚀 می‌خواهم';
    const { json, snapshot } = await quote({ events: [user(0, text)] });
    expect(json).toContain('ok\\udb40\\udc41👩‍🚀 می‌خواهم');
    expect(snapshot.conversation[0]?.text).toBe(text);
  });
});
