import { formatSessionReferenceMention } from '../mention/mention.ts';
import type { ReferencingAgent, SessionReferenceCandidate } from '../reference.ts';
import { type IndexedSession, matchesQuery } from './candidate-index.ts';

/**
 * What a search finds, nearest working directory first: the agent's own, none, another. Inside a group the order stays.
 *
 * @param sessions - newest first.
 * @param agent - the current session; it is left out.
 * @param foldedQuery - what is looked for, folded; empty finds everything.
 * @param limit - how many are wanted.
 */
export function findCandidates(
  sessions: readonly IndexedSession[],
  agent: ReferencingAgent,
  foldedQuery: string,
  limit: number,
): IndexedSession[] {
  const same: IndexedSession[] = [];
  const none: IndexedSession[] = [];
  const other: IndexedSession[] = [];
  for (const session of sessions) {
    if (!matchesQuery(session, foldedQuery)) continue;
    const { id, cwd } = session.header;
    if (id === agent.id) continue;
    const group = (cwd ?? undefined) === undefined ? none : cwd === agent.cwd ? same : other;
    if (group.length < limit) group.push(session);
  }
  return [...same, ...none, ...other].slice(0, limit);
}

/**
 * A session as it is offered.
 *
 * @param session - with its title; where it has none or a blank one, the id stands for it.
 */
export function toCandidate({ header, title }: IndexedSession): SessionReferenceCandidate {
  const { id: sessionId, cwd, createdAt } = header;
  const label = typeof title === 'string' && /\S/.test(title) ? title : sessionId;
  const mention = formatSessionReferenceMention({ sessionId, label });
  return { sessionId, label, ...(typeof cwd === 'string' ? { cwd } : {}), createdAt, mention };
}
