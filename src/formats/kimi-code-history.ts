import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, toContentBlocks, toHiddenBlock } from './foreign-content.ts';
import { readString, showField } from './foreign-fields.ts';
import { readTime } from './foreign-time.ts';
import type { ReadContext } from './format-reader.ts';

/** One message of the history, as it is sent to the model. */
interface Message {
  readonly kind: 'user' | 'assistant' | 'injected' | 'tool-result' | 'summary';
  readonly blocks: ContentBlock[];
  readonly raw: UnknownRecord;
  readonly time: number | undefined;
}

/** Records that say something about the session and nothing in it. */
const OTHER_TYPES =
  /^(?:metadata|forked|config|turn|permission|full_compaction|micro_compaction|plan_mode|swarm_mode|tools|usage|goal|llm|mcp|profile|cron|file_history|prompt|request|context)(?:\.|$)/;

/** Replays the records of one agent. */
export class KimiHistory {
  readonly #warn: ReadContext['warn'];
  /** In the order in which they are written: what a compaction replaced comes before its summary. */
  readonly #replaced: Message[] = [];
  readonly #others: UnknownRecord[] = [];
  readonly #messages: Message[] = [];
  /** Places of what the user typed among the messages. */
  readonly #turns: number[] = [];
  /** Where the history begins; before it stands what a compaction replaced. */
  #start = 0;
  /** Answers that are being written, by the id of their step. */
  readonly #steps = new Map<string | undefined, Message>();

  /** @param warn - told about what cannot be read. */
  constructor(warn: ReadContext['warn']) {
    this.#warn = warn;
  }

  /**
   * Take one record.
   *
   * @param row - the record.
   * @param where - of the record, for warnings.
   */
  replay(row: UnknownRecord, where: string): void {
    const { type, message, event } = row;
    if (type === 'context.append_message' && isRecord(message)) this.#append(message, row);
    else if (type === 'context.append_loop_event' && isRecord(event)) this.#takeEvent(event, row);
    else if (type === 'context.apply_compaction') this.#compact(row, where);
    else if (type === 'context.clear') this.#clear();
    else if (type === 'context.undo') this.#undo(row);
    else {
      if (typeof type !== 'string' || !OTHER_TYPES.test(type)) {
        this.#warn('UNKNOWN', where, 'The type of a record is not known.');
      }
      this.#others.push(row);
    }
  }

