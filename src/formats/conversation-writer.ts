import type { ContentBlock, SessionLog } from '../session/session.ts';
import { isSessionReferenceText } from '../snapshot/recognize-context.ts';
import { firstWordsTitle } from './first-words-title.ts';
import type { FormatName } from './format-reader.ts';
import { type MessageDetails, SessionLogBuilder, type ShadowedRange } from './session-log-builder.ts';
import type { SessionNames } from './session-names.ts';

/** What a format tells about a conversation besides its messages. */
export interface ConversationFacts {
  readonly id?: string | undefined;
  /** Default: what the user said first, as the tools that keep no titles list their conversations. */
  readonly title?: string | undefined;
  /** Unix time in milliseconds. Default: the first time that a message tells. */
  readonly createdAt?: number | undefined;
  readonly cwd?: string | undefined;
  readonly parentSession?: string | undefined;
}

/**
 * Writes one conversation of a format that may not say what it is called and when it began. What the user sent as a
 * reference to other sessions is told from the user's own words, so that snapshots never nest.
 */
export class ConversationWriter {
  readonly #facts: ConversationFacts;
  readonly #builder: SessionLogBuilder;
  #live: ShadowedRange | undefined;
  #firstTime: number | undefined;
  #hasBegun = false;
  #firstWords: string | undefined;

  /**
   * @param format - of the file.
   * @param facts - what the format tells.
   */
  constructor(format: FormatName, facts: ConversationFacts) {
    this.#facts = facts;
    const { cwd, parentSession } = facts;
    this.#builder = new SessionLogBuilder({ format, id: '', createdAt: 0, cwd, parentSession });
    if (isVisible(facts.title)) this.#builder.title(facts.title);
  }

  /** Whether neither the user nor the assistant said anything so far. */
  get isEmpty(): boolean {
    return !this.#hasBegun;
  }

  /** Words that the user typed; a block that is a context message of this library is told apart. */
  user(content: readonly ContentBlock[], details: MessageDetails = {}): void {
    const references = content.filter(isReference);
    if (references.length > 0) this.reference(references, { time: details.time, id: details.id });
    if (references.length > 0 && references.length === content.length) return;
    const words = references.length === 0 ? content : withoutReferences(content);
    const { displayContent: shown } = details;
    const displayContent = shown === undefined || typeof shown === 'string' ? shown : withoutReferences(shown);
    this.#hasBegun = true;
    this.#firstWords ??= findWords(displayContent ?? words);
    this.#append(this.#builder.user(words, { ...details, displayContent }), details.time);
  }

  /** A snapshot of other sessions that the user had referenced. */
  reference(content: readonly ContentBlock[], details: MessageDetails = {}): void {
    this.injected(content, 'session-reference', details);
  }

  /** What the assistant answered. */
  assistant(content: readonly ContentBlock[], details: MessageDetails = {}): void {
    this.#hasBegun = true;
    this.#append(this.#builder.assistant(content, details), details.time);
  }

  /** A message to the model that no person typed. */
  injected(content: readonly ContentBlock[], kind: string, details: MessageDetails = {}): void {
    this.#append(this.#builder.injected(content, kind, details), details.time);
  }

  /** What a tool returned. */
  toolResult(data: unknown, time?: number): void {
    this.#hasBegun = true;
    this.#append(this.#builder.toolResult(data, time), time);
  }

  /** A summary that takes the place of everything before it. */
  summarize(summary: string | readonly ContentBlock[], details: MessageDetails = {}): void {
    this.#hasBegun = true;
    const seq = this.#builder.checkpoint(summary, this.#live, details);
    this.#live = { start: seq, end: seq };
    this.#firstTime ??= details.time;
  }

  /** Anything else; the model was not shown it. */
  other(kind: string, data: unknown, time?: number): void {
    this.#builder.other(kind, data, time);
  }

  /**
   * The log.
   *
   * @param names - gives it its id.
   * @param where - of the conversation, for warnings.
   * @param ownId - the id the format has for it. Default: the one of the facts.
   */
  build(names: SessionNames, where: string, ownId: string | undefined = this.#facts.id): SessionLog {
    const title = isVisible(this.#facts.title) ? undefined : firstWordsTitle(this.#firstWords);
    if (title !== undefined) this.#builder.title(title);
    const { header, events } = this.#builder.build();
    const id = names.choose(ownId, events, where);
    const createdAt = this.#facts.createdAt ?? this.#firstTime ?? names.fallbackTime;
    return { header: { ...header, id, createdAt }, events };
  }

  #append(seq: number, time: number | undefined): void {
    this.#live = { start: this.#live?.start ?? seq, end: seq };
    this.#firstTime ??= time;
  }
}

function findWords(content: string | readonly ContentBlock[]): string | undefined {
  if (typeof content === 'string') return isVisible(content) ? content : undefined;
  for (const { type, text } of content) {
    if (type === 'text' && isVisible(text)) return text;
  }
  return undefined;
}

function isVisible(text: unknown): text is string {
  return typeof text === 'string' && /\S/.test(text);
}

function withoutReferences(content: readonly ContentBlock[]): readonly ContentBlock[] {
  return content.some(isReference) ? content.filter((block) => !isReference(block)) : content;
}

function isReference(block: ContentBlock): boolean {
  return block.type === 'text' && typeof block.text === 'string' && isSessionReferenceText(block.text);
}
