import { isRecord } from '../record.ts';
import type { ContentBlock } from '../session/session.ts';
import type { SlicedWork } from '../slices.ts';
import { readClaudeBranch } from './claude-code-branch.ts';
import type { ClaudeEntry } from './claude-code-rows.ts';
import {
  isQueueRemoval,
  readQueuedPrompt,
  readUserContent,
  textOfWords,
  type UserContent,
  type WordsContent,
} from './claude-code-text.ts';
import { hasContent } from './claude-code-tree.ts';
import type { ConversationWriter } from './conversation-writer.ts';
import { hasVisibleText, toContentBlocks } from './foreign-content.ts';
import { readTime } from './foreign-time.ts';
import type { ReadContext } from './format-reader.ts';
import type { MessageDetails } from './session-log-builder.ts';

interface OpenAnswer {
  readonly id: string;
  readonly blocks: ContentBlock[];
  readonly details: MessageDetails;
  /** What tools returned while the answer was still going on. */
  readonly results: ClaudeEntry[];
}

interface OpenCommand {
  readonly entry: ClaudeEntry;
  readonly content: readonly ContentBlock[];
  readonly words: string;
}

/** Writes the lines of one Claude Code session, those that are not part of its conversation among them. */
export class ClaudeConversation {
  readonly #writer: ConversationWriter;
  readonly #warn: ReadContext['warn'];
  #answer: OpenAnswer | undefined;
  #command: OpenCommand | undefined;
  /** A prompt that was queued and not answered yet: it may come a second time, as a message. */
  #queuedWords: string | undefined;
  #lastPositions: ReadonlyMap<string, number> = new Map();

  /**
   * @param writer - of the session.
   * @param warn - told about what cannot be read.
   */
  constructor(writer: ConversationWriter, warn: ReadContext['warn']) {
    this.#writer = writer;
    this.#warn = warn;
  }

  /**
   * Write everything.
   *
   * @param entries - the lines of the session, in order.
   */
  *write(entries: readonly ClaudeEntry[]): SlicedWork<void> {
    this.#lastPositions = findLastPositions(entries);
    const branch = yield* readClaudeBranch(entries, this.#warn);
    const onBranch = new Set(branch.entries);
    const beside = entries.filter((entry) => !onBranch.has(entry));
    let next = 0;
    for (const entry of branch.entries) {
      yield;
      for (let other = beside[next]; other !== undefined && other.position < entry.position; other = beside[next]) {
        yield;
        next += 1;
        this.#addBeside(other, branch.queued);
      }
      this.#addEntry(entry);
    }
    for (const other of beside.slice(next)) {
      yield;
      this.#addBeside(other, branch.queued);
    }
    this.#finishCommand();
    this.#finishAnswer();
  }

  #addBeside(entry: ClaudeEntry, queued: ReadonlySet<ClaudeEntry>): void {
    if (queued.has(entry)) this.#addQueued(entry);
    else this.#addOther(entry);
  }

