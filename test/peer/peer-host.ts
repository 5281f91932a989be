/**
 * A real deepseek-harness context, of its published packages: its session store, its query engine, its own reference
 * service, and ours beside it as a plugin.
 */
import { Context } from '@deepseek-ai/cordis';
import { compactCheckpointSource } from '@deepseek-ai/dsh-compaction';
import { createAssistantMessage, createUserMessage } from '@deepseek-ai/dsh-llm';
import { SessionStore } from '@deepseek-ai/dsh-session';
import { SessionQueryEngine } from '@deepseek-ai/dsh-session-query';
import { SessionReferenceResolver } from '@deepseek-ai/dsh-session-reference';
import * as plugin from '../../src/cordis.ts';
import type { SessionReferenceService } from '../../src/index.ts';

/** A service of either side. The peer wants more of an agent than an id. */
export type ReferenceService = Pick<SessionReferenceService, 'prepare' | 'listCandidates'>;

/** A session of the peer's own store, written through its own API. */
export interface PeerSession {
  append(type: string, data: unknown, options?: unknown): { readonly seq: number };
}

/** Both services over the same sessions. */
export interface PeerHost {
  readonly ours: ReferenceService;
  readonly peer: ReferenceService;
  createSession(id: string, cwd?: string): PeerSession;
}

/** The peer's packages are typed for hosts that augment them; here they are what they are at run time. */
interface LooseContext {
  readonly sessions: { create(id: string, options: unknown): PeerSession };
  readonly sessionReferences: ReferenceService;
  readonly sessionReferenceResolver: ReferenceService;
  plugin(plugin: unknown, config: unknown): Promise<unknown>;
}

/** The engine is abstract in its full-text search only, which references do not use. */
class ReferenceQueryEngine extends (SessionQueryEngine as unknown as new (...args: unknown[]) => object) {
  searchSessions(): never {
    throw new Error('not searched here');
  }
  searchEvents(): never {
    throw new Error('not searched here');
  }
}
Object.assign(ReferenceQueryEngine, { inject: ['sessions'] });

/**
 * Start a context.
 *
 * @param config - of both services.
 */
export async function createPeerHost(config: object = {}): Promise<PeerHost> {
  const context = new Context() as unknown as LooseContext;
  await context.plugin(SessionStore, {});
  await context.plugin(ReferenceQueryEngine, {});
  await context.plugin(SessionReferenceResolver, config);
  await context.plugin(plugin, config);
  return {
    ours: context.sessionReferences,
    peer: context.sessionReferenceResolver,
    createSession: (id, cwd) => context.sessions.create(id, { meta: cwd === undefined ? {} : { cwd } }),
  };
}

/** Direct words of the user. */
export function appendUser(session: PeerSession, text: string): number {
  const message = createUserMessage({ content: [{ type: 'text', text }], source: { kind: 'user' } } as never);
  return session.append('user/message', message, { surfaceOp: 'append' }).seq;
}

/** A message of a plugin, as the peer injects context. */
export function appendInjected(session: PeerSession, text: string, source: object): number {
  const message = createUserMessage({ content: [{ type: 'text', text }], source } as never);
  return session.append('user/message', message, { surfaceOp: 'append' }).seq;
}

/** What the assistant answered. */
export function appendAssistant(session: PeerSession, texts: readonly string[], turn: number): number {
  const content = texts.map((text) => ({ type: 'text', text }));
  const message = createAssistantMessage({
    content,
    source: { kind: 'model', provider: 'local', model: 'echo' },
  } as never);
  return session.append('assistant/message', { turn, step: 0, message }, { surfaceOp: 'append' }).seq;
}

/** A compaction that replaces a range of the surface. */
export function appendCheckpoint(session: PeerSession, summary: string, start: number, end: number): number {
  const message = createUserMessage({
    content: [{ type: 'text', text: summary }],
    source: compactCheckpointSource('compaction-1' as never),
  } as never);
  const sourceEventSeqs = Array.from({ length: end - start + 1 }, (_, index) => start + index);
  return session.append('user/message', message, { surfaceOp: { op: 'replace', start, end }, sourceEventSeqs }).seq;
}

/** A title, as its title service writes it. */
export function appendTitle(session: PeerSession, title: string): number {
  return session.append('session/title', { title, messageSeqs: [], source: { kind: 'user' } }).seq;
}