  /**
   * Write everything; what was cleared or undone as events that nobody quotes.
   *
   * @param writer - of the session.
   */
  *write(writer: ConversationWriter): SlicedWork<void> {
    for (const message of [...this.#replaced, ...this.#messages.slice(this.#start)]) {
      yield;
      writeMessage(message, writer);
    }
    for (const row of this.#others) writer.other(showField(row.type), row, readTime(row.time));
  }

  #append(message: UnknownRecord, row: UnknownRecord): void {
    const { role, content, origin } = message;
    const blocks = toContentBlocks(content);
    const originKind = isRecord(origin) ? origin.kind : undefined;
    const isTyped = originKind === undefined || originKind === 'user';
    const kind = readKind(
      role,
      isTyped && !isReminder(blocks),
      originKind === 'compaction_summary' && hasVisibleText(blocks),
    );
    if (kind === 'user') this.#turns.push(this.#messages.length);
    this.#messages.push({ kind, blocks, raw: row, time: readTime(row.time) });
  }

  /** A step is one answer of the model; its text comes in parts. */
  #takeEvent(event: UnknownRecord, row: UnknownRecord): void {
    const time = readTime(row.time);
    const stepId = readString(event.stepUuid);
    switch (event.type) {
      case 'step.begin':
        this.#openStep(readString(event.uuid), row, time);
        return;
      case 'content.part':
        addPart((this.#steps.get(stepId) ?? this.#openStep(stepId, row, time)).blocks, event.part);
        return;
      case 'tool.call':
        this.#steps.get(stepId)?.blocks.push(toHiddenBlock('tool-call', event));
        this.#others.push(row);
        return;
      case 'tool.result':
        this.#messages.push({ kind: 'tool-result', blocks: [], raw: row, time });
        return;
      default:
        this.#others.push(row);
    }
  }

  #openStep(id: string | undefined, raw: UnknownRecord, time: number | undefined): Message {
    const message: Message = { kind: 'assistant', blocks: [], raw, time };
    this.#messages.push(message);
    this.#steps.set(id, message);
    return message;
  }

  /** The summary stands for the first messages of the history, as many as are counted; the others stay behind it. */
  #compact(row: UnknownRecord, where: string): void {
    const blocks = toContentBlocks(readString(row.contextSummary) ?? readString(row.summary));
    const size = this.#messages.length - this.#start;
    const count = Math.min(readCount(row.compactedCount) ?? size, size);
    if (!hasVisibleText(blocks) || count === 0) {
      this.#warn('BROKEN_COMPACTION', where, 'A compaction has no summary, or replaces nothing.');
      this.#others.push(row);
      return;
    }
    for (let end = this.#start + count; this.#start < end; this.#start += 1) {
      const message = this.#messages[this.#start];
      if (message !== undefined) this.#replaced.push(message);
    }
    // Must take the place of the last one: moving those behind it would take quadratic time.
    this.#start -= 1;
    this.#messages[this.#start] = { kind: 'summary', blocks, raw: row, time: readTime(row.time) };
    this.#steps.clear();
  }

  /** Not beyond a compaction: what it summed up cannot be taken back one by one. */
  #undo(row: UnknownRecord): void {
    this.#others.push(row);
    let start = this.#messages.length;
    for (let left = readCount(row.count) ?? 1; left > 0; left -= 1) {
      const turn = this.#turns.at(-1);
      if (turn === undefined || turn < this.#start || this.#messages[turn]?.kind !== 'user') break;
      this.#turns.pop();
      start = turn;
    }
    this.#drop(start);
  }

  #clear(): void {
    for (const { raw } of this.#replaced.splice(0)) this.#others.push(raw);
    this.#drop(this.#start);
    this.#turns.length = 0;
  }

  #drop(start: number): void {
    for (const { raw } of this.#messages.splice(start)) this.#others.push(raw);
    this.#steps.clear();
  }
}

/** Parts of one text follow each other without a gap. */
function addPart(blocks: ContentBlock[], part: unknown): void {
  const isText = isRecord(part) && part.type === 'text' && typeof part.text === 'string';
  const last = blocks.at(-1);
  if (!isText) blocks.push(toHiddenBlock('part', part));
  else if (last?.type === 'text')
    blocks[blocks.length - 1] = { type: 'text', text: `${String(last.text)}${part.text}` };
  else blocks.push({ type: 'text', text: String(part.text) });
}

function readKind(role: unknown, isTyped: boolean, isSummary: boolean): Message['kind'] {
  if (isSummary) return 'summary';
  if (role === 'assistant') return 'assistant';
  if (role === 'tool') return 'tool-result';
  return role === 'user' && isTyped ? 'user' : 'injected';
}

function isReminder(blocks: readonly ContentBlock[]): boolean {
  const texts = blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text.trim()] : []));
  return (
    texts.length > 0 &&
    texts.every((text) => text.startsWith('<system-reminder>') && text.endsWith('</system-reminder>'))
  );
}

function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : undefined;
}

function writeMessage({ kind, blocks, raw, time }: Message, writer: ConversationWriter): void {
  const details = { time };
  if (kind === 'user') writer.user(blocks, details);
  else if (kind === 'assistant') writer.assistant(blocks, details);
  else if (kind === 'summary') writer.summarize(blocks, details);
  else if (kind === 'injected') writer.injected(blocks, 'context', details);
  else writer.toolResult(raw, time);
}
