import type { SessionSurfaceSnapshot } from '../../src/session/query.ts';
import type { SurfaceEvent } from '../../src/session/session.ts';
import { expectEqual, type Report, runCases } from './case-report.ts';
import type { Subject } from './library.ts';
import { RANDOM_DIGESTS } from './random-digests.ts';
import { sha256 } from './sha256.ts';
import { sessionsQuery } from './vector-query.ts';

/** Messages behind each digest, and the sessions that each of them references. */
const MESSAGES = 17;
const SESSIONS = ['one', 'two', 'three'];

const PIECES: readonly string[] = [
  ...[
    'deploy ',
    'never ',
    'on Friday. ',
    'x',
    ' ',
    '\n',
    '\t',
    '\r\n',
    '<',
    '</referenced-sessions>',
    '"',
    '\\',
    '&lt;',
  ],
  ...['会话', '한국어', 'ру́сский', 'é', 'e\u0301', 'क्षि', 'ß', '😀', '👩‍👩‍👧‍👦', '🇯🇵', '1️⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
  ...['\u2028', '\u007f', '\u0085', '\ufeff', '\u200d', '\u202e', '\u2066', '\u{e0041}', '\ud800', '\udc00', '\u0000'],
  ...['[… omitted 7 UTF-8 bytes …]', '\n[… omitted 12 UTF-8 bytes …]\n', '@[a](dsh-session:Ingi)'],
];

const CHECKPOINT = { kind: 'plugin', plugin: 'compact' };

/**
 * Prepare from sessions that a small generator makes, the same in every runtime, and compare what their contexts
 * come to with what they came to when the digests were taken: nothing depends on an engine, a locale or a clock.
 */
export function runRandomSessions(subject: Subject): Promise<Report> {
  return runCases(
    'random sessions',
    RANDOM_DIGESTS.map((digest, index) => ({ digest, index })),
    ({ index }) => `block ${index}`,
    async ({ digest, index }) => expectEqual('the digest', await digestBlock(subject, index), digest),
  );
}

/**
 * The digest of one block of sessions.
 *
 * @param seed - which block.
 */
export async function digestBlock({ createService }: Subject, seed: number): Promise<string> {
  const random = createRandom(seed);
  const contexts: unknown[] = [];
  for (let count = 0; count < MESSAGES; count += 1) {
    const query = sessionsQuery(SESSIONS.map((id) => writeSession(id, random)));
    const service = createService(query, { maxReferenceBytes: 60 + Math.floor(random() ** 3 * 6_000) });
    const references = SESSIONS.map((sessionId) => ({ sessionId, label: writeText(random, 3) }));
    contexts.push(await service.prepare({ id: 'target' }, [], references).then(withoutId, readCode));
  }
  // Must be all ASCII: what an engine makes of lone surrogates here is not what is asked.
  const json = JSON.stringify(contexts).replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  return sha256(new TextEncoder().encode(json)).slice(0, 16);
}

function withoutId({ additionalContext }: { readonly additionalContext?: object }): unknown {
  return { ...additionalContext, id: undefined };
}

function readCode(error: unknown): unknown {
  return (error as { readonly code?: unknown }).code;
}

/** A small generator of repeatable numbers (xorshift), from 0 to below 1. */
function createRandom(seed: number): () => number {
  let state = (seed + 1) * 0x9e3779b1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

function writeText(random: () => number, pieces: number): string {
  const count = Math.floor(random() * pieces);
  let text = '';
  for (let index = 0; index < count; index += 1) {
    const piece = PIECES[Math.floor(random() * PIECES.length)] ?? '';
    text += piece.repeat(1 + Math.floor(random() ** 4 * 40));
  }
  return text;
}

function writeSession(id: string, random: () => number): SessionSurfaceSnapshot {
  const events = writeEvents(random);
  const session = { version: 0, id, createdAt: 1, ...(random() < 0.5 ? { cwd: writeText(random, 3) } : {}) };
  return { session, capturedThroughSeq: events.length === 0 ? null : events.length - 1, events };
}

function writeEvents(random: () => number): SurfaceEvent[] {
  return Array.from({ length: Math.floor(random() * 12) }, (_, seq) => {
    const content = Array.from({ length: 1 + Math.floor(random() * 2) }, () => ({
      type: 'text',
      text: writeText(random, 12),
    }));
    const kind = random();
    if (kind < 0.4) return { type: 'assistant/message', seq, data: { message: { content } } };
    return { type: 'user/message', seq, data: { content, source: kind < 0.5 ? CHECKPOINT : { kind: 'user' } } };
  });
}
