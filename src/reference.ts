import type { ContentBlock } from './session/session.ts';

/** Who is writing: the session a message is being written in. */
export interface ReferencingAgent {
  /** The id of the current session; it is never offered and cannot be referenced. */
  readonly id: string;
  /** Its working directory; candidates of the same one come first. */
  readonly cwd?: string;
}

/** One reference to another session, as `parseSessionReferenceText` finds it in a message. */
export interface SessionReference {
  readonly sessionId: string;
  /** What the mention called the session; untrusted, as written. Default: the id. */
  readonly label?: string;
}

/** One session that can be referenced, as a list of suggestions shows it. */
export interface SessionReferenceCandidate {
  readonly sessionId: string;
  /** The latest title, or the id when there is none. Untrusted: show it with `displayLabel`, never as HTML. */
  readonly label: string;
  readonly cwd?: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  /** The Markdown mention to put into the draft. */
  readonly mention: string;
}

/** What is known about one snapshot: enough to show what was sent and what was left out. */
export interface SnapshotRecord {
  readonly sessionId: string;
  readonly label: string;
  /** The highest `seq` the snapshot saw, or `null` for an empty log. */
  readonly capturedThroughSeq: number | null;
  /** Whether the source has a compaction checkpoint. */
  readonly compacted: boolean;
  /** Messages the source's projection has. */
  readonly originalMessages: number;
  /** Messages in the snapshot, cut ones included. */
  readonly retainedMessages: number;
  /** Messages left out whole. */
  readonly omittedMessages: number;
  /** UTF-8 bytes of source text left out, of whole and of cut messages alike. */
  readonly omittedBytes: number;
  /** Whether anything was left out. */
  readonly truncated: boolean;
  /** Position among the distinct references of the message, in order of first mention. */
  readonly inputIndex: number;
}

/** Where a context message comes from. */
export interface SessionReferenceSource {
  readonly kind: 'session-reference';
  readonly version: 1;
  readonly references: readonly SnapshotRecord[];
}

/** The model-facing message that quotes the referenced sessions. Deeply frozen. */
export interface SessionReferenceContext {
  readonly id: string;
  readonly role: 'user';
  readonly source: SessionReferenceSource;
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }];
}

/** What `prepare` returns. Deliver the context first and the readable message second, both or neither. */
export interface PreparedMessage {
  /** The message's content, detached from what was passed in. */
  readonly content: readonly ContentBlock[];
  /** Absent when the message references nothing. */
  readonly additionalContext?: SessionReferenceContext;
}

/** The service, in this thread or behind a worker: a host can swap one for the other. */
export interface SessionReferenceService {
  /**
   * The sessions that can be referenced.
   *
   * @param agent - the current session; it is left out.
   * @param query - a part of the title, id or cwd, in any case; all sessions when empty.
   * @param limit - the most candidates wanted, at least 1. Default: `candidateLimit` of the configuration.
   * @param signal - cancels at once with `CANCELLED`, also while storage hangs.
   * @returns candidates of the same cwd first, then those without one, then the others, newest first in each group.
   * @throws SessionReferenceError `INVALID_REFERENCE` for a bad argument, `READ_FAILED` when the sessions cannot be listed.
   */
  listCandidates(
    agent: ReferencingAgent,
    query?: string,
    limit?: number,
    signal?: AbortSignal,
  ): Promise<SessionReferenceCandidate[]>;
  /**
   * Take one bounded, read-only snapshot of every referenced session.
   *
   * @param agent - the current session; a reference to it is `SELF_REFERENCE`.
   * @param content - the readable message, as content blocks; it is copied.
   * @param references - in order of mention; repeated ids are read once, and the first label wins.
   * @param signal - cancels at once with `CANCELLED`, and is handed to the reads.
   * @throws SessionReferenceError `INVALID_REFERENCE`, `SELF_REFERENCE`, `TOO_MANY`, `CANCELLED`, `READ_FAILED` or
   *   `BUDGET_EXCEEDED`, checked in this order. Nothing is delivered then.
   */
  prepare(
    agent: ReferencingAgent,
    content: readonly ContentBlock[],
    references: readonly SessionReference[],
    signal?: AbortSignal,
  ): Promise<PreparedMessage>;
}
