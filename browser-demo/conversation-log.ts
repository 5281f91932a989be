import {
  type ContentBlock,
  displayLabel,
  type SessionEvent,
  type SessionReferenceContext,
  type SurfaceEvent,
  type SurfaceOperation,
} from '../src/index.ts';
import { isRecord } from '../src/record.ts';
import { projectEvent } from '../src/snapshot/projection.ts';
import { type Draft, type DraftSegment, normalizeDraft } from './mention-picker/draft.ts';
import { createId } from './new-id.ts';
import { parseContext } from './snapshot-content.ts';

/** One message of a conversation as the page shows it. Every text is untrusted. */
export interface ConversationEntry {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Whether it is a summary in place of older messages. */
  readonly checkpoint: boolean;
  /** Its event; absent where only the text was read. */
  readonly seq?: number;
  /** The first event that belongs to it: that of its context, where it has one. */
  readonly startSeq?: number;
  /** As it was written, with its chips. */
  readonly draft?: Draft;
  /** The context that was sent in front of it. */
  readonly context?: SessionReferenceContext;
  /** Whether it was stopped before its end. */
  readonly interrupted?: boolean;
  /** Who answered. */
  readonly model?: string;
}

/** What is sent: the context first and the message second. */
export interface OutgoingMessage {
  readonly draft: Draft;
  readonly content: readonly ContentBlock[];
  readonly context: SessionReferenceContext | undefined;
}

/**
 * A surface as entries: what people wrote and read. A context belongs to the message behind it.
 *
 * @param events - a folded surface.
 */
export function readEntries(events: readonly SurfaceEvent[]): readonly ConversationEntry[] {
  const entries: ConversationEntry[] = [];
  let pending: { readonly context: SessionReferenceContext; readonly seq: number } | undefined;
  for (const event of events) {
    const context = parseContext(event.data);
    if (context !== undefined) {
      pending = { context, seq: event.seq };
      continue;
    }
    const unit = projectEvent(event);
    if (unit === undefined) continue;
    const isOwn = unit.role === 'user' && !unit.checkpoint;
    entries.push({
      ...unit,
      seq: event.seq,
      startSeq: isOwn && pending !== undefined ? pending.seq : event.seq,
      ...(isOwn && pending !== undefined ? { context: pending.context } : {}),
      ...readDetails(event.data),
    });
    pending = undefined;
  }
  return entries;
}

/**
 * The events of a sent message. The context is an injected message, so no snapshot ever quotes it again.
 *
 * @param message - what is sent.
 * @param seq - of the first event.
 * @param replaced - what it takes the place of, when a message was edited.
 */
export function toUserEvents(
  message: OutgoingMessage,
  seq: number,
  replaced?: SurfaceOperation,
): readonly SessionEvent[] {
  const time = Date.now();
  const { draft, content, context } = message;
  const data = { role: 'user', id: createId('message'), content, source: { kind: 'user' }, draft };
  const events = context === undefined ? [data] : [context, data];
  return events.map((event, index) => ({
    type: 'user/message',
    seq: seq + index,
    time,
    data: event,
    surfaceOp: index === 0 && replaced !== undefined ? replaced : 'append',
  }));
}

/** The event of an answer. */
export function toAnswerEvent(
  text: string,
  details: { readonly model: string; readonly interrupted: boolean; readonly replaced?: SurfaceOperation },
  seq: number,
): SessionEvent {
  const message = {
    role: 'assistant',
    id: createId('message'),
    content: [{ type: 'text', text }],
    source: { kind: 'model', model: details.model },
  };
  return {
    type: 'assistant/message',
    seq,
    time: Date.now(),
    data: { message, ...(details.interrupted ? { interrupted: true } : {}) },
    surfaceOp: details.replaced ?? 'append',
  };
}

/** The event that names a conversation. */
export function toTitleEvent(title: string, kind: 'fallback' | 'user', seq: number): SessionEvent {
  return { type: 'session/title', seq, time: Date.now(), data: { title, source: { kind } } };
}

/** Characters of the first message that make a title. */
const TITLE_LENGTH = 60;

/** A title from the first message: its first line, cut between words. */
export function toTitle(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const isLong = line.length > TITLE_LENGTH;
  return displayLabel(isLong ? `${line.slice(0, TITLE_LENGTH).replace(/\s+\S*$/, '')}…` : line);
}

function readDetails(data: unknown): Pick<ConversationEntry, 'draft' | 'interrupted' | 'model'> {
  if (!isRecord(data)) return {};
  const draft = parseStoredDraft(data.draft);
  const message = isRecord(data.message) ? data.message : data;
  const model = isRecord(message.source) ? message.source.model : undefined;
  return {
    ...(draft === undefined ? {} : { draft }),
    ...(data.interrupted === true ? { interrupted: true } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  };
}

function parseStoredDraft(value: unknown): Draft | undefined {
  if (!Array.isArray(value)) return undefined;
  const segments = (value as readonly unknown[]).map(parseSegment);
  return segments.every((segment) => segment !== undefined) ? normalizeDraft(segments) : undefined;
}

function parseSegment(value: unknown): DraftSegment | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, text, sessionId, label } = value;
  if (kind === 'text' && typeof text === 'string') return { kind, text };
  if (kind !== 'reference' || typeof sessionId !== 'string' || typeof label !== 'string') return undefined;
  return { kind, sessionId, label };
}
