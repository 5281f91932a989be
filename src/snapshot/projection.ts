import { isRecord, type UnknownRecord } from '../record.ts';
import type { SurfaceEvent } from '../session/session.ts';
import { runAtOnce, type SlicedWork } from '../slices.ts';
import { Utf8Counter } from './utf8-length.ts';

/** One message of a session as another session may quote it. */
export interface ConversationUnit {
  readonly role: 'user' | 'assistant';
  /** Its visible text; never blank. */
  readonly text: string;
  /** Whether it is a compaction checkpoint: the summary that stands for what it replaced. */
  readonly checkpoint: boolean;
}

/** The newest part of a projected conversation. */
export interface NewestUnits {
  /** Oldest first: every checkpoint, and the newest of the others without a gap. */
  readonly units: readonly ConversationUnit[];
  /** What is older than these. */
  readonly unread: {
    readonly messages: number;
    /** UTF-8 bytes of their texts; a lone surrogate counts 3. */
    readonly bytes: number;
  };
}

/** Events between two looks at the clock: together they take well under a millisecond. */
const SLICE_EVENTS = 1024;

/**
 * What of a surface another session may see: the words of the user, the visible text of the assistant, and
 * compaction checkpoints. Tools, reasoning, injected context (earlier snapshots too), other plugins' messages and
 * everything that is not text is left out, and so is a message of which nothing but white space is left.
 *
 * Walks from the newest event. Once the messages that are no checkpoints have more text than is wanted, older ones are
 * only counted: a long session costs no more memory than a short one, and no more time than counting its bytes.
 *
 * @param events - a folded surface, in order.
 * @param bytes - how much text is wanted, in UTF-8 bytes.
 */
export function* projectNewest(events: readonly SurfaceEvent[], bytes: number): SlicedWork<NewestUnits> {
  const newestFirst: ConversationUnit[] = [];
  let wanted = bytes;
  let end = events.length;
  for (; end > 0 && wanted >= 0; end -= 1) {
    if (end % SLICE_EVENTS === 0) yield;
    const unit = projectEvent(events[end - 1]);
    if (unit === undefined) continue;
    newestFirst.push(unit);
    // A code unit takes at least one byte, so this never stops too early.
    if (!unit.checkpoint) wanted -= unit.text.length;
  }
  const { checkpoints, unread } = yield* countOlder(events, end);
  return { units: [...checkpoints, ...newestFirst.reverse()], unread };
}

/** Must walk forward: texts mostly lie in memory in the order in which they came, and backward takes twice as long. */
function* countOlder(
  events: readonly SurfaceEvent[],
  end: number,
): SlicedWork<{ readonly checkpoints: readonly ConversationUnit[]; readonly unread: NewestUnits['unread'] }> {
  const checkpoints: ConversationUnit[] = [];
  const counter = new Utf8Counter();
  let messages = 0;
  for (let index = 0; index < end; index += 1) {
    if (index % SLICE_EVENTS === 0) yield;
    const event = events[index];
    const message = readMessage(event);
    const kind = message === undefined ? undefined : readKind(event, message);
    if (message === undefined || kind === undefined) continue;
    const text = readVisibleText(kind, message);
    if (text === undefined) continue;
    if (kind === 'checkpoint') {
      checkpoints.push(toUnit(kind, text));
      continue;
    }
    messages += 1;
    if (counter.isShort(text)) counter.addShort(text);
    else yield* counter.add(text);
    if (counter.isSliceDone()) yield;
  }
  return { checkpoints, unread: { messages, bytes: counter.total() } };
}

/**
 * The whole projected conversation of a surface, oldest first; see {@link projectNewest} for what belongs to it.
 *
 * @param events - a folded surface, in order.
 */
export function projectConversation(events: readonly SurfaceEvent[]): readonly ConversationUnit[] {
  return runAtOnce(projectNewest(events, Number.POSITIVE_INFINITY)).units;
}

/**
 * What another session may see of one event, or `undefined` for nothing; see {@link projectNewest}.
 *
 * @param event - an event of a surface; its data is of unknown shape.
 */
export function projectEvent(event: SurfaceEvent | undefined): ConversationUnit | undefined {
  const message = readMessage(event);
  const kind = message === undefined ? undefined : readKind(event, message);
  if (message === undefined || kind === undefined) return undefined;
  const text = readVisibleText(kind, message);
  return text === undefined ? undefined : toUnit(kind, text);
}

type UnitKind = ConversationUnit['role'] | 'checkpoint';

function toUnit(kind: UnitKind, text: string): ConversationUnit {
  return { role: kind === 'assistant' ? 'assistant' : 'user', text, checkpoint: kind === 'checkpoint' };
}

/** Newer logs wrap the message; older ones have its fields on the event's data (deepseek-harness, log version 0). */
function readMessage(event: unknown): UnknownRecord | undefined {
  const data = isRecord(event) ? event.data : undefined;
  if (!isRecord(data)) return undefined;
  return isRecord(data.message) ? data.message : data;
}

function readKind(event: SurfaceEvent | undefined, message: UnknownRecord): UnitKind | undefined {
  const type = event?.type;
  if (type === 'assistant/message') return 'assistant';
  if (type !== 'user/message' && type !== 'steering/message') return undefined;
  const { source } = message;
  if (!isRecord(source)) return undefined;
  if (source.kind === 'user') return 'user';
  const isCompaction = type === 'user/message' && source.kind === 'plugin' && source.plugin === 'compact';
  return isCompaction ? 'checkpoint' : undefined;
}

function readVisibleText(kind: UnitKind, message: UnknownRecord): string | undefined {
  const text = readText(kind === 'user' ? readDisplayContent(message) : message.content);
  return text === undefined || isBlank(text) ? undefined : text;
}

/** Context that was baked into a message is not the user's words; `envelope.displayContent` is. */
function readDisplayContent(message: UnknownRecord): unknown {
  const { envelope } = message;
  return isRecord(envelope) && envelope.displayContent !== undefined ? envelope.displayContent : message.content;
}

/** Most texts begin with something that can be seen, and then nothing is searched. */
function isBlank(text: string): boolean {
  const unit = text.charCodeAt(0);
  return !(unit > 0x20 && unit < 0x7f) && !/\S/.test(text);
}

function readText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  let text: string | undefined;
  // Must not be an iterator: this runs once for every message of every referenced session.
  for (let index = 0; index < content.length; index += 1) {
    const block: unknown = content[index];
    if (!isRecord(block) || block.type !== 'text' || typeof block.text !== 'string') continue;
    text = text === undefined ? block.text : `${text}\n${block.text}`;
  }
  return text;
}
