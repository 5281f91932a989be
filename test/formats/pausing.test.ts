import { expect, it } from 'vitest';
import { readSessions } from '../../src/formats/index.ts';

const LINES = 40_000;
const TIME = '2026-01-02T03:04:05.000Z';

function claude(index: number): object {
  const parentUuid = index === 0 ? null : `u${index - 1}`;
  return { type: 'user', uuid: `u${index}`, parentUuid, sessionId: 's', message: { role: 'user', content: 'hi' } };
}

function codex(index: number): object {
  return { timestamp: TIME, type: 'event_msg', payload: { type: 'user_message', message: `hi ${index}` } };
}

function pi(index: number): object {
  const message = { role: 'user', content: 'hi' };
  return { type: 'message', id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}`, timestamp: TIME, message };
}

it.each([
  ['Claude Code', claude],
  ['Codex', codex],
  ['pi', pi],
])('hears an abort while the lines of a long session of %s are put together', async (_, toLine) => {
  const text = Array.from({ length: LINES }, (__, index) => JSON.stringify(toLine(index))).join('\n');
  const bytes = new TextEncoder().encode(text);
  const abort = new AbortController();
  let pauses = 0;
  const onProgress = ({ readBytes }: { readonly readBytes: number }): void => {
    if (readBytes < bytes.length) return;
    pauses += 1;
    // Not at the first pause: that one is after the last line.
    if (pauses === 3) abort.abort();
  };
  const read = async (): Promise<void> => {
    for await (const log of readSessions(bytes, { signal: abort.signal, onProgress })) expect(log).toBeUndefined();
  };
  await expect(read()).rejects.toMatchObject({ code: 'SESSION_REFERENCE_CANCELLED' });
});
