import type { SessionEvent } from '../src/session/session.ts';

const ELIGIBLE = ['user/message', 'steering/message', 'assistant/message', 'tool/result'];

/**
 * The fold of DESIGN §2, written from the contract alone, as a list that is spliced.
 *
 * @param events - a whole log.
 * @returns the seqs on the surface, in order, or `undefined` when the log is malformed.
 */
export function naiveFold(events: readonly SessionEvent[]): number[] | undefined {
  const live: number[] = [];
  for (const [index, { type, seq, surfaceOp }] of events.entries()) {
    if (seq !== index) return undefined;
    if (!ELIGIBLE.includes(type)) continue;
    if (surfaceOp === undefined || surfaceOp === 'append') {
      live.push(seq);
      continue;
    }
    const [from, to] = [live.indexOf(surfaceOp.start), live.indexOf(surfaceOp.end)];
    if (from < 0 || to < from) return undefined;
    live.splice(from, to - from + 1, seq);
  }
  return live;
}
