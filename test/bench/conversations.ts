import type { SessionSurfaceSnapshot, SurfaceEvent } from '../../src/index.ts';

/** What the generated messages are written in. */
export type Script = 'plain' | 'mixed' | 'html' | 'cjk';

const WORDS: Readonly<Record<Script, readonly string[]>> = {
  plain: [
    'the build is green again',
    'deploy on Friday',
    'a retry loop',
    'reads the config file',
    'and then, of course,',
  ],
  mixed: ['the build is green', 'на сервере снова тихо', '部署之前先测试', 'café déjà vu', '👍🏽 done', 'über'],
  html: ['<p class="note">', '</p>\n', 'a &lt; b', '{"key":"value"}', '<br/>', 'C:\\temp\\x'],
  cjk: ['部署之前先测试', '会话已经保存', '星期五不要发布', '한국어 문장입니다', '日本語の文章'],
};

/** A small generator of repeatable numbers (xorshift): the same conversations in every runtime. */
function createRandom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * Text of at least so many UTF-8 bytes, as one flat string.
 *
 * @param bytes - UTF-8 bytes wanted.
 * @param script - what it is written in.
 * @param random - from {@link createRandom}.
 */
function writeText(bytes: number, script: Script, random: () => number): string {
  const words = WORDS[script];
  const parts: string[] = [];
  let length = 0;
  while (length < bytes) {
    const word = words[Math.floor(random() * words.length)] ?? '';
    parts.push(word);
    length += wordBytes(word) + 1;
  }
  return parts.join(' ');
}

const knownBytes = new Map<string, number>();

function wordBytes(word: string): number {
  const known = knownBytes.get(word) ?? new TextEncoder().encode(word).length;
  knownBytes.set(word, known);
  return known;
}

/**
 * The surface events of a conversation, users and assistants in turn.
 *
 * @param messages - how many.
 * @param bytes - UTF-8 bytes of each text, about.
 * @param script - what they are written in.
 */
export function createEvents(messages: number, bytes = 580, script: Script = 'plain'): SurfaceEvent[] {
  const random = createRandom(messages);
  return Array.from({ length: messages }, (_, seq) => {
    const content = [{ type: 'text', text: writeText(bytes, script, random) }];
    return seq % 2 === 0
      ? { type: 'user/message', seq, data: { id: `m${seq}`, role: 'user', content, source: { kind: 'user' } } }
      : {
          type: 'assistant/message',
          seq,
          data: { turn: seq, message: { id: `m${seq}`, role: 'assistant', content, source: { kind: 'model' } } },
        };
  });
}

/**
 * A snapshot of a generated conversation.
 *
 * @param events - its surface.
 */
export function toSurfaceSnapshot(events: readonly SurfaceEvent[]): SessionSurfaceSnapshot {
  const session = { version: 0, id: 'source', createdAt: 1_700_000_000_000, cwd: '/work' };
  return { session, capturedThroughSeq: events.length - 1, events };
}

/**
 * One message.
 *
 * @param bytes - UTF-8 bytes of its text.
 * @param script - what it is written in.
 */
export function createLongMessage(bytes: number, script: Script): SurfaceEvent[] {
  const paragraph = writeText(1 << 16, script, createRandom(7));
  const repeated = paragraph.repeat(Math.ceil(bytes / new TextEncoder().encode(paragraph).length));
  // Must be flat: what `repeat` makes is a tree of slices in some engines, and no real message is one.
  const text = JSON.parse(JSON.stringify(repeated)) as string;
  return [
    {
      type: 'user/message',
      seq: 0,
      data: { role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } },
    },
  ];
}
