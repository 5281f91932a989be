import { exposeSessionReferences, MemorySessionStore } from './library.ts';

/**
 * A worker of a host whose storage misbehaves as the address says: `?slow`, `?hang`, `?close`, `?loop`, `?crash`,
 * `?buffer`, `?crash-idle`.
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

exposeSessionReferences({
  listSessions: () => (fault === '' || fault === 'crash-idle' ? store.listSessions() : misbehave()),
  readTitleSnapshots: (ids: readonly string[]) => store.readTitleSnapshots(ids),
  readSurface: (id: string) => store.readSurface(id),
});

if (fault === 'crash-idle') {
  addEventListener('message', () => {
    setTimeout(() => {
      throw new Error('crashed on purpose');
    }, 100);
  });
}
