export {
  DEFAULT_CANDIDATE_LIMIT,
  DEFAULT_MAX_REFERENCE_BYTES,
  DEFAULT_MAX_REFERENCES,
  type SessionReferencesConfig,
} from './config.ts';
export {
  isSessionReferenceError,
  SESSION_REFERENCE_ERROR_CODES,
  SessionReferenceError,
  type SessionReferenceErrorCode,
} from './error.ts';
export { displayLabel } from './mention/display-label.ts';
export {
  formatSessionReferenceMention,
  type ParsedSessionReferenceText,
  parseSessionReferenceText,
  type SessionReferenceWithLabel,
} from './mention/mention.ts';
export { decodeSessionReferenceUri, encodeSessionReferenceUri, SESSION_REFERENCE_SCHEME } from './mention/uri.ts';
export type {
  PreparedMessage,
  ReferencingAgent,
  SessionReference,
  SessionReferenceCandidate,
  SessionReferenceContext,
  SessionReferenceService,
  SessionReferenceSource,
  SnapshotRecord,
} from './reference.ts';
export type {
  SessionConversationSnapshot,
  SessionQuery,
  SessionRecord,
  SessionSurfaceSnapshot,
  SessionTitleObservation,
  SessionTitleObservationResult,
} from './session/query.ts';
export type {
  ContentBlock,
  SessionEvent,
  SessionHeader,
  SessionLog,
  SurfaceEvent,
  SurfaceOperation,
} from './session/session.ts';
export type { SessionStore } from './session/store.ts';
export { foldSurface } from './session/surface.ts';
export { SessionReferences, type SessionReferencesOptions } from './session-references.ts';
export type { Pause } from './slices.ts';
export type { ConversationUnit } from './snapshot/projection.ts';
export { MemorySessionStore } from './stores/memory.ts';
