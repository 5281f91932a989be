import {
  isSessionReferenceError,
  type ReferencingAgent,
  type SessionReferenceErrorCode,
  type SessionReferenceService,
} from '../src/index.ts';
import { type Draft, type DraftReference, listReferences } from './mention-picker/index.ts';

/** A reference that keeps a message from being sent, and why. */
export interface FailedReference {
  readonly reference: DraftReference;
  readonly error: unknown;
}

/** Errors that one session causes; all others would be the same for any. */
const CAUSED_BY_A_SESSION: readonly SessionReferenceErrorCode[] = [
  'SESSION_REFERENCE_READ_FAILED',
  'SESSION_REFERENCE_INVALID_LOG',
  'SESSION_REFERENCE_BUDGET_EXCEEDED',
];

/**
 * Which references of a draft cannot be prepared. `prepare` is all or nothing, so each is tried alone.
 *
 * @param error - what `prepare` rejected with.
 * @param service - what refused the draft.
 * @param agent - the conversation that is written in.
 */
export async function findFailedReferences(
  error: unknown,
  service: SessionReferenceService,
  agent: ReferencingAgent,
  draft: Draft,
): Promise<readonly FailedReference[]> {
  if (!isSessionReferenceError(error) || !CAUSED_BY_A_SESSION.includes(error.code)) return [];
  const attempts = listReferences(draft).map(async (reference): Promise<FailedReference | undefined> => {
    try {
      await service.prepare(agent, [{ type: 'text', text: '' }], [reference]);
      return undefined;
    } catch (reason) {
      return { reference, error: reason };
    }
  });
  return (await Promise.all(attempts)).filter((failure) => failure !== undefined);
}
