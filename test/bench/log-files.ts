import { readSessionConversation } from '../../src/formats/index.ts';
import type { SessionQuery } from '../../src/index.ts';
import { createEvents, type Script } from './conversations.ts';

const HEADER = {
  type: 'session',
  version: 0,
  id: 'source',
  createdAt: 1_700_000_000_000,
  cwd: '/work',
  delegationDepth: 0,
};

/** A log file as deepseek-harness writes it, of at least so many bytes. */
export interface LogFile {
  readonly blob: Blob;
  readonly messages: number;
}

/**
 * Generate a log file.
 *
 * @param bytes - how long it is, about.
 * @param script - what its messages are written in.
 * @param chunksPerMessage - rows of raw stream chunks before each message: most of a real log.
 */
export function createLogFile(bytes: number, script: Script, chunksPerMessage: number): LogFile {
  const parts: Blob[] = [];
  let lines: string[] = [JSON.stringify(HEADER)];
  let seq = 0;
  let messages = 0;
  let length = 0;
  const events = createEvents(2_000, 580, script);
  while (length < bytes) {
    const { type, data } = events[messages % events.length] ?? { type: '', data: null };
    for (let index = 0; index < chunksPerMessage; index += 1) lines.push(toChunk(seq++));
    lines.push(JSON.stringify({ type, seq, time: 1_700_000_000_000 + seq, data, surfaceOp: 'append' }));
    seq += 1;
    messages += 1;
    if (lines.length < 5_000) continue;
    const part = new Blob([`${lines.join('\n')}\n`]);
    parts.push(part);
    length += part.size;
    lines = [];
  }
  return { blob: new Blob(parts), messages };
}

function toChunk(seq: number): string {
  const chunk = { type: 'text-delta', text: 'and so on ' };
  return JSON.stringify({
    type: 'assistant/chunk',
    seq,
    time: 1_700_000_000_000 + seq,
    data: { turn: 1, step: 0, index: 0, chunk },
  });
}

/**
 * The sessions of a host that keeps logs as files.
 *
 * @param blob - the only one.
 */
export function createFileQuery(blob: Blob): SessionQuery {
  return {
    listSessions: async () => [],
    readTitleSnapshots: async () => [],
    readSurface: () => Promise.reject(new Error('only its end is read')),
    readConversation: (_, bytes, signal) =>
      readSessionConversation(blob, bytes, signal === undefined ? {} : { signal }),
  };
}

/**
 * Decode and parse every line as it streams: what a reader does that looks at everything.
 *
 * @param blob - JSON lines.
 * @returns how many lines there were.
 */
export async function parseEveryLine(blob: Blob): Promise<number> {
  const reader = blob.stream().getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return count;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      JSON.parse(line);
      count += 1;
    }
  }
}
