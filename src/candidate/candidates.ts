import { formatSessionReferenceMention } from '../mention/mention.ts';
import type { ReferencingAgent, SessionReferenceCandidate } from '../reference.ts';
import type { SessionHeader } from '../session/session.ts';
import type { FoldedTexts } from './case-folding.ts';

/**
 * Every session but the agent's own, grouped by how near its working directory is: the same one, none, another. Inside
 * a group the order stays.
 *
 * @param headers - newest first.
 * @param agent - the current session.
 */
export function rankSessions(headers: readonly SessionHeader[], agent: ReferencingAgent): SessionHeader[] {
  const same: SessionHeader[] = [];
  const none: SessionHeader[] = [];
  const other: SessionHeader[] = [];
  for (const header of headers) {
    if (header.id === agent.id) continue;
    if (header.cwd === undefined) none.push(header);
    else if (header.cwd === agent.cwd) same.push(header);
    else other.push(header);
  }
  return [...same, ...none, ...other];
}

/**
 * Whether a session is what somebody looks for: a part of its title, id or cwd, each on its own.
 *
 * @param header - the session.
 * @param title - its latest title, where it has one that can be read.
 * @param foldedQuery - what is looked for, folded; empty finds everything.
 * @param texts - where folded forms are kept.
 */
export function matchesQuery(
  header: SessionHeader,
  title: string | undefined,
  foldedQuery: string,
  texts: FoldedTexts,
): boolean {
  return (
    foldedQuery === '' ||
    (title !== undefined && texts.fold(title).includes(foldedQuery)) ||
    texts.fold(header.id).includes(foldedQuery) ||
    (header.cwd !== undefined && texts.fold(header.cwd).includes(foldedQuery))
  );
}

/**
 * A session as it is offered.
 *
 * @param header - the session.
 * @param title - its latest title; where there is none or it is blank, the id stands for it.
 */
export function toCandidate(header: SessionHeader, title: string | undefined): SessionReferenceCandidate {
  const { id: sessionId, cwd, createdAt } = header;
  const label = title !== undefined && /\S/.test(title) ? title : sessionId;
  const mention = formatSessionReferenceMention({ sessionId, label });
  return { sessionId, label, ...(cwd === undefined ? {} : { cwd }), createdAt, mention };
}
