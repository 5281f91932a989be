import { afterEach } from 'vitest';
import type { SessionLog, SessionQuery } from '../../src/index.ts';
import { type ConnectOptions, connectSessionReferences, type SessionReferencesClient } from '../../worker/client.ts';
import { exposeSessionReferences } from '../../worker/expose.ts';
import type { WorkerLike } from '../../worker/start-worker.ts';

const clients: SessionReferencesClient[] = [];
const ports: MessagePort[] = [];

/** Close a client after the test. */
export function track(client: SessionReferencesClient): SessionReferencesClient {
  clients.push(client);
  return client;
}

/** Close ports after the test. */
export function trackPorts(...opened: MessagePort[]): void {
  ports.push(...opened);
}

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const port of ports.splice(0)) port.close();
});

/** A channel whose ends are closed after the test. */
export function openChannel(): { page: MessagePort; worker: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  trackPorts(port1, port2);
  return { page: port1, worker: port2 };
}

/** Connect over a pair of ports: everything but the worker itself is the real thing. */
export function connect(query: SessionQuery, options: ConnectOptions = {}): SessionReferencesClient {
  const { page, worker } = openChannel();
  exposeSessionReferences(query, worker);
  return track(connectSessionReferences({ worker: page as unknown as WorkerLike, ...options }));
}

/** The page's end of what the worker script of the package serves. */
export async function openDefaultWorker(): Promise<WorkerLike> {
  const { page, worker } = openChannel();
  const { serveChannel } = await import('../../worker/serve.ts');
  const { createBackend } = await import('../../worker/backend.ts');
  const { openSessions } = await import('../../worker/open-sessions.ts');
  serveChannel(worker as never, createBackend(openSessions));
  return page as unknown as WorkerLike;
}

/** A session in which the user says these texts. */
export function log(id: string, texts: readonly string[] = ['hello'], title?: string): SessionLog {
  const messages = texts.map((text, seq) => ({
    type: 'user/message',
    seq,
    data: { content: [{ type: 'text', text }], source: { kind: 'user' } },
    surfaceOp: 'append' as const,
  }));
  const titles = title === undefined ? [] : [{ type: 'session/title', seq: texts.length, data: { title } }];
  return { header: { version: 0, id, createdAt: 1 }, events: [...messages, ...titles] };
}
