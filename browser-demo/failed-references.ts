import type { ReferencingAgent, SessionReferenceService } from '../src/index.ts';
import { type Draft, type DraftReference, listReferences } from './mention-picker/index.ts';

/** A reference that keeps a message from being sent, and why. */
export interface FailedReference {
  readonly reference: DraftReference;
  readonly error: unknown;
}

/**
 * Which references of a draft cannot be prepared. `prepare` is all or nothing, so each is tried alone.
 *
 * @param service - what refused the draft.
 * @param agent - the conversation that is written in.
 */
export async function findFailedReferences(
  service: SessionReferenceService,
  agent: ReferencingAgent,
  draft: Draft,
): Promise<readonly FailedReference[]> {
  const attempts = listReferences(draft).map(async (reference): Promise<FailedReference | undefined> => {
    try {
      await service.prepare(agent, [{ type: 'text', text: '' }], [reference]);
      return undefined;
    } catch (error) {
      return { reference, error };
    }
  });
  return (await Promise.all(attempts)).filter((failure) => failure !== undefined);
}
