import { readSessions } from '../src/formats/index.ts';
import { createBackend } from './backend.ts';
import { openSessions } from './open-sessions.ts';
import { serveScope } from './serve.ts';

/** The default worker: a store of its own, or a query on the page; and readers for files. */
serveScope(createBackend(openSessions, readSessions));
