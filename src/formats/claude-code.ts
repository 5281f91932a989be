import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import { ClaudeConversation } from './claude-code-conversation.ts';
import { type ClaudeEntry, isClaudeRow, isName, readSessionId, toClaudeEntry } from './claude-code-rows.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { firstWordsTitle } from './first-words-title.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { SessionNames } from './session-names.ts';

/**
 * A session file of Claude Code, `~/.claude/projects/…/<session>.jsonl`, of a sub-agent too, an exported `{ loglines }`,
 * or what `claude -p --output-format stream-json` prints. Stored lines form a tree; what is read is the branch that was active last.
 */
export const claudeCodeReader: FormatReader = {
  format: 'claude-code',
  title: 'Claude Code',
  recognizes: ({ rows }: FormatSample) => rows.some(isClaudeRow) && !rows.some(isOfQwen),
  open: (context) => new ClaudeCodeReading(context),
};

/** Qwen Code writes lines of the same kind, with the parts of a Gemini message. */
function isOfQwen(row: unknown): boolean {
  return isRecord(row) && isRecord(row.message) && 'parts' in row.message;
}

class ClaudeCodeReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #names: SessionNames;
  readonly #sessions = new Map<string | undefined, ClaudeEntry[]>();
  /** Lines that stand before the first one that says which session it is of. */
  #session: string | undefined;
  #position = 0;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#names = new SessionNames('claude-code', context);
  }

  add({ value, where }: Row): SessionLog[] {
    if (!isRecord(value)) this.#context.warn('UNREADABLE', where, 'This is no line of a Claude Code session.');
    else if (!Array.isArray(value.loglines)) this.#addLine(value, where);
    else {
      value.loglines.forEach((line: unknown, index) => {
        if (isRecord(line)) this.#addLine(line, `${where}.loglines[${index}]`);
        else this.#context.warn('UNREADABLE', `${where}.loglines[${index}]`, 'This is no line of a session.');
      });
    }
    return [];
  }

  *finish(): Iterable<SessionLog | undefined> {
    for (const [id, entries] of this.#sessions) yield yield* this.#read(id, entries);
    this.#sessions.clear();
  }

  #addLine(row: UnknownRecord, where: string): void {
    if (typeof row.type !== 'string') this.#context.warn('UNKNOWN', where, 'A line has no type.');
    const sessionId = readSessionId(row);
    if (sessionId !== undefined) {
      const early = this.#session === undefined ? this.#sessions.get(undefined) : undefined;
      if (early !== undefined) {
        this.#sessions.delete(undefined);
        this.#sessions.set(sessionId, early);
      }
      this.#session = sessionId;
    }
    const entry = toClaudeEntry(row, where, this.#position);
    this.#position += 1;
    const entries = this.#sessions.get(this.#session);
    if (entries === undefined) this.#sessions.set(this.#session, [entry]);
    else entries.push(entry);
  }

  *#read(id: string | undefined, entries: readonly ClaudeEntry[]): SlicedWork<SessionLog> {
    const agentId = entries.every(({ isSpeech, row }) => !isSpeech || row.isSidechain === true)
      ? findFirst(entries, 'agentId')
      : undefined;
    const writer = new ConversationWriter('claude-code', {
      title: findTitle(entries),
      cwd: findFirst(entries, 'cwd'),
      createdAt: readTime(findFirst(entries, 'timestamp')),
      parentSession: agentId === undefined ? findOrigin(entries) : id,
    });
    yield;
    yield* new ClaudeConversation(writer, this.#context.warn).write(entries);
    const ownId = agentId === undefined ? (id ?? this.#readFileName()) : `agent-${agentId}`;
    return writer.build(this.#names, entries[0]?.where ?? 'the file', ownId);
  }

  #readFileName(): string | undefined {
    const { sessionId, fileName } = this.#context;
    return sessionId === undefined && this.#sessions.size === 1 ? fileName?.replace(/\.jsonl?$/, '') : undefined;
  }
}

function findFirst(entries: readonly ClaudeEntry[], field: string): string | undefined {
  return entries.map(({ row }) => row[field]).find(isName);
}

/** The last text that lines of a type have in a field. */
function findLast(
  entries: readonly ClaudeEntry[],
  type: string,
  field: string,
  isRight: (row: UnknownRecord) => boolean = () => true,
): string | undefined {
  let last: string | undefined;
  for (const { row } of entries) {
    const value = row[field];
    if (row.type === type && isName(value) && isRight(row)) last = value;
  }
  return last;
}

/** A session that was branched off another says so on the lines it took along. */
function findOrigin(entries: readonly ClaudeEntry[]): string | undefined {
  for (const { row } of entries) {
    if (isRecord(row.forkedFrom) && isName(row.forkedFrom.sessionId)) return row.forkedFrom.sessionId;
  }
  return undefined;
}

/** In the order of Claude Code's own list. A summary can be about a session of another file, and counts last. */
function findTitle(entries: readonly ClaudeEntry[]): string | undefined {
  return (
    findLast(entries, 'custom-title', 'customTitle') ??
    findLast(entries, 'ai-title', 'aiTitle') ??
    firstWordsTitle(findLast(entries, 'last-prompt', 'lastPrompt')) ??
    findSummary(entries)
  );
}

function findSummary(entries: readonly ClaudeEntry[]): string | undefined {
  if (findLast(entries, 'summary', 'summary') === undefined) return undefined;
  const uuids = new Set(entries.map(({ row }) => row.uuid));
  return findLast(entries, 'summary', 'summary', ({ leafUuid }) => uuids.has(leafUuid));
}
