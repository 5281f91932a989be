import type { SessionEvent, SessionReferenceContext, SnapshotRecord } from '../../src/index.ts';
import { MemorySessionStore, SessionReferences } from '../../src/index.ts';
import { readFrame } from '../context-invariants.ts';

/** A session as the fault cases describe it. */
export interface QuotedSession {
  readonly id?: string;
  readonly label?: string;
  readonly cwd?: string;
  readonly events: readonly SessionEvent[];
}

/** What a model is given of one session. */
export interface Snapshot {
  readonly sessionId: string;
  readonly label: string;
  readonly cwd: string | null;
  readonly capturedThroughSeq: number | null;
  readonly conversation: readonly { readonly role: string; readonly text: string }[];
}

/** A context message, taken apart. */
export interface Quotation {
  readonly context: SessionReferenceContext;
  readonly before: string;
  readonly after: string;
  readonly json: string;
  readonly snapshot: Snapshot;
  readonly record: SnapshotRecord;
}

/** The words of the user. */
export function user(seq: number, text: unknown): SessionEvent {
  const content = typeof text === 'string' ? [{ type: 'text', text }] : text;
  return { type: 'user/message', seq, data: { content, source: { kind: 'user' } } };
}

/** The words of the assistant. */
export function assistant(seq: number, text: unknown): SessionEvent {
  const content = typeof text === 'string' ? [{ type: 'text', text }] : text;
  return { type: 'assistant/message', seq, data: { message: { content, source: { kind: 'model' } } } };
}

/** The summary that takes the place of the events from `start` to `end`. */
export function checkpoint(seq: number, text: string, start: number, end: number): SessionEvent {
  const data = { content: [{ type: 'text', text }], source: { kind: 'plugin', plugin: 'compact' } };
  return { type: 'user/message', seq, data, surfaceOp: { op: 'replace', start, end } };
}

/** Reference one session, and take apart what a model is given. */
export async function quote(session: QuotedSession, maxReferenceBytes = 65_536): Promise<Quotation> {
  const { id = 'source', label = 'A title', cwd, events } = session;
  const header = { version: 0, id, createdAt: 1, ...(cwd === undefined ? {} : { cwd }) };
  const store = new MemorySessionStore();
  await store.put({ header, events });
  const service = new SessionReferences(store, { maxReferenceBytes });
  const { additionalContext } = await service.prepare({ id: 'target' }, [], [{ sessionId: id, label }]);
  return takeApart(additionalContext);
}

/** Take a context message with one snapshot apart. */
export function takeApart(context: SessionReferenceContext | undefined): Quotation {
  const frame = readFrame(context?.content[0]?.text ?? '');
  const record = context?.source.references[0];
  if (context === undefined || frame === undefined || record === undefined) throw new Error('there is no frame');
  const [snapshot] = JSON.parse(frame.json) as Snapshot[];
  if (snapshot === undefined) throw new Error('there is no snapshot');
  return { context, ...frame, snapshot, record };
}

/** The bytes that the budget is for. */
export function measure({ json }: Quotation): number {
  return new TextEncoder().encode(json.slice(1, -1)).length;
}

/** The texts of a session that is quoted whole. */
export async function textsOf(events: readonly SessionEvent[]): Promise<string[]> {
  const { snapshot } = await quote({ events });
  return snapshot.conversation.map(({ text }) => text);
}
