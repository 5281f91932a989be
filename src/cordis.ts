import type { SessionReferencesConfig } from './config.ts';
import type { SessionReferenceService } from './reference.ts';
import type { SessionQuery } from './session/query.ts';
import { SessionReferences } from './session-references.ts';

/**
 * What of a cordis context the plugin uses (cordis 4, as deepseek-harness has it). Structural, so that this package
 * depends on neither.
 */
export interface CordisContext {
  /** The host's sessions: the service `sessionQuery`, which the plugin waits for. */
  readonly sessionQuery: SessionQuery;
  /** Registers a service that belongs to the plugin and goes when it is unloaded. */
  provide(name: string, value?: unknown): unknown;
}

/** The name of the plugin in logs. */
export const name = 'session-reference';

/** The services that the plugin waits for. */
export const inject: readonly string[] = ['sessionQuery'];

/**
 * Provide `ctx.sessionReferences`: the service over the host's own `ctx.sessionQuery`. To be loaded as a plugin:
 * `ctx.plugin(await import('session-reference/cordis'), { maxReferenceBytes: 32_768 })`.
 *
 * @param context - of the host.
 * @param config - see `SessionReferencesConfig`.
 * @throws SessionReferenceError `INVALID_CONFIG`, naming the key and what it allows.
 */
export function apply(context: CordisContext, config?: SessionReferencesConfig | null): void {
  const references = new SessionReferences(context.sessionQuery, config);
  // Must be bound methods: cordis hands out services behind proxies, and a proxy has no private fields.
  const service: SessionReferenceService = {
    listCandidates: (agent, query, limit, signal) => references.listCandidates(agent, query, limit, signal),
    prepare: (agent, content, list, signal) => references.prepare(agent, content, list, signal),
  };
  context.provide('sessionReferences', service);
}
