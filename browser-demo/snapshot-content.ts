import type { SessionReferenceContext, SnapshotRecord } from '../src/index.ts';
import { isRecord } from '../src/record.ts';
import { stringifyTagSafe } from '../src/snapshot/tag-safe-json.ts';
import { utf8Length } from '../src/snapshot/utf8-length.ts';

/** Bytes of English text per token, for estimates only. */
const BYTES_PER_TOKEN = 4;

/** One quoted message, split where text was left out. */
export interface QuotedMessage {
  readonly role: 'user' | 'assistant';
  /** Pieces of its text; between two of them something was cut. */
  readonly pieces: readonly string[];
  /** Bytes left out at each cut: one fewer than pieces. */
  readonly cutBytes: readonly number[];
}

/** One snapshot of a context, as the model sees it, with its figures. */
export interface SnapshotContent {
  readonly record: SnapshotRecord;
  readonly cwd: string | undefined;
  readonly messages: readonly QuotedMessage[];
  /** UTF-8 bytes of its JSON. */
  readonly bytes: number;
}

/** A run of messages of a session that fared alike. */
export interface KeptRun {
  readonly kind: 'kept' | 'cut' | 'omitted';
  readonly messages: number;
}

/** A number of tokens for a number of bytes, roughly. */
export function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** The size of a text in UTF-8 bytes. */
export function textBytes(text: string): number {
  return utf8Length(text);
}

/** The snapshots in a context, in order of mention. */
export function readSnapshots(context: SessionReferenceContext): readonly SnapshotContent[] {
  const objects = readReferenceObjects(context.content[0].text);
  return context.source.references.map((record, index) => {
    const object = objects[index];
    const conversation = isRecord(object) && Array.isArray(object.conversation) ? object.conversation : [];
    return {
      record,
      cwd: isRecord(object) && typeof object.cwd === 'string' ? object.cwd : undefined,
      messages: (conversation as readonly unknown[]).flatMap(readQuoted),
      bytes: object === undefined ? 0 : utf8Length(stringifyTagSafe(object)),
    };
  });
}

/** How the messages of a session fared, oldest first. The summary of a compacted session is always kept. */
export function listRuns({ record, messages }: SnapshotContent): readonly KeptRun[] {
  const kinds = messages.map(({ cutBytes }) => (cutBytes.length > 0 ? 'cut' : 'kept'));
  const summaries = record.compacted && record.omittedMessages > 0 ? 1 : 0;
  const runs: { kind: KeptRun['kind']; messages: number }[] = [];
  const add = (kind: KeptRun['kind'], count: number): void => {
    const last = runs.at(-1);
    if (count === 0) return;
    if (last?.kind === kind) last.messages += count;
    else runs.push({ kind, messages: count });
  };
  for (const kind of kinds.slice(0, summaries)) add(kind, 1);
  add('omitted', record.omittedMessages);
  for (const kind of kinds.slice(summaries)) add(kind, 1);
  return runs;
}

/**
 * Narrow what should be the context of a sent message.
 *
 * @param data - of an event.
 */
export function parseContext(data: unknown): SessionReferenceContext | undefined {
  if (!isRecord(data) || !isRecord(data.source) || data.source.kind !== 'session-reference') return undefined;
  const { references, version } = data.source;
  const block: unknown = Array.isArray(data.content) ? data.content[0] : undefined;
  if (version !== 1 || !Array.isArray(references) || !references.every(isSnapshotRecord)) return undefined;
  if (typeof data.id !== 'string' || !isRecord(block) || typeof block.text !== 'string') return undefined;
  return data as unknown as SessionReferenceContext;
}

function isSnapshotRecord(value: unknown): boolean {
  if (!isRecord(value) || typeof value.sessionId !== 'string' || typeof value.label !== 'string') return false;
  const counts = [value.originalMessages, value.retainedMessages, value.omittedMessages, value.omittedBytes];
  return counts.every((count) => typeof count === 'number');
}

function readReferenceObjects(text: string): readonly unknown[] {
  const start = text.indexOf('\n[', text.indexOf('<referenced-sessions>'));
  const end = text.lastIndexOf(']\n</referenced-sessions>');
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function readQuoted(value: unknown): readonly QuotedMessage[] {
  if (!isRecord(value) || typeof value.text !== 'string') return [];
  const parts = value.text.split(/\n\[… omitted (\d+) UTF-8 bytes …\]\n/);
  return [
    {
      role: value.role === 'assistant' ? 'assistant' : 'user',
      pieces: parts.filter((_, index) => index % 2 === 0),
      cutBytes: parts.filter((_, index) => index % 2 === 1).map(Number),
    },
  ];
}
