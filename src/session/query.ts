import type { ConversationUnit } from '../snapshot/projection.ts';
import type { SessionHeader, SurfaceEvent } from './session.ts';

/** One session as a list shows it. A host needs to give the header only; the stores of this library give the rest. */
export interface SessionRecord {
  readonly header: SessionHeader;
  /**
   * The latest title; `null` when it is known that there is none. Where it is missing, `readTitleSnapshots` is asked.
   * Untrusted: show it with `displayLabel`, never as HTML.
   */
  readonly title?: string | null;
  /** How many messages another session would be shown. */
  readonly messages?: number;
  /** When the session last changed, in Unix ms: the time of its latest event, or of its creation. */
  readonly changedAt?: number;
  /** Why the session cannot be read, as one sentence without text of the session. It can still be deleted. */
  readonly problem?: string;
}

/** A session's title, read from its latest `session/title` event. */
export interface SessionTitleObservation {
  readonly session: SessionHeader;
  /** Absent when the session has no title. */
  readonly title?: { readonly title: string };
}

/** One answer of {@link SessionQuery.readTitleSnapshots}; a title that cannot be read fails alone. */
export type SessionTitleObservationResult =
  | { readonly sessionId: string; readonly status: 'fulfilled'; readonly value: SessionTitleObservation }
  | { readonly sessionId: string; readonly status: 'rejected'; readonly reason: unknown };

/** One consistent observation of what a session's model would see. */
export interface SessionSurfaceSnapshot {
  readonly session: SessionHeader;
  /** The highest `seq` of the log at that moment, or `null` for an empty log. */
  readonly capturedThroughSeq: number | null;
  /** The surface, in the order of the conversation. */
  readonly events: readonly SurfaceEvent[];
}

/** One consistent observation of the end of a conversation, and of how much there is before it. */
export interface SessionConversationSnapshot {
  readonly session: SessionHeader;
  /** The highest `seq` of the log at that moment, or `null` for an empty log. */
  readonly capturedThroughSeq: number | null;
  /** The messages that were read, oldest first: every checkpoint, and the newest of the others without a gap. */
  readonly units: readonly ConversationUnit[];
  /** The messages that were not read, all of them older than the oldest unit that is no checkpoint. */
  readonly unread: {
    readonly messages: number;
    /** UTF-8 bytes of their texts; a lone surrogate counts 3. */
    readonly bytes: number;
  };
}

/**
 * All that the service needs from a host. Every store of this library implements it, and it is shape-compatible with
 * the `ctx.sessionQuery` of deepseek-harness. Each call is given the caller's signal and may reject once it aborts.
 */
export interface SessionQuery {
  /** Every session there is, newest first. */
  listSessions(signal?: AbortSignal): Promise<readonly SessionRecord[]>;
  /** One result per id. A title that cannot be read is a `rejected` result, not a rejected promise. */
  readTitleSnapshots(ids: readonly string[], signal?: AbortSignal): Promise<readonly SessionTitleObservationResult[]>;
  /** The surface of one session, rejecting when there is no such session. */
  readSurface(id: string, signal?: AbortSignal): Promise<SessionSurfaceSnapshot>;
  /**
   * Optional, and used in place of `readSurface` where it is there: the projected conversation from its newest message
   * backwards, so that the cost does not grow with the session.
   *
   * @param id - the session.
   * @param bytes - how much is wanted. Reading may stop once the units that are no checkpoints have texts of more than
   *   this many UTF-8 bytes together.
   */
  readConversation?(id: string, bytes: number, signal?: AbortSignal): Promise<SessionConversationSnapshot>;
}
