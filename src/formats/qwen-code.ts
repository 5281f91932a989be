import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { readBranch, type TreeNode } from './message-tree.ts';
import { type QwenRecord, writeQwenRecords } from './qwen-code-records.ts';
import { SessionNames } from './session-names.ts';

/**
 * A session of Qwen Code: lines like those of Claude Code around messages like those of the Gemini CLI. What is read is
 * the branch that ends at the last line. Older versions wrote what the Gemini CLI writes.
 */
export const qwenCodeReader: FormatReader = {
  format: 'qwen-code',
  title: 'Qwen Code',
  recognizes: ({ rows }: FormatSample) => rows.some(isQwenRow),
  open: (context) => new QwenReading(context),
};

function isQwenRow(row: unknown): boolean {
  if (!isRecord(row) || typeof row.sessionId !== 'string' || typeof row.uuid !== 'string') return false;
  const hasParts = isRecord(row.message) && Array.isArray(row.message.parts);
  return hasParts || (row.type === 'system' && isRecord(row.systemPayload));
}

class QwenReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  readonly #sessions = new Map<string | undefined, QwenRecord[]>();

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('qwen-code', context);
  }

  add({ value, where }: Row): SessionLog[] {
    if (!isRecord(value) || typeof value.type !== 'string') {
      this.#context.warn('UNREADABLE', where, 'This is no line of a Qwen Code session.');
      return [];
    }
    const id = readString(value.sessionId);
    const records = this.#sessions.get(id);
    if (records === undefined) this.#sessions.set(id, [{ row: value, where }]);
    else records.push({ row: value, where });
    return [];
  }

  *finish(): Iterable<SessionLog | undefined> {
    for (const [id, records] of this.#sessions) yield yield* this.#read(id, records);
    this.#sessions.clear();
  }

  *#read(id: string | undefined, records: readonly QwenRecord[]): SlicedWork<SessionLog> {
    const { warn } = this.#context;
    const writer = new ConversationWriter('qwen-code', {
      title: findTitle(records),
      cwd: findFirst(records, 'cwd'),
      createdAt: readTime(findFirst(records, 'timestamp')),
    });
    const branch = readActiveBranch(records, warn);
    yield* writeQwenRecords(branch, writer, warn);
    const onBranch = new Set(branch);
    for (const record of records) {
      if (!onBranch.has(record)) writer.other('off-branch', record.row, readTime(record.row.timestamp));
    }
    return writer.build(this.#names, records[0]?.where ?? 'the file', id);
  }
}

function readActiveBranch(records: readonly QwenRecord[], warn: ReadContext['warn']): readonly QwenRecord[] {
  const tree = new Map<string, TreeNode<QwenRecord>>();
  let last: string | undefined;
  records.forEach((record, index) => {
    const { uuid, parentUuid } = record.row;
    // Must not share a name with any uuid.
    const id = readString(uuid) === undefined ? `line ${index}` : `uuid ${String(uuid)}`;
    if (tree.has(id)) {
      warn('BROKEN_TREE', record.where, 'Another line has the same id; the first one counts.');
      return;
    }
    const parent = readString(parentUuid);
    tree.set(id, { parentId: parent === undefined ? undefined : `uuid ${parent}`, time: index, message: record });
    last = id;
  });
  const isTree = [...tree.values()].some(({ parentId }) => parentId !== undefined && tree.has(parentId));
  if (!isTree) return [...tree.values()].map(({ message }) => message);
  return readBranch(tree, last, (message) => warn('BROKEN_TREE', records.at(-1)?.where ?? 'the file', message));
}

function findFirst(records: readonly QwenRecord[], field: string): string | undefined {
  for (const { row } of records) {
    const value = readString(row[field]);
    if (value !== undefined) return value;
  }
  return undefined;
}

function findTitle(records: readonly QwenRecord[]): string | undefined {
  let title: string | undefined;
  for (const { row } of records) {
    if (row.subtype === 'custom_title') title = readPayloadTitle(row) ?? title;
  }
  return title;
}

function readPayloadTitle({ systemPayload }: UnknownRecord): string | undefined {
  return isRecord(systemPayload)
    ? (readString(systemPayload.customTitle) ?? readString(systemPayload.title))
    : undefined;
}
