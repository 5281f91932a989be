import type {
  SessionQuery,
  SessionRecord,
  SessionSurfaceSnapshot,
  SessionTitleObservationResult,
} from '../../src/session/query.ts';
import type { SessionHeader } from '../../src/session/session.ts';

/** A session as the candidate cases describe it. */
export interface TitledSession {
  readonly id: string;
  readonly createdAt: number;
  readonly cwd?: string;
  readonly title?: string;
  /** Reading this title fails. */
  readonly titleError?: boolean;
}

/** A query that also counts how often each surface was read. */
export interface CountingQuery extends SessionQuery {
  readonly reads: readonly string[];
}

/**
 * The sessions of a `prepare` case.
 *
 * @param snapshots - what `readSurface` answers; every other id fails.
 */
export function sessionsQuery(snapshots: readonly SessionSurfaceSnapshot[]): CountingQuery {
  const reads: string[] = [];
  return {
    reads,
    async listSessions(): Promise<SessionRecord[]> {
      return snapshots.map(({ session }) => ({ header: session }));
    },
    async readTitleSnapshots(ids: readonly string[]): Promise<SessionTitleObservationResult[]> {
      return ids.map((sessionId) => ({ sessionId, status: 'rejected', reason: new Error('no titles here') }));
    },
    async readSurface(id: string): Promise<SessionSurfaceSnapshot> {
      reads.push(id);
      const found = snapshots.find(({ session }) => session.id === id);
      if (found === undefined) throw new Error('no such session');
      return found;
    },
  };
}

/**
 * The sessions of a candidate case.
 *
 * @param sessions - in the order of `listSessions()`.
 */
export function titlesQuery(sessions: readonly TitledSession[]): SessionQuery {
  return {
    async listSessions(): Promise<SessionRecord[]> {
      return sessions.map((session) => ({ header: toHeader(session) }));
    },
    async readTitleSnapshots(ids: readonly string[]): Promise<SessionTitleObservationResult[]> {
      return ids.map((sessionId): SessionTitleObservationResult => {
        const session = sessions.find(({ id }) => id === sessionId);
        if (session === undefined || session.titleError) {
          return { sessionId, status: 'rejected', reason: new Error('the title cannot be read') };
        }
        const title = session.title === undefined ? {} : { title: { title: session.title } };
        return { sessionId, status: 'fulfilled', value: { session: toHeader(session), ...title } };
      });
    },
    async readSurface(): Promise<SessionSurfaceSnapshot> {
      throw new Error('candidates never need a surface');
    },
  };
}

function toHeader({ id, createdAt, cwd }: TitledSession): SessionHeader {
  return { version: 0, id, createdAt, ...(cwd === undefined ? {} : { cwd }) };
}
