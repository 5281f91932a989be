import { readSessions } from '../src/formats/index.ts';
import { createBackend } from './backend.ts';
import { openSessions } from './open-sessions.ts';
import { createReader } from './reader-backend.ts';
import { type ServedChannel, serveChannel } from './serve.ts';

/** What a page runs itself where no worker can be started. The same code in slices, behind the same kind of port. */

/** The other end of a port behind which sessions are kept on this thread. */
export function openPageSessions(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  serveChannel(port2 as unknown as ServedChannel, createBackend(openSessions));
  return port1;
}

/** The other end of a port behind which files are read on this thread. */
export function openPageReader(): MessagePort {
  const { port1, port2 } = new MessageChannel();
  serveChannel(port2 as unknown as ServedChannel, createReader(readSessions));
  return port1;
}
