import { createBackend } from './backend.ts';
import { openSessions } from './open-sessions.ts';
import { serveScope } from './serve.ts';

/** The worker that keeps sessions: in a store of its own, or in a query on the page. */
serveScope(createBackend(openSessions));
