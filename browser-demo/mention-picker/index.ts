/**
 * A message composer with mentions of other sessions, without a framework: made to be lifted into a host. It needs the
 * core of the library, a style sheet for the classes it sets, and nothing of this page.
 */
export type { MentionCandidate } from './candidate-rows.ts';
export {
  type Draft,
  type DraftMessage,
  type DraftReference,
  type DraftSegment,
  isBlankDraft,
  listReferences,
  readDraft,
} from './draft.ts';
export { SESSION_DRAG_TYPE, writeSessionDrag } from './drag-data.ts';
export { MentionComposer, type MentionComposerOptions } from './mention-composer.ts';
export type { RefusalReason } from './reference-limit.ts';
