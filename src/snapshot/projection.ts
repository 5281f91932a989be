import { isRecord, type UnknownRecord } from '../record.ts';
import type { SurfaceEvent } from '../session/session.ts';
import { runAtOnce, type SlicedWork } from '../slices.ts';

/** One message of a session as another session may quote it. */
export interface ConversationUnit {
  readonly role: 'user' | 'assistant';
  /** Its visible text; never blank. */
  readonly text: string;
  /** Whether it is a compaction checkpoint: the summary that stands for what it replaced. */
  readonly checkpoint: boolean;
}

/** Events between two looks at the clock: together they take well under a millisecond. */
const SLICE_EVENTS = 1024;

/**
 * What of a surface another session may see: the words of the user, the visible text of the assistant, and
 * compaction checkpoints. Tools, reasoning, injected context (earlier snapshots too), other plugins' messages and
 * everything that is not text is left out, and so is a message of which nothing but white space is left.
 *
 * @param events - a folded surface, in order.
 */
export function* projectSurface(events: readonly SurfaceEvent[]): SlicedWork<ConversationUnit[]> {
  const units: ConversationUnit[] = [];
  let untilPause = SLICE_EVENTS;
  for (const event of events) {
    const unit = projectEvent(event);
    if (unit !== undefined) units.push(unit);
    untilPause -= 1;
    if (untilPause > 0) continue;
    untilPause = SLICE_EVENTS;
    yield;
  }
  return units;
}

/**
 * {@link projectSurface}, all at once.
 *
 * @param events - a folded surface, in order.
 */
export function projectConversation(events: readonly SurfaceEvent[]): ConversationUnit[] {
  return runAtOnce(projectSurface(events));
}

/**
 * {@link projectSurface} of one event: what another session may see of it, or `undefined` for nothing.
 *
 * @param event - an event of a surface; its data is of unknown shape.
 */
export function projectEvent(event: SurfaceEvent): ConversationUnit | undefined {
  const message = readMessage(event.data);
  if (message === undefined) return undefined;
  switch (event.type) {
    case 'assistant/message':
      return toUnit('assistant', message.content, false);
    case 'user/message':
    case 'steering/message': {
      const source = isRecord(message.source) ? message.source : undefined;
      if (source?.kind === 'user') return toUnit('user', readDisplayContent(message), false);
      const isCheckpoint = event.type === 'user/message' && source?.kind === 'plugin' && source.plugin === 'compact';
      return isCheckpoint ? toUnit('user', message.content, true) : undefined;
    }
    default:
      return undefined;
  }
}

/** Newer logs wrap the message; older ones have its fields on the event's data (deepseek-harness, log version 0). */
function readMessage(data: unknown): UnknownRecord | undefined {
  if (!isRecord(data)) return undefined;
  return isRecord(data.message) ? data.message : data;
}

/** Context that was baked into a message is not the user's words; `envelope.displayContent` is. */
function readDisplayContent(message: UnknownRecord): unknown {
  const { envelope } = message;
  return isRecord(envelope) && envelope.displayContent !== undefined ? envelope.displayContent : message.content;
}

function toUnit(role: ConversationUnit['role'], content: unknown, checkpoint: boolean): ConversationUnit | undefined {
  const text = readText(content);
  return text !== undefined && /\S/.test(text) ? { role, text, checkpoint } : undefined;
}

function readText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  let text: string | undefined;
  for (const block of content as readonly unknown[]) {
    if (!isRecord(block) || block.type !== 'text' || typeof block.text !== 'string') continue;
    text = text === undefined ? block.text : `${text}\n${block.text}`;
  }
  return text;
}