  #addEntry(entry: ClaudeEntry): void {
    const { type } = entry.row;
    if (type === 'assistant') this.#addAnswer(entry);
    else if (type === 'user') this.#addUser(entry);
    else if (readQueuedPrompt(entry.row) !== undefined) this.#addQueued(entry);
    else {
      // Newer versions keep what a local command printed in lines of the system.
      if (entry.row.subtype === 'local_command') this.#dropCommand(readUserContent(entry.row.content).kind);
      this.#addOther(entry);
    }
  }

  #addOther({ row }: ClaudeEntry): void {
    this.#writer.other(typeof row.type === 'string' ? row.type : 'unknown', row, readTime(row.timestamp));
  }

  #addQueued(entry: ClaudeEntry): void {
    const prompt = readQueuedPrompt(entry.row);
    const text = prompt === undefined ? '' : textOfWords(prompt);
    const isRepeated = text === this.#queuedWords || (this.#lastPositions.get(text) ?? 0) > entry.position;
    if (prompt === undefined || isRepeated) {
      this.#addOther(entry);
      return;
    }
    this.#finishCommand();
    this.#finishAnswer();
    this.#addWords(entry, prompt);
    this.#queuedWords = text;
  }

  #addAnswer(entry: ClaudeEntry): void {
    const { row, where } = entry;
    const message = isRecord(row.message) ? row.message : {};
    if (!hasContent(entry)) this.#warn('UNREADABLE', where, 'An answer has no content.');
    // Written by the tool itself: an error of the network, a request that was interrupted.
    if (!hasContent(entry) || row.isApiErrorMessage === true || message.model === '<synthetic>') {
      this.#addOther(entry);
      return;
    }
    this.#finishCommand();
    const blocks = toContentBlocks(message.content);
    if (hasVisibleText(blocks)) this.#queuedWords = undefined;
    const id = typeof message.id === 'string' ? message.id : entry.key;
    if (this.#answer?.id === id) {
      this.#answer.blocks.push(...blocks);
      return;
    }
    this.#finishAnswer();
    this.#answer = { id, blocks, details: detailsOf(entry), results: [] };
  }

  #addUser(entry: ClaudeEntry): void {
    const { row, where } = entry;
    if (!hasContent(entry) || !isRecord(row.message)) {
      this.#warn('UNREADABLE', where, 'A message has no content.');
      this.#addOther(entry);
      return;
    }
    const content = readUserContent(row.message.content);
    if (content.kind === 'tool-result') {
      if (this.#answer === undefined) this.#writer.toolResult(row, readTime(row.timestamp));
      else this.#answer.results.push(entry);
      return;
    }
    this.#dropCommand(content.kind);
    this.#finishCommand();
    this.#finishAnswer();
    this.#addContent(entry, content);
  }

  #addContent(entry: ClaudeEntry, content: UserContent): void {
    const { row } = entry;
    if (row.isCompactSummary === true || content.kind === 'summary') this.#addSummary(entry, content.content);
    else if (isOfMachine(entry)) this.#writer.injected(content.content, 'meta', detailsOf(entry));
    else if (content.kind === 'command' && content.words !== undefined) {
      this.#command = { entry, content: content.content, words: content.words };
    } else if (content.kind !== 'words') this.#writer.injected(content.content, content.kind, detailsOf(entry));
    else if (this.#queuedWords !== undefined && textOfWords(content) === this.#queuedWords) {
      this.#queuedWords = undefined;
      this.#addOther(entry);
    } else {
      this.#queuedWords = undefined;
      this.#addWords(entry, content);
    }
  }

  #addWords(entry: ClaudeEntry, { content, typed }: WordsContent): void {
    const details = detailsOf(entry);
    this.#writer.user(content, typed === undefined ? details : { ...details, displayContent: typed });
  }

  #addSummary(entry: ClaudeEntry, content: readonly ContentBlock[]): void {
    if (hasVisibleText(content)) {
      this.#writer.summarize(content, detailsOf(entry));
      return;
    }
    this.#warn('BROKEN_COMPACTION', entry.where, 'A compaction has no summary that can be read; it replaces nothing.');
    this.#addOther(entry);
  }

  /** A command whose output follows ran on the user's machine and said nothing to the model. */
  #dropCommand(next: UserContent['kind']): void {
    if (this.#command === undefined || next !== 'command-output') return;
    this.#writer.injected(this.#command.content, 'local-command', detailsOf(this.#command.entry));
    this.#command = undefined;
  }

  #finishCommand(): void {
    const command = this.#command;
    if (command === undefined) return;
    this.#command = undefined;
    this.#finishAnswer();
    this.#writer.user(command.content, { ...detailsOf(command.entry), displayContent: command.words });
  }

  #finishAnswer(): void {
    const answer = this.#answer;
    if (answer === undefined) return;
    this.#answer = undefined;
    this.#writer.assistant(answer.blocks, answer.details);
    for (const { row } of answer.results) this.#writer.toolResult(row, readTime(row.timestamp));
  }
}

/** Lines in the name of the user that the tool wrote, or a task, or another agent. */
function isOfMachine({ row }: ClaudeEntry): boolean {
  const { isMeta, isVisibleInTranscriptOnly, origin } = row;
  const isOfOthers = isRecord(origin) && typeof origin.kind === 'string' && origin.kind !== 'human';
  return isMeta === true || isVisibleInTranscriptOnly === true || isOfOthers;
}

function detailsOf({ row }: ClaudeEntry): MessageDetails {
  return { time: readTime(row.timestamp), id: typeof row.uuid === 'string' ? row.uuid : undefined };
}

/** Where words were said last; empty where nothing was taken from the queue. */
function findLastPositions(entries: readonly ClaudeEntry[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  if (!entries.some(({ row }) => isQueueRemoval(row))) return positions;
  for (const { row, position } of entries) {
    const words = isRecord(row.message) ? readUserContent(row.message.content) : readQueuedPrompt(row);
    if (row.type !== 'assistant' && words?.kind === 'words') positions.set(textOfWords(words), position);
  }
  return positions;
}
