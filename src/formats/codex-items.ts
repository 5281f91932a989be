import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import { toContentBlocks } from './foreign-content.ts';
import { readString, showField } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';

/**
 * Who wrote a message down. Codex writes the same message as an item of its model's history and as an event for its
 * display; which of them a file has depends on the version.
 */
export type CodexSource = 'history' | 'event' | 'item-event';

/** One line of a Codex log, whatever its version. */
export type CodexItem = {
  readonly where: string;
  readonly time: number | undefined;
  /** As it stands in the file. */
  readonly raw: UnknownRecord;
} & CodexItemKind;

type CodexItemKind =
  | { readonly kind: 'session'; readonly session: UnknownRecord }
  | { readonly kind: 'turn'; readonly cwd: string | undefined }
  | {
      readonly kind: 'user' | 'assistant';
      readonly source: CodexSource;
      readonly content: readonly ContentBlock[];
      readonly id: string | undefined;
    }
  | { readonly kind: 'injected'; readonly content: readonly ContentBlock[] }
  | { readonly kind: 'tool-result' }
  | { readonly kind: 'compaction'; readonly compaction: UnknownRecord }
  | { readonly kind: 'encrypted-compaction' }
  | { readonly kind: 'rollback'; readonly turns: number }
  | { readonly kind: 'title'; readonly title: string }
  | { readonly kind: 'other'; readonly name: string; readonly isKnown: boolean };

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text', 'Text']);

/** Types of lines that have a payload. */
const WRAPPED_TYPES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication',
]);

const STREAM_EVENT = /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed))$/;

/**
 * Whether rows are lines of a Codex log: of any version, or of the stream that `codex exec` prints.
 *
 * @param rows - the first rows of a file.
 */
export function isCodex(rows: readonly unknown[]): boolean {
  if (rows.some(isWrapped)) return true;
  const [first, ...rest] = rows;
  if (!isRecord(first) || !isBareHeader(first)) return false;
  return 'instructions' in first || 'git' in first || rest.some(isBareItem);
}

function isWrapped(row: unknown): boolean {
  if (!isRecord(row)) return false;
  const { type, event, item } = row;
  if (isRecord(row.payload)) return WRAPPED_TYPES.has(type);
  if (type === 'event' && isRecord(event)) return isStreamEvent(event.type);
  if (!isStreamEvent(type)) return false;
  return isRecord(item) || typeof row.thread_id === 'string' || showField(type).startsWith('turn.');
}

function isStreamEvent(type: unknown): boolean {
  return typeof type === 'string' && STREAM_EVENT.test(type);
}

/** The first versions began with a line that has no type, and went on with the items of the history as they are. */
function isBareHeader({ id, timestamp, type, role }: UnknownRecord): boolean {
  return typeof id === 'string' && typeof timestamp === 'string' && type === undefined && role === undefined;
}

function isBareItem(row: unknown): boolean {
  return isRecord(row) && ('record_type' in row || (row.type === 'message' && Array.isArray(row.content)));
}

/**
 * What a line is.
 *
 * @param row - the line.
 * @param where - of the line, for warnings.
 */
export function toCodexItem(row: UnknownRecord, where: string): CodexItem {
  const raw = row.type === 'event' && isRecord(row.event) ? row.event : row;
  const payload = isRecord(raw.payload) ? raw.payload : undefined;
  const time = readTime(raw.timestamp) ?? readTime(payload?.timestamp);
  return { where, time, raw, ...(payload === undefined ? readBare(raw) : readWrapped(raw.type, payload)) };
}

function readBare(row: UnknownRecord): CodexItemKind {
  if (isBareHeader(row)) return { kind: 'session', session: row };
  const { type, item } = row;
  if (type === 'thread.started') return { kind: 'session', session: { id: row.thread_id } };
  if (type === 'item.completed' && isRecord(item)) return readStreamItem(item);
  if (isStreamEvent(type) || 'record_type' in row)
    return { kind: 'other', name: showField(type ?? 'state'), isKnown: true };
  return readHistoryItem(row);
}

/** What `codex exec` prints has no messages of the user. */
function readStreamItem(item: UnknownRecord): CodexItemKind {
  const type = item.type ?? item.item_type;
  if (type !== 'agent_message' && type !== 'assistant_message') return { kind: 'other', name: 'item', isKnown: true };
  return { kind: 'assistant', source: 'item-event', content: toContentBlocks(item.text), id: readString(item.id) };
}

function readWrapped(type: unknown, payload: UnknownRecord): CodexItemKind {
  switch (type) {
    case 'session_meta':
      return { kind: 'session', session: payload };
    case 'turn_context':
      return { kind: 'turn', cwd: readString(payload.cwd) };
    case 'response_item':
      return readHistoryItem(payload);
    case 'event_msg':
      return readEvent(payload);
    case 'compacted':
      return { kind: 'compaction', compaction: payload };
    default:
      return { kind: 'other', name: readString(type) ?? 'line', isKnown: WRAPPED_TYPES.has(type) };
  }
}

function readHistoryItem(item: UnknownRecord): CodexItemKind {
  const type = readString(item.type);
  if (type === 'message') return readHistoryMessage(item);
  if (type === 'compaction' || type === 'compaction_summary') return { kind: 'encrypted-compaction' };
  if (type?.endsWith('_output') === true) return { kind: 'tool-result' };
  const isKnown = type !== undefined && /^(?:reasoning|token_count|ghost_snapshot|\w+_call|\w+_item)$/.test(type);
  return { kind: 'other', name: type ?? 'line', isKnown };
}

function readHistoryMessage(item: UnknownRecord): CodexItemKind {
  const content = toContentBlocks(item.content, readPartText);
  const id = readString(item.id);
  if (item.role === 'user' || item.role === 'assistant') return { kind: item.role, source: 'history', content, id };
  return { kind: 'injected', content };
}

function readPartText({ type, text }: UnknownRecord): string | undefined {
  return TEXT_TYPES.has(type) && typeof text === 'string' ? text : undefined;
}

function readEvent(event: UnknownRecord): CodexItemKind {
  const { type, message } = event;
  if (type === 'user_message' || type === 'agent_message') {
    const kind = type === 'user_message' ? 'user' : 'assistant';
    return { kind, source: 'event', content: toContentBlocks(message), id: undefined };
  }
  if (type === 'item_completed' && isRecord(event.item)) return readEventItem(event.item);
  if (type === 'thread_rolled_back' && typeof event.num_turns === 'number') {
    return { kind: 'rollback', turns: event.num_turns };
  }
  const title = type === 'thread_name_updated' ? readString(event.thread_name) : undefined;
  if (title !== undefined) return { kind: 'title', title };
  return { kind: 'other', name: readString(type) ?? 'event', isKnown: true };
}

function readEventItem(item: UnknownRecord): CodexItemKind {
  const kinds = new Map<unknown, 'user' | 'assistant'>([
    ['UserMessage', 'user'],
    ['AgentMessage', 'assistant'],
  ]);
  const kind = kinds.get(item.type);
  if (kind === undefined) return { kind: 'other', name: 'item', isKnown: true };
  return { kind, source: 'item-event', content: toContentBlocks(item.content, readPartText), id: readString(item.id) };
}
