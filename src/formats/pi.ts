import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { readBranch, type TreeNode } from './message-tree.ts';
import { type PiEntry, writePiBranch } from './pi-entries.ts';
import { SessionNames } from './session-names.ts';

/**
 * A session file of pi, or of a tool that took its format over (OpenClaw, oh-my-pi). Since version 2 the entries are a
 * tree; what is read is the branch that ends at the last entry.
 */
export const piReader: FormatReader = {
  format: 'pi',
  title: 'pi',
  recognizes: ({ rows }: FormatSample) => rows.some((row) => isHeader(row) || isMessageEntry(row)),
  open: (context) => new PiReading(context),
};

/** Must go by the type of the time: other formats begin with a line of the same type. */
function isHeader(row: unknown): row is UnknownRecord {
  if (!isRecord(row) || row.type !== 'session' || 'harness' in row || 'createdAt' in row) return false;
  return typeof row.id === 'string' && typeof row.timestamp === 'string';
}

function isMessageEntry(row: unknown): boolean {
  if (!isRecord(row) || row.type !== 'message' || typeof row.timestamp !== 'string') return false;
  return isRecord(row.message) && typeof row.message.role === 'string';
}

/** A session of a file; most files have one. */
interface OpenSession {
  readonly header: UnknownRecord;
  readonly where: string;
  readonly entries: PiEntry[];
  /** Lines so far, the header among them: version 1 counts them. */
  lines: number;
}

class PiReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  #open: OpenSession | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('pi', context);
  }

  *add({ value, where }: Row): Iterable<SessionLog | undefined> {
    if (isHeader(value)) {
      yield* this.finish();
      this.#open = { header: value, where, entries: [], lines: 1 };
      return;
    }
    this.#open ??= { header: {}, where, entries: [], lines: 0 };
    const position = this.#open.lines;
    this.#open.lines += 1;
    if (isRecord(value) && typeof value.type === 'string') this.#open.entries.push({ row: value, where, position });
    else this.#context.warn('UNREADABLE', where, 'This is no entry of a pi session.');
  }

  *finish(): Iterable<SessionLog | undefined> {
    const session = this.#open;
    this.#open = undefined;
    if (session !== undefined) yield yield* this.#read(session);
  }

  *#read({ header, entries, where }: OpenSession): SlicedWork<SessionLog> {
    const { warn } = this.#context;
    const writer = new ConversationWriter('pi', {
      title: findTitle(entries) ?? readString(header.title),
      cwd: readString(header.cwd),
      createdAt: readTime(header.timestamp) ?? readTime(entries[0]?.row.timestamp),
      parentSession: readParent(header),
    });
    const isTree = entries.some(({ row }) => 'parentId' in row && typeof row.id === 'string');
    const branch = isTree ? readTree(entries, warn) : entries;
    yield* writePiBranch(branch, writer, warn);
    const onBranch = new Set(branch);
    for (const entry of entries) {
      if (!onBranch.has(entry)) writer.other('off-branch', entry.row, readTime(entry.row.timestamp));
    }
    return writer.build(this.#names, where, readString(header.id) ?? this.#readFileName());
  }

  /** `<time>_<id>.jsonl` */
  #readFileName(): string | undefined {
    const { sessionId, fileName } = this.#context;
    return sessionId === undefined && fileName !== undefined ? idOfPath(fileName) : undefined;
  }
}

function readTree(entries: readonly PiEntry[], warn: ReadContext['warn']): readonly PiEntry[] {
  const tree = new Map<string, TreeNode<PiEntry>>();
  let activeId: string | undefined;
  for (const entry of entries) {
    const { row, where, position } = entry;
    const id = readString(row.id);
    const isLeafMark = row.type === 'leaf' && 'targetId' in row;
    if (isLeafMark) activeId = readString(row.targetId);
    if (id === undefined) {
      if (!isLeafMark) warn('BROKEN_TREE', where, 'An entry has no id; it was left out of the tree.');
    } else if (tree.has(id)) {
      warn('BROKEN_TREE', where, 'Another entry has the same id; the first one counts.');
    } else {
      tree.set(id, { parentId: readString(row.parentId), time: position, message: entry });
      // Must not take the mark itself: it stands beside the tree.
      if (!isLeafMark) activeId = id;
    }
  }
  return readBranch(tree, activeId, (message) => warn('BROKEN_TREE', entries.at(-1)?.where ?? 'the file', message));
}

function findTitle(entries: readonly PiEntry[]): string | undefined {
  let title: string | undefined;
  for (const { row } of entries) {
    if (row.type === 'session_info' && typeof row.name === 'string') title = row.name;
  }
  return title === '' ? undefined : title;
}

/** Where it is a path, the name of the file ends in the id. */
function readParent({ parentSession, branchedFrom }: UnknownRecord): string | undefined {
  const parent = readString(parentSession) ?? readString(branchedFrom);
  return parent === undefined ? undefined : (idOfPath(parent) ?? parent);
}

function idOfPath(path: string): string | undefined {
  return /_([^_/\\]{1,200})\.jsonl$/.exec(path)?.[1];
}
