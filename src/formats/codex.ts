import { isRecord, type UnknownRecord } from '../record.ts';
import type { SessionLog } from '../session/session.ts';
import { CodexConversation } from './codex-conversation.ts';
import { type CodexItem, isCodex, toCodexItem } from './codex-items.ts';
import { ConversationWriter } from './conversation-writer.ts';
import { readString } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { FormatReader, FormatReading, FormatSample, ReadContext, Row } from './format-reader.ts';
import { SessionNames } from './session-names.ts';

/**
 * A log of the Codex CLI, `~/.codex/sessions/…/rollout-….jsonl`, of any version, or what `codex exec --json` prints.
 *
 * A compaction whose summary is empty or encrypted replaces nothing.
 */
export const codexReader: FormatReader = {
  format: 'codex',
  title: 'Codex CLI',
  recognizes: ({ rows }: FormatSample) => isCodex(rows),
  open: (context) => new CodexReading(context),
};

class CodexReading implements FormatReading {
  readonly #context: ReadContext;
  readonly #items: CodexItem[] = [];

  constructor(context: ReadContext) {
    this.#context = context;
  }

  add({ value, where }: Row): SessionLog[] {
    if (isRecord(value)) this.#items.push(toCodexItem(value, where));
    else this.#context.warn('UNREADABLE', where, 'This is no line of a Codex log.');
    return [];
  }

  *finish(): Iterable<SessionLog | undefined> {
    const items = this.#items.splice(0);
    const [first] = items;
    if (first === undefined) return;
    const session = findSession(items);
    const writer = new ConversationWriter('codex', {
      title: findTitle(items),
      cwd: readString(session.cwd) ?? findCwd(items),
      createdAt: readTime(session.timestamp) ?? items.find(({ time }) => time !== undefined)?.time,
      parentSession: findParent(session),
    });
    yield* new CodexConversation(this.#context.warn).write(items, writer);
    const ownId = readString(session.id) ?? readString(session.session_id) ?? this.#readFileName();
    yield writer.build(new SessionNames('codex', this.#context), first.where, ownId);
  }

  /** The name ends in the id: `rollout-<time>-<id>.jsonl`. */
  #readFileName(): string | undefined {
    const { sessionId, fileName } = this.#context;
    if (sessionId !== undefined || fileName === undefined) return undefined;
    return /^rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl/i.exec(fileName)?.[1];
  }
}

/** A fork begins with its own session and goes on with those of its ancestors. */
function findSession(items: readonly CodexItem[]): UnknownRecord {
  for (const item of items) {
    if (item.kind === 'session') return item.session;
  }
  return {};
}

function findTitle(items: readonly CodexItem[]): string | undefined {
  let title: string | undefined;
  for (const item of items) {
    if (item.kind === 'title') title = item.title;
  }
  return title;
}

function findCwd(items: readonly CodexItem[]): string | undefined {
  for (const item of items) {
    const cwd = item.kind === 'turn' ? item.cwd : readEnvironment(item);
    if (cwd !== undefined) return cwd;
  }
  return undefined;
}

/** The first versions told only the model where they ran. */
function readEnvironment(item: CodexItem): string | undefined {
  if (item.kind !== 'user') return undefined;
  for (const { text } of item.content) {
    if (typeof text !== 'string' || !text.startsWith('<environment_context>')) continue;
    return /<cwd>([^<]{1,4096})<\/cwd>|Current working directory: ([^\n]{1,4096})/.exec(text)?.slice(1).find(Boolean);
  }
  return undefined;
}

function findParent({ forked_from_id: origin, source }: UnknownRecord): string | undefined {
  const agent = isRecord(source) && isRecord(source.subagent) ? source.subagent.thread_spawn : undefined;
  return readString(origin) ?? (isRecord(agent) ? readString(agent.parent_thread_id) : undefined);
}
