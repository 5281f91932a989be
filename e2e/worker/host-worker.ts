import { exposeSessionReferences, MemorySessionStore } from './library.ts';

/**
 * A worker of a host whose storage misbehaves as the address says: `?slow`, `?hang`, `?close`, `?loop`, `?crash`,
 * `?buffer`, `?crash-idle`. `?long` has one long session, and tells when it is read and when an abort is heard.
 */
const fault = location.search.slice(1);
const store = new MemorySessionStore();

function misbehave(): Promise<never> {
  if (fault === 'close') close();
  if (fault === 'loop') for (;;);
  if (fault === 'buffer') new ArrayBuffer(2 ** 52);
  if (fault === 'crash') {
    setTimeout(() => {
      throw new Error('crashed on purpose');
    });
  }
  return new Promise(() => undefined);
}

/** The long session, and word to the page outside of the connection. */
function readLong(signal: AbortSignal): Promise<unknown> {
  signal.addEventListener('abort', () => postMessage({ heard: performance.timeOrigin + performance.now() }));
  const text = 'the build is green again and again '.repeat(16);
  const events = Array.from({ length: 100_000 }, (_, seq) => ({
    type: 'user/message',
    seq,
    data: { content: [{ type: 'text', text: `${text} ž ${seq}` }], source: { kind: 'user' } },
  }));
  postMessage({ reading: true });
  return Promise.resolve({
    session: { version: 0, id: 'long', createdAt: 1 },
    capturedThroughSeq: events.length - 1,
    events,
  });
}

exposeSessionReferences({
  listSessions: () => (fault === '' || fault === 'crash-idle' ? store.listSessions() : misbehave()),
  readTitleSnapshots: (ids: readonly string[]) => store.readTitleSnapshots(ids),
  readSurface: (id: string, signal: AbortSignal) => (fault === 'long' ? readLong(signal) : store.readSurface(id)),
});

if (fault === 'crash-idle') {
  addEventListener('message', () => {
    setTimeout(() => {
      throw new Error('crashed on purpose');
    }, 100);
  });
}
