import type { ContentBlock, SessionEvent, SessionHeader, SessionLog, SurfaceOperation } from '../session/session.ts';
import type { FormatName } from './format-reader.ts';

/** What is known about a session before its first event. */
export interface NewSession {
  readonly format: FormatName;
  readonly id: string;
  /** Unix time in milliseconds. */
  readonly createdAt: number;
  readonly cwd?: string | undefined;
  readonly parentSession?: string | undefined;
}

/** What is known about a message besides its content. */
export interface MessageDetails {
  /** Unix time in milliseconds. */
  readonly time?: number | undefined;
  /** The message's id in the foreign format. */
  readonly id?: string | undefined;
  /** The human's own words, where context was baked into the content. */
  readonly displayContent?: string | readonly ContentBlock[] | undefined;
}

/** The inclusive range of surface events, by seq, that a checkpoint stands for. */
export interface ShadowedRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Writes the log of a foreign conversation, event by event, in the order in which its model saw them.
 *
 * Every method returns the `seq` of the event, which is what {@link SessionLogBuilder.checkpoint} shadows by.
 */
export class SessionLogBuilder {
  readonly #header: SessionHeader;
  readonly #events: SessionEvent[] = [];

  /** @param session - becomes the header; the format is kept in it. */
  constructor(session: NewSession) {
    const { format, id, createdAt, cwd, parentSession } = session;
    this.#header = {
      version: 0,
      id,
      createdAt,
      ...(cwd === undefined ? {} : { cwd }),
      ...(parentSession === undefined ? {} : { parentSession }),
      format,
    };
  }

  /** The `seq` of the next event. */
  get nextSeq(): number {
    return this.#events.length;
  }

  /** Words that the user typed. Blocks that are not text are kept, and never quoted. */
  user(content: string | readonly ContentBlock[], details: MessageDetails = {}): number {
    return this.#message('user/message', 'user', content, { kind: 'user' }, details);
  }

  /** What the assistant answered. Reasoning and tool calls belong in as blocks of another type than `text`. */
  assistant(content: string | readonly ContentBlock[], details: MessageDetails = {}): number {
    return this.#message('assistant/message', 'assistant', content, { kind: 'model' }, details);
  }

  /** A message to the model that no person typed: injected context, output of a local command. Never quoted. */
  injected(content: string | readonly ContentBlock[], kind: string, details: MessageDetails = {}): number {
    return this.#message('user/message', 'user', content, { kind: 'plugin', plugin: kind }, details);
  }

  /** What a tool returned. Never quoted. */
  toolResult(data: unknown, time?: number): number {
    return this.#add('tool/result', data, time, 'append');
  }

  /**
   * A compaction: a summary that takes the place of a range of the surface. Messages after the range, a kept tail
   * among them, stay behind it.
   *
   * @param summary - what the model sees instead.
   * @param shadowed - the first and the last event it replaces; without a range it is added at the end.
   */
  checkpoint(
    summary: string | readonly ContentBlock[],
    shadowed: ShadowedRange | undefined,
    details: MessageDetails = {},
  ): number {
    const operation: SurfaceOperation = shadowed === undefined ? 'append' : { op: 'replace', ...shadowed };
    return this.#message('user/message', 'user', summary, { kind: 'plugin', plugin: 'compact' }, details, operation);
  }

  /** The title, or a new one; the last one counts. */
  title(title: string, time?: number): number {
    return this.#add('session/title', { title }, time);
  }

  /** Anything else of the foreign history, so that nothing is thrown away; it is not on the surface. */
  other(kind: string, data: unknown, time?: number): number {
    return this.#add(`${String(this.#header.format)}/${kind}`, data, time);
  }

  /** The log as it is now. */
  build(): SessionLog {
    return { header: this.#header, events: this.#events };
  }

  #message(
    type: string,
    role: 'user' | 'assistant',
    content: string | readonly ContentBlock[],
    source: { readonly kind: string; readonly plugin?: string },
    { time, id, displayContent }: MessageDetails,
    operation: SurfaceOperation = 'append',
  ): number {
    const message = {
      role,
      content: toBlocks(content),
      source,
      ...(id === undefined ? {} : { id }),
      ...(displayContent === undefined ? {} : { envelope: { displayContent: toBlocks(displayContent) } }),
    };
    return this.#add(type, role === 'assistant' ? { message } : message, time, operation);
  }

  #add(type: string, data: unknown, time: number | undefined, surfaceOp?: SurfaceOperation): number {
    const seq = this.#events.length;
    this.#events.push({
      type,
      seq,
      ...(time === undefined ? {} : { time }),
      data,
      ...(surfaceOp === undefined ? {} : { surfaceOp }),
    });
    return seq;
  }
}

function toBlocks(content: string | readonly ContentBlock[]): readonly ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
