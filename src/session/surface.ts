import { describeType, quoteInput, SessionReferenceError } from '../error.ts';
import { isRecord } from '../record.ts';
import type { SessionEvent, SurfaceEvent } from './session.ts';

const ELIGIBLE_TYPES: ReadonlySet<string> = new Set([
  'user/message',
  'steering/message',
  'assistant/message',
  'tool/result',
]);

/** The surface is a doubly linked list, so that a replacement costs what it removes and not what it keeps. */
interface SurfaceNode {
  readonly event: SurfaceEvent;
  previous: SurfaceNode | undefined;
  next: SurfaceNode | undefined;
}

/** What one event did to the surface; enough to take it back. */
type SurfaceChange =
  | { readonly kind: 'append'; readonly node: SurfaceNode }
  | { readonly kind: 'replace'; readonly node: SurfaceNode; readonly first: SurfaceNode; readonly last: SurfaceNode };

/**
 * Folds a session log, event by event, into the list of events that the session's model would see.
 *
 * Linear in the number of events: a node is added once and removed at most once.
 */
export class SurfaceFold {
  readonly #nodes = new Map<number, SurfaceNode>();
  #first: SurfaceNode | undefined;
  #last: SurfaceNode | undefined;
  #nextSeq = 0;
  #title: string | undefined;

  /** The highest `seq` folded so far, or `null` before the first event. */
  get capturedThroughSeq(): number | null {
    return this.#nextSeq === 0 ? null : this.#nextSeq - 1;
  }

  /** The title of the latest `session/title` event, when there was one. */
  get title(): string | undefined {
    return this.#title;
  }

  /**
   * Fold events that follow the last one. All or nothing: when one is refused, none of them took effect.
   *
   * @param events - `seq` contiguous from the one after {@link SurfaceFold.capturedThroughSeq}.
   * @throws SessionReferenceError `INVALID_LOG`, naming the seq: a gap, a replaced range that is not on the surface,
   *   a range whose start comes after its end, or an operation that is not known.
   */
  apply(events: readonly SessionEvent[]): void {
    const nextSeq = this.#nextSeq;
    const title = this.#title;
    const changes: SurfaceChange[] = [];
    try {
      for (const event of events) {
        const change = this.#applyOne(event);
        if (change !== undefined) changes.push(change);
      }
    } catch (error) {
      // Must undo newest first: a later change may have removed a node that an earlier one added.
      for (const change of changes.reverse()) this.#undo(change);
      this.#nextSeq = nextSeq;
      this.#title = title;
      throw error;
    }
  }

  /** The surface as it is now, in the order of the conversation. */
  surface(): SurfaceEvent[] {
    const events: SurfaceEvent[] = [];
    for (let node = this.#first; node !== undefined; node = node.next) events.push(node.event);
    return events;
  }

  #applyOne(event: SessionEvent): SurfaceChange | undefined {
    const seq = this.#nextSeq;
    if (!isRecord(event) || typeof event.type !== 'string') {
      throw invalidLog(`The event at seq ${seq} must be an object with a type, not ${describeType(event)}.`);
    }
    if (event.seq !== seq) {
      const found = Number.isSafeInteger(event.seq) ? `seq ${event.seq}` : describeType(event.seq);
      throw invalidLog(`The log has a gap: seq ${seq} was expected, ${found} was found.`);
    }
    this.#nextSeq = seq + 1;
    if (event.type === 'session/title') this.#readTitle(event.data);
    return ELIGIBLE_TYPES.has(event.type) ? this.#place(event) : undefined;
  }

  #readTitle(data: unknown): void {
    if (isRecord(data) && typeof data.title === 'string') this.#title = data.title;
  }

  #place(event: SessionEvent): SurfaceChange {
    const node: SurfaceNode = { event: toSurfaceEvent(event), previous: undefined, next: undefined };
    const operation: unknown = event.surfaceOp;
    if (operation === undefined || operation === 'append') {
      this.#link(this.#last, node, undefined);
      this.#nodes.set(event.seq, node);
      return { kind: 'append', node };
    }
    if (!isRecord(operation) || operation.op !== 'replace') {
      const name = typeof operation === 'string' ? quoteInput(operation) : describeType(operation);
      throw invalidLog(
        `The event at seq ${event.seq} has the surface operation ${name}; "append" and "replace" are known.`,
      );
    }
    return this.#replace(node, this.#find(operation.start, event.seq), this.#find(operation.end, event.seq));
  }

  #find(seq: unknown, replacingSeq: number): SurfaceNode {
    const node = typeof seq === 'number' ? this.#nodes.get(seq) : undefined;
    if (node !== undefined) return node;
    const name = typeof seq === 'number' ? `seq ${seq}` : describeType(seq);
    throw invalidLog(`The event at seq ${replacingSeq} replaces ${name}, which is not on the surface.`);
  }

  #replace(node: SurfaceNode, first: SurfaceNode, last: SurfaceNode): SurfaceChange {
    // Must compare by place, not by seq: after a replacement an earlier place can hold a later seq.
    const removed: number[] = [];
    for (let current: SurfaceNode | undefined = first; ; current = current.next) {
      if (current === undefined) {
        throw invalidLog(
          `The event at seq ${node.event.seq} replaces seq ${first.event.seq} to ${last.event.seq}, but the start comes after the end.`,
        );
      }
      removed.push(current.event.seq);
      if (current === last) break;
    }
    for (const seq of removed) this.#nodes.delete(seq);
    this.#link(first.previous, node, last.next);
    this.#nodes.set(node.event.seq, node);
    return { kind: 'replace', node, first, last };
  }

  #undo(change: SurfaceChange): void {
    const { node } = change;
    this.#nodes.delete(node.event.seq);
    if (change.kind === 'append') {
      this.#join(node.previous, node.next);
      return;
    }
    // The removed run still holds its own links, outward ones included.
    this.#join(node.previous, change.first);
    this.#join(change.last, node.next);
    for (let current: SurfaceNode | undefined = change.first; current !== undefined; current = current.next) {
      this.#nodes.set(current.event.seq, current);
      if (current === change.last) break;
    }
  }

  #link(before: SurfaceNode | undefined, node: SurfaceNode, after: SurfaceNode | undefined): void {
    this.#join(before, node);
    this.#join(node, after);
  }

  #join(before: SurfaceNode | undefined, after: SurfaceNode | undefined): void {
    if (before === undefined) this.#first = after;
    else before.next = after;
    if (after === undefined) this.#last = before;
    else after.previous = before;
  }
}

/**
 * Fold a whole log into its surface.
 *
 * @param events - every event of the log, `seq` contiguous from 0.
 * @returns what the session's model would see, in the order of the conversation.
 * @throws SessionReferenceError `INVALID_LOG`, naming the seq of the event that does not fit.
 */
export function foldSurface(events: readonly SessionEvent[]): SurfaceEvent[] {
  const fold = new SurfaceFold();
  fold.apply(events);
  return fold.surface();
}

function toSurfaceEvent(event: SessionEvent): SurfaceEvent {
  const { type, seq, time, data } = event;
  return time === undefined ? { type, seq, data } : { type, seq, time, data };
}

function invalidLog(message: string): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message);
}
