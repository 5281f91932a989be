/**
 * The published peer and this library on the same sessions, in one process of Node: a line of JSON per result on
 * standard output. The arguments are the built `library.ts` and numbers of messages.
 */
import { pathToFileURL } from 'node:url';
import { Context } from '@deepseek-ai/cordis';
import { SessionReferenceResolver } from '@deepseek-ai/dsh-session-reference';

const [library, ...sizes] = process.argv.slice(2);
const { createEvents, SessionReferences, toSurfaceSnapshot } = await import(pathToFileURL(library).href);

const TARGET = { id: 'target', session: { id: 'target' } };
const REFERENCES = [{ sessionId: 'source' }];

async function createPeer(query) {
  const context = new Context();
  context.provide('sessionQuery');
  context.sessionQuery = query;
  await context.plugin(SessionReferenceResolver, {});
  return context.sessionReferenceResolver;
}

function median(times) {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)];
}

async function time(runs, run) {
  const times = [];
  for (let index = 0; index < runs; index += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return { median: median(times), spread: [Math.min(...times), Math.max(...times)] };
}

for (const messages of sizes.map(Number)) {
  const snapshot = toSurfaceSnapshot(createEvents(messages));
  const query = { listSessions: async () => [], readTitleSnapshots: async () => [], readSurface: async () => snapshot };
  const ours = new SessionReferences(query);
  const peer = await createPeer(query);
  const ourTime = await time(21, () => ours.prepare({ id: 'target' }, [], REFERENCES));
  const peerTime = await time(messages > 3_000 ? 1 : 3, () => peer.prepare(TARGET, [], REFERENCES));
  const name = `prepare, ${messages.toLocaleString('en')} messages × 580 B`;
  const goal = messages >= 10_000 ? '≥ 5,000 × faster' : '≥ 200 × faster';
  process.stdout.write(`${JSON.stringify({ name, goal, ours: ourTime, peer: peerTime })}\n`);
}
