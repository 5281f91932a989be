import { readSessions } from '../src/formats/index.ts';
import { createReader } from './reader-backend.ts';
import { serveScope } from './serve.ts';

/** The worker that reads files of every format. A script of its own: most pages read none, and need not load it. */
serveScope(createReader(readSessions));
