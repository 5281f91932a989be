import { describeType, SessionReferenceError } from '../error.ts';
import { parseSessionReference } from '../mention/mention.ts';
import type { ReferencingAgent } from '../reference.ts';

/** A session to be read, once, however often it was mentioned. */
export interface DistinctReference {
  readonly sessionId: string;
  readonly label: string;
  /** Position among the distinct references, in order of first mention. */
  readonly inputIndex: number;
}

/**
 * The distinct sessions that a message references, in order of first mention; the first label wins.
 *
 * @param agent - who references; must not be referenced.
 * @param references - what a caller passed.
 * @param maxReferences - the most distinct sessions.
 * @throws SessionReferenceError `INVALID_REFERENCE` or `SELF_REFERENCE` for the first that is wrong, then `TOO_MANY`.
 */
export function selectReferences(
  agent: ReferencingAgent,
  references: unknown,
  maxReferences: number,
): DistinctReference[] {
  if (!Array.isArray(references)) {
    throw failure('INVALID_REFERENCE', `The references must be an array, not ${describeType(references)}.`);
  }
  const distinct = new Map<string, DistinctReference>();
  for (const reference of references as readonly unknown[]) {
    const { sessionId, label = sessionId } = parseSessionReference(reference);
    if (sessionId === agent.id) throw failure('SELF_REFERENCE', 'A session cannot reference itself.');
    if (!distinct.has(sessionId)) distinct.set(sessionId, { sessionId, label, inputIndex: distinct.size });
  }
  if (distinct.size > maxReferences) {
    throw failure('TOO_MANY', `A message can reference ${maxReferences} sessions, not ${distinct.size}.`);
  }
  return [...distinct.values()];
}

function failure(code: 'INVALID_REFERENCE' | 'SELF_REFERENCE' | 'TOO_MANY', message: string): SessionReferenceError {
  return new SessionReferenceError(`SESSION_REFERENCE_${code}`, message);
}
