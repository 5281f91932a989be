import { displayLabel } from '../../src/index.ts';
import { type Draft, type DraftSegment, listReferences, normalizeDraft } from './draft.ts';

/** Why a reference was not taken into a draft. */
export type RefusalReason = 'self' | 'too-many';

/** What a draft may take in, and why it does not take all. */
export interface AdmittedReferences {
  readonly insertion: Draft;
  readonly refused?: RefusalReason;
}

/** What a draft may reference. */
export interface ReferenceRules {
  /** The session that is written in; it cannot reference itself. */
  readonly selfId: string;
  /** Distinct sessions that one message may reference. */
  readonly maxReferences: number;
}

/**
 * Hold what is about to be inserted against the rules. A chip that is refused becomes plain words, so that pasted text
 * stays readable.
 *
 * @param rest - the draft without what the insertion replaces.
 * @param insertion - what is to be inserted.
 */
export function admitReferences(rest: Draft, insertion: Draft, rules: ReferenceRules): AdmittedReferences {
  const known = new Set(listReferences(rest).map(({ sessionId }) => sessionId));
  let refused: RefusalReason | undefined;
  const admitted = insertion.map((segment): DraftSegment => {
    if (segment.kind === 'text' || known.has(segment.sessionId)) return segment;
    const reason = refuse(segment.sessionId, known.size, rules);
    if (reason !== undefined) {
      refused ??= reason;
      return { kind: 'text', text: `@${displayLabel(segment.label)}` };
    }
    known.add(segment.sessionId);
    return segment;
  });
  return { insertion: normalizeDraft(admitted), ...(refused === undefined ? {} : { refused }) };
}

function refuse(sessionId: string, count: number, rules: ReferenceRules): RefusalReason | undefined {
  if (sessionId === rules.selfId) return 'self';
  return count >= rules.maxReferences ? 'too-many' : undefined;
}
