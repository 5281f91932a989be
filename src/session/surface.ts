import { describeType, isSessionReferenceError, quoteInput, SessionReferenceError } from '../error.ts';
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
  /** By seq; made when the first replacement asks for it, because most logs have none. */
  #nodes: Map<number, SurfaceNode> | undefined;
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
      // A getter of an event may throw anything.
      throw isSessionReferenceError(error) ? error : invalidLog('An event cannot be read.', error);
    }
  }

  /**
   * Fold one event that joins the end of the surface, without the cost of being able to take it back.
   *
   * @param event - its seq must be the next one.
   */
  append(event: SurfaceEvent): void {
    const node: SurfaceNode = { event, previous: undefined, next: undefined };
    this.#link(this.#last, node, undefined);
    this.#nodes?.set(event.seq, node);
    this.#nextSeq += 1;
  }

  /**
   * Pass over events that cannot change the surface or the title, without having looked at them.
   *
   * @param count - how many.
   */
  pass(count: number): void {
    this.#nextSeq += count;
  }

  /** The surface as it is now, in the order of the conversation. */
  surface(): SurfaceEvent[] {
    const events: SurfaceEvent[] = [];
    for (let node = this.#first; node !== undefined; node = node.next) events.push(node.event);
    return events;
  }

  /** The surface as it is now, event by event, for whoever must not hold the thread for all of it. */
  *walk(): Generator<SurfaceEvent, void, undefined> {
    for (let node = this.#first; node !== undefined; node = node.next) yield node.event;
  }

  #applyOne(event: SessionEvent): SurfaceChange | undefined {
    const step = readSurfaceStep(event, this.#nextSeq);
    this.#nextSeq += 1;
    this.#title = readTitle(event) ?? this.#title;
    return step === undefined ? undefined : this.#place(event, step);
  }

  #place(event: SessionEvent, step: SurfaceStep): SurfaceChange {
    const node: SurfaceNode = { event: toSurfaceEvent(event), previous: undefined, next: undefined };
    if (step === 'append') {
      this.#link(this.#last, node, undefined);
      this.#nodes?.set(event.seq, node);
      return { kind: 'append', node };
    }
    return this.#replace(node, this.#find(step.start, event.seq), this.#find(step.end, event.seq));
  }

  #find(seq: unknown, replacingSeq: number): SurfaceNode {
    this.#nodes ??= this.#indexNodes();
    const node = typeof seq === 'number' ? this.#nodes.get(seq) : undefined;
    if (node === undefined) throw notOnSurface(seq, replacingSeq);
    return node;
  }

  #indexNodes(): Map<number, SurfaceNode> {
    const nodes = new Map<number, SurfaceNode>();
    for (let node = this.#first; node !== undefined; node = node.next) nodes.set(node.event.seq, node);
    return nodes;
  }

  #replace(node: SurfaceNode, first: SurfaceNode, last: SurfaceNode): SurfaceChange {
    // Must compare by place, not by seq: after a replacement an earlier place can hold a later seq.
    const removed: number[] = [];
    for (let current: SurfaceNode | undefined = first; ; current = current.next) {
      if (current === undefined) throw startsAfterEnd(first.event.seq, last.event.seq, node.event.seq);
      removed.push(current.event.seq);
      if (current === last) break;
    }
    for (const seq of removed) this.#nodes?.delete(seq);
    this.#link(first.previous, node, last.next);
    this.#nodes?.set(node.event.seq, node);
    return { kind: 'replace', node, first, last };
  }

  #undo(change: SurfaceChange): void {
    const { node } = change;
    this.#nodes?.delete(node.event.seq);
    if (change.kind === 'append') {
      this.#join(node.previous, node.next);
      return;
    }
    // The removed run still holds its own links, outward ones included.
    this.#join(node.previous, change.first);
    this.#join(change.last, node.next);
    for (let current: SurfaceNode | undefined = change.first; current !== undefined; current = current.next) {
      this.#nodes?.set(current.event.seq, current);
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
  if (!Array.isArray(events)) throw invalidLog(`The events must be an array, not ${describeType(events)}.`);
  const fold = new SurfaceFold();
  fold.apply(events);
  return fold.surface();
}

/** What an event does to the surface: `append`, or the place of what it replaces, which is not narrowed yet. */
export type SurfaceStep = 'append' | { readonly start: unknown; readonly end: unknown };

/**
 * What one event of a log does to the surface.
 *
 * @param event - anything.
 * @param seq - the place in the log that it must have.
 * @returns `undefined` when it is not for the surface.
 * @throws SessionReferenceError `INVALID_LOG`, naming the seq: no event, a gap, or an operation that is not known.
 */
export function readSurfaceStep(event: unknown, seq: number): SurfaceStep | undefined {
  if (!isRecord(event) || typeof event.type !== 'string') {
    throw invalidLog(`The event at seq ${seq} must be an object with a type, not ${describeType(event)}.`);
  }
  if (event.seq !== seq) {
    const found = Number.isSafeInteger(event.seq) ? `seq ${event.seq}` : describeType(event.seq);
    throw invalidLog(`The log has a gap: seq ${seq} was expected, ${found} was found.`);
  }
  if (!ELIGIBLE_TYPES.has(event.type)) return undefined;
  const operation = event.surfaceOp;
  if (operation === undefined || operation === 'append') return 'append';
  if (isRecord(operation) && operation.op === 'replace') return { start: operation.start, end: operation.end };
  const name = typeof operation === 'string' ? quoteInput(operation) : describeType(operation);
  throw invalidLog(`The event at seq ${seq} has the surface operation ${name}; "append" and "replace" are known.`);
}

/**
 * The title that an event gives its session, if it is one that does.
 *
 * @param event - an event of a log.
 */
export function readTitle({ type, data }: SessionEvent): string | undefined {
  if (type !== 'session/title' || !isRecord(data) || typeof data.title !== 'string') return undefined;
  return data.title;
}

/**
 * An event as the surface has it.
 *
 * @param event - of an eligible type.
 */
export function toSurfaceEvent(event: SessionEvent): SurfaceEvent {
  const { type, seq, time, data } = event;
  return time === undefined ? { type, seq, data } : { type, seq, time, data };
}

/**
 * The error for a replacement of something that is not on the surface.
 *
 * @param seq - what should be replaced; anything.
 * @param replacingSeq - the event that should replace it.
 */
export function notOnSurface(seq: unknown, replacingSeq: number): SessionReferenceError {
  const name = typeof seq === 'number' ? `seq ${seq}` : describeType(seq);
  return invalidLog(`The event at seq ${replacingSeq} replaces ${name}, which is not on the surface.`);
}

/**
 * The error for a replaced range whose start comes after its end.
 *
 * @param start - the first event that should be replaced.
 * @param end - the last one.
 * @param replacingSeq - the event that should replace them.
 */
export function startsAfterEnd(start: number, end: number, replacingSeq: number): SessionReferenceError {
  return invalidLog(
    `The event at seq ${replacingSeq} replaces seq ${start} to ${end}, but the start comes after the end.`,
  );
}

function invalidLog(message: string, cause?: unknown): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message, { cause });
}
