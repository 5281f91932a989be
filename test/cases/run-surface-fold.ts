import type { SessionSurfaceSnapshot } from '../../src/session/query.ts';
import type { SessionEvent, SessionHeader, SurfaceEvent } from '../../src/session/session.ts';
import { expectEqual, type Report, runCases } from './case-report.ts';
import type { Subject } from './library.ts';

/** A session of a vector: its raw log, where the case has one, and the surface that it folds to. */
export interface VectorSession {
  readonly header: SessionHeader;
  readonly capturedThroughSeq: number | null;
  readonly events: readonly SurfaceEvent[];
  readonly log?: readonly SessionEvent[];
}

interface FoldCase {
  readonly name: string;
  readonly sessions: readonly VectorSession[];
}

/** @param cases - of `surface-fold.json`. */
export function runSurfaceFold({ library }: Subject, cases: readonly unknown[]): Promise<Report> {
  return runCases(
    'surface-fold',
    cases as readonly FoldCase[],
    ({ name }) => name,
    async ({ sessions }) => {
      for (const { header, capturedThroughSeq, events, log = [] } of sessions) {
        expectEqual('the surface', library.foldSurface(log).map(comparable), events.map(comparable));
        const store = new library.MemorySessionStore();
        await store.put({ header, events: log });
        const stored: SessionSurfaceSnapshot = await store.readSurface(header.id);
        expectEqual('the stored surface', stored.events.map(comparable), events.map(comparable));
        expectEqual('capturedThroughSeq', stored.capturedThroughSeq, capturedThroughSeq);
        expectEqual('the header', stored.session, header);
      }
    },
  );
}

function comparable({ type, seq, data }: SurfaceEvent): unknown {
  return { type, seq, data };
}
