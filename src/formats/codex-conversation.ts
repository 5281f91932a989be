import { isRecord, type UnknownRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import type { CodexItem, CodexSource } from './codex-items.ts';
import { isContext, isSummary, readTypedBlocks } from './codex-text.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, toContentBlocks } from './foreign-content.ts';
import type { ReadContext } from './format-reader.ts';

/** What is written of a line. */
interface Step {
  readonly raw: UnknownRecord;
  readonly time: number | undefined;
  readonly write: (writer: ConversationWriter) => void;
}

type Message = CodexItem & { readonly kind: 'user' | 'assistant' };

/**
 * Puts a Codex log together: every message once, though most are written down twice, and without the turns that were
 * rolled back.
 */
export class CodexConversation {
  readonly #warn: ReadContext['warn'];
  #userSource: 'history' | 'events' = 'history';
  readonly #userTexts = new RepeatedTexts();
  readonly #assistantTexts = new RepeatedTexts();
  readonly #rolledBack: Step[] = [];
  /** Places of user turns among the steps. */
  readonly #turns: number[] = [];
  readonly #steps: Step[] = [];

  /** @param warn - told about what cannot be read. */
  constructor(warn: ReadContext['warn']) {
    this.#warn = warn;
  }

  /**
   * Write everything, what was rolled back last and as events that nobody quotes.
   *
   * @param items - of the file, in order.
   * @param writer - of the session.
   */
  *write(items: readonly CodexItem[], writer: ConversationWriter): SlicedWork<void> {
    // Where there are events they are what the user typed; the history of the model has replays and context too.
    const hasEvents = items.some(
      (item) => item.kind === 'user' && item.source !== 'history' && !isContext(item.content),
    );
    this.#userSource = hasEvents ? 'events' : 'history';
    for (const item of items) {
      this.#add(item);
      yield;
    }
    for (const step of this.#steps) {
      step.write(writer);
      yield;
    }
    for (const { raw, time } of this.#rolledBack) writer.other('rolled-back', raw, time);
  }

  #add(item: CodexItem): void {
    switch (item.kind) {
      case 'user':
        this.#addUser(item);
        return;
      case 'assistant':
        this.#addAssistant(item);
        return;
      case 'injected':
        this.#push(item, (writer) => writer.injected(item.content, 'system', { time: item.time }));
        return;
      case 'tool-result':
        this.#push(item, (writer) => writer.toolResult(item.raw, item.time));
        return;
      case 'compaction':
        this.#addCompaction(item, readSummary(item.compaction));
        return;
      case 'encrypted-compaction':
        this.#addCompaction(item, undefined);
        return;
      case 'rollback':
        this.#rollBack(item.turns);
        this.#addOther(item, 'rollback');
        return;
      default:
        if (item.kind === 'other' && !item.isKnown)
          this.#warn('UNKNOWN', item.where, 'The type of a line is not known.');
        this.#addOther(item, item.kind === 'other' ? item.name : item.kind);
    }
  }

  #addUser(item: Message): void {
    const details = { time: item.time, id: item.id };
    if (isContext(item.content)) {
      this.#push(item, (writer) => writer.injected(item.content, 'context', details));
      return;
    }
    const isTruth = (item.source === 'history') === (this.#userSource === 'history');
    const content = isTruth ? this.#userTexts.removeKnown(item.content, item.source) : [];
    if (content.length === 0) {
      this.#addOther(item, 'repeated');
      return;
    }
    this.#assistantTexts.clear();
    this.#turns.push(this.#steps.length);
    const displayContent = readTypedBlocks(content);
    this.#push(item, (writer) => writer.user(content, { ...details, displayContent }));
  }

  #addAssistant(item: Message): void {
    const content = this.#assistantTexts.removeKnown(item.content, item.source);
    if (content.length === 0) {
      this.#addOther(item, 'repeated');
      return;
    }
    this.#userTexts.clear();
    this.#push(item, (writer) => writer.assistant(content, { time: item.time, id: item.id }));
  }

  #addCompaction(item: CodexItem, summary: readonly ContentBlock[] | undefined): void {
    if (summary !== undefined) {
      this.#push(item, (writer) => writer.summarize(summary, { time: item.time }));
      return;
    }
    this.#warn('BROKEN_COMPACTION', item.where, 'The summary of a compaction cannot be read; it replaces nothing.');
    this.#addOther(item, 'compaction');
  }

  #addOther(item: CodexItem, name: string): void {
    this.#push(item, (writer) => writer.other(name, item.raw, item.time));
  }

  #push({ raw, time }: CodexItem, write: Step['write']): void {
    this.#steps.push({ raw, time, write });
  }

  /** Must move the steps away: going through them again with every rollback would take quadratic time. */
  #rollBack(turns: number): void {
    const count = Math.min(Math.max(0, Math.floor(turns)), this.#turns.length);
    const start = this.#turns[this.#turns.length - count];
    if (count === 0 || start === undefined) return;
    this.#turns.length -= count;
    for (const step of this.#steps.splice(start)) this.#rolledBack.push(step);
    this.#userTexts.clear();
    this.#assistantTexts.clear();
  }
}

/** Tells a text that was written down by several sources from one that was said several times. */
class RepeatedTexts {
  readonly #counts = new Map<string, Map<CodexSource | 'said', number>>();

  /** The blocks without the texts that another source had first. */
  removeKnown(blocks: readonly ContentBlock[], source: CodexSource): readonly ContentBlock[] {
    if (!hasVisibleText(blocks)) return blocks;
    const kept = blocks.filter(({ type, text }) => {
      return type !== 'text' || typeof text !== 'string' || !this.#isKnown(text.trim(), source);
    });
    return hasVisibleText(kept) ? kept : [];
  }

  clear(): void {
    this.#counts.clear();
  }

  #isKnown(text: string, source: CodexSource): boolean {
    let counts = this.#counts.get(text);
    if (counts === undefined) {
      counts = new Map();
      this.#counts.set(text, counts);
    }
    const count = (counts.get(source) ?? 0) + 1;
    counts.set(source, count);
    const said = counts.get('said') ?? 0;
    if (count <= said) return true;
    counts.set('said', count);
    return false;
  }
}

/** The summary is a message of its own, or the one of the new history that hands over to the next model. */
function readSummary({ message, replacement_history: history }: UnknownRecord): readonly ContentBlock[] | undefined {
  const summary = toContentBlocks(message);
  if (hasVisibleText(summary)) return summary;
  for (const item of Array.isArray(history) ? history : []) {
    if (!isRecord(item) || item.role !== 'user') continue;
    const blocks = toContentBlocks(item.content, ({ type, text }) =>
      type === 'input_text' && typeof text === 'string' ? text : undefined,
    );
    if (isSummary(textOf(blocks))) return blocks;
  }
  return undefined;
}

function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\n');
}
