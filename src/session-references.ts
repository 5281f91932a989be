import { throwIfCancelled, untilCancelled } from './cancellation.ts';
import { CandidateIndex, type IndexedSession, withTitle } from './candidate/candidate-index.ts';
import { findCandidates, toCandidate } from './candidate/candidates.ts';
import { foldCase } from './candidate/case-folding.ts';
import { type ResolvedConfig, resolveConfig, type SessionReferencesConfig } from './config.ts';
import { describeType, SessionReferenceError } from './error.ts';
import { isRecord } from './record.ts';
import type {
  PreparedMessage,
  ReferencingAgent,
  SessionReference,
  SessionReferenceCandidate,
  SessionReferenceService,
} from './reference.ts';
import { createRandomId, pauseForOthers } from './runtime.ts';
import type { SessionQuery } from './session/query.ts';
import { parseSessionList, parseTitles } from './session/query-answers.ts';
import type { ContentBlock } from './session/session.ts';
import type { Pause } from './slices.ts';
import { copyContent } from './snapshot/content.ts';
import { createContext, type EnvelopeEntry } from './snapshot/envelope.ts';
import { type DistinctReference, selectReferences } from './snapshot/references.ts';
import { readSource, takeSnapshot } from './snapshot/snapshot.ts';

/** What the service takes from its surroundings; every part has a default. */
export interface SessionReferencesOptions {
  /** Makes the id of a context message. Default: `crypto.randomUUID()`, or random bytes in hex where it is missing. */
  readonly createId?: () => string;
  /** Lets the thread do other work, about every 8 ms of a long `prepare`. Default: a message to itself. */
  readonly pause?: Pause;
}

/**
 * References to other sessions, over the sessions of a host. See `SessionReferenceService` for what each method does.
 *
 * @example
 * const service = new SessionReferences(store);
 * const { text, references } = parseSessionReferenceText(draft);
 * const prepared = await service.prepare({ id: current }, [{ type: 'text', text }], references);
 */
export class SessionReferences implements SessionReferenceService {
  readonly #query: SessionQuery;
  readonly #config: ResolvedConfig;
  readonly #createId: () => string;
  readonly #pause: Pause;
  readonly #index = new CandidateIndex();

  /**
   * @param query - where the sessions are.
   * @param config - see {@link SessionReferencesConfig}.
   * @param options - see {@link SessionReferencesOptions}.
   * @throws SessionReferenceError `INVALID_CONFIG`, naming the key and what it allows.
   */
  constructor(query: SessionQuery, config?: SessionReferencesConfig | null, options?: SessionReferencesOptions | null) {
    this.#query = query;
    this.#config = resolveConfig(config);
    this.#createId = options?.createId ?? createRandomId;
    this.#pause = options?.pause ?? pauseForOthers;
  }

  /** @inheritdoc */
  async listCandidates(
    agent: ReferencingAgent,
    query = '',
    limit: number = this.#config.candidateLimit,
    signal?: AbortSignal,
  ): Promise<SessionReferenceCandidate[]> {
    checkAgent(agent);
    if (typeof query !== 'string') throw invalid(`The query must be a string, not ${describeType(query)}.`);
    if (!Number.isSafeInteger(limit) || limit < 1) {
      const found = typeof limit === 'number' ? String(limit) : describeType(limit);
      throw invalid(`The limit must be a whole number of at least 1, not ${found}.`);
    }
    throwIfCancelled(signal);
    const sessions = this.#index.update(await this.#listSessions(signal));
    const foldedQuery = foldCase(query);
    // Only a search needs every title; a list needs those that it shows.
    const searched = foldedQuery === '' ? sessions : await this.#complete(sessions, signal);
    const found = await this.#complete(findCandidates(searched, agent, foldedQuery, limit), signal);
    return found.map(toCandidate);
  }

  /** @inheritdoc */
  async prepare(
    agent: ReferencingAgent,
    content: readonly ContentBlock[],
    references: readonly SessionReference[],
    signal?: AbortSignal,
  ): Promise<PreparedMessage> {
    checkAgent(agent);
    const selected = selectReferences(agent, references, this.#config.maxReferences);
    const copy = copyContent(content);
    throwIfCancelled(signal);
    if (selected.length === 0) return { content: copy };
    const maxBytes = this.#config.maxReferenceBytes;
    const reads = selected.map(({ sessionId }) => readSource(this.#query, sessionId, maxBytes, signal));
    const sources = await untilCancelled(Promise.all(reads), signal);
    const entries: EnvelopeEntry[] = [];
    for (const [index, source] of sources.entries()) {
      // Must be there: there is one source per selected reference.
      const reference = selected[index] as DistinctReference;
      entries.push(await takeSnapshot(source, reference, maxBytes, { pause: this.#pause, signal }));
    }
    return { content: copy, additionalContext: createContext(this.#createId(), entries) };
  }

  async #listSessions(signal: AbortSignal | undefined): Promise<readonly unknown[]> {
    try {
      return parseSessionList(await untilCancelled(Promise.resolve(this.#query.listSessions(signal)), signal));
    } catch (cause) {
      throwIfCancelled(signal);
      const message = 'The sessions could not be listed.';
      throw new SessionReferenceError('SESSION_REFERENCE_READ_FAILED', message, { cause });
    }
  }

  /** Read the titles that are not known. One that cannot be read never costs the list, nor does a failure of all. */
  async #complete(
    sessions: readonly IndexedSession[],
    signal: AbortSignal | undefined,
  ): Promise<readonly IndexedSession[]> {
    const ids = sessions.filter(({ title }) => title === undefined).map(({ header }) => header.id);
    if (ids.length === 0) return sessions;
    const titles = await this.#readTitles(ids, signal);
    return sessions.map((session) =>
      session.title === undefined ? withTitle(session, titles.get(session.header.id)) : session,
    );
  }

  async #readTitles(ids: readonly string[], signal: AbortSignal | undefined): Promise<ReadonlyMap<string, string>> {
    try {
      return parseTitles(await untilCancelled(Promise.resolve(this.#query.readTitleSnapshots(ids, signal)), signal));
    } catch {
      throwIfCancelled(signal);
      return new Map();
    }
  }
}

function checkAgent(agent: unknown): void {
  if (!isRecord(agent)) throw invalid(`The agent must be an object, not ${describeType(agent)}.`);
  const { id, cwd } = agent;
  if (typeof id !== 'string') throw invalid(`The agent's id must be a string, not ${describeType(id)}.`);
  if (cwd !== undefined && cwd !== null && typeof cwd !== 'string') {
    throw invalid(`The agent's cwd must be a string, not ${describeType(cwd)}.`);
  }
}

function invalid(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_REFERENCE', message);
}
