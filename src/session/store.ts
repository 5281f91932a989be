import type { SessionQuery } from './query.ts';
import type { SessionEvent, SessionLog } from './session.ts';

/**
 * A place that keeps sessions. Every method is all or nothing, and rejects with `STORE_FAILED` when the storage fails
 * and `INVALID_LOG` when what it was given is no valid log.
 */
export interface SessionStore extends SessionQuery {
  /** Keep a whole session, in place of one with the same id. The log's objects must not be changed afterwards. */
  put(log: SessionLog): Promise<void>;
  /**
   * Add events at the end of a session. The first `seq` must follow the last one stored: a gap or a fork is
   * `INVALID_LOG` and changes nothing.
   */
  append(id: string, events: readonly SessionEvent[]): Promise<void>;
  /** Forget a session. Resolves to whether there was one. */
  delete(id: string): Promise<boolean>;
}
