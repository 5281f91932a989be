import type { SessionReferenceService } from '../../src/reference.ts';
import type { SessionQuery } from '../../src/session/query.ts';

/** The exports of the core entry. Runners get them handed in, so that the same cases prove a source and every build. */
export type Library = typeof import('../../src/index.ts');

/** What the cases are run against. */
export interface Subject {
  readonly library: Library;
  /** The service over these sessions, in this thread or behind a worker. */
  readonly createService: (query: SessionQuery, config: unknown) => SessionReferenceService;
}

/**
 * The library itself, without a worker in between.
 *
 * @param library - the exports of the core entry, from wherever they were imported.
 */
export function createSubject(library: Library): Subject {
  // The cast lets cases hand over settings of a wrong type.
  const createService = (query: SessionQuery, config: unknown): SessionReferenceService =>
    new library.SessionReferences(query, config as never);
  return { library, createService };
}
