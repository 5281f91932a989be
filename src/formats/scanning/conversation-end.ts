import { SessionReferenceError } from '../../error.ts';
import type { SessionConversationSnapshot } from '../../session/query.ts';
import type { ConversationUnit } from '../../snapshot/projection.ts';
import { utf8Length } from '../../snapshot/utf8-length.ts';
import { parseJson } from '../json-lines.ts';
import { ENTRY, ENTRY_LENGTH, KIND, type LogTexts } from './log-scanner.ts';

/** Something on the surface: an entry of a scanner, or what a parsed row shows. */
export type SurfaceItem =
  | { readonly entries: Float64Array; readonly at: number }
  | { readonly unit: ConversationUnit | undefined };

/** Collects the end of a conversation, which is told it newest first: as many texts as are wanted, of the rest the count. */
export class ConversationEnd {
  readonly #texts: LogTexts;
  #left: number;
  readonly #newestFirst: ConversationUnit[] = [];
  #messages = 0;
  #bytes = 0;
  /** Whether a text that is wanted has been forgotten. */
  isForgotten = false;

  /**
   * @param bytes - how much text is wanted.
   * @param texts - of the entries.
   */
  constructor(bytes: number, texts: LogTexts) {
    this.#left = bytes;
    this.#texts = texts;
  }

  /** Add what stands before everything that was added yet. */
  add(item: SurfaceItem): void {
    if ('entries' in item) this.#addEntry(item.entries, item.at);
    else if (item.unit !== undefined) this.#addUnit(item.unit);
  }

  /** Add many, of which the last is the newest. */
  addEntries(entries: Float64Array): void {
    for (let at = entries.length - ENTRY_LENGTH; at >= 0; at -= ENTRY_LENGTH) this.#addEntry(entries, at);
  }

  /** What was collected. */
  read(): Pick<SessionConversationSnapshot, 'units' | 'unread'> {
    return { units: this.#newestFirst.reverse(), unread: { messages: this.#messages, bytes: this.#bytes } };
  }

  #addEntry(entries: Float64Array, at: number): void {
    const kind = entries[at + ENTRY.kind] ?? 0;
    if (kind <= KIND.hidden) return;
    if (this.#left < 0) {
      this.#messages += 1;
      this.#bytes += entries[at + ENTRY.bytes] ?? 0;
      return;
    }
    const raw = readRaw(entries, at, this.#texts);
    if (raw === undefined) {
      this.isForgotten = true;
      return;
    }
    const text = decodeText(raw, isEscaped(entries, at));
    if (text === undefined) {
      throw new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', 'A message of the log is no valid JSON.');
    }
    this.#take({ role: kind === KIND.assistant ? 'assistant' : 'user', text, checkpoint: false });
  }

  #addUnit(unit: ConversationUnit): void {
    if (this.#left >= 0 || unit.checkpoint) {
      this.#take(unit);
      return;
    }
    this.#messages += 1;
    this.#bytes += utf8Length(unit.text);
  }

  #take(unit: ConversationUnit): void {
    this.#newestFirst.push(unit);
    if (!unit.checkpoint) this.#left -= unit.text.length;
  }
}

/**
 * Whether the text of an entry is white space and nothing else.
 *
 * @param entries - of a scanner.
 * @param at - where the entry begins.
 * @param texts - that hold the text.
 */
export function isBlank(entries: Float64Array, at: number, texts: LogTexts): boolean {
  const raw = readRaw(entries, at, texts);
  const text = raw === undefined ? undefined : decodeText(raw, isEscaped(entries, at));
  return text !== undefined && !/\S/.test(text);
}

function readRaw(entries: Float64Array, at: number, texts: LogTexts): Uint8Array | undefined {
  return texts.read(entries[at + ENTRY.text] ?? 0, entries[at + ENTRY.length] ?? 0);
}

function isEscaped(entries: Float64Array, at: number): boolean {
  return entries[at + ENTRY.bytes] !== entries[at + ENTRY.length];
}

/** A text as it stands in JSON, or `undefined` when it is not valid there. */
function decodeText(raw: Uint8Array, escaped: boolean): string | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw);
  if (!escaped) return text;
  const parsed = parseJson(`"${text}"`);
  return typeof parsed === 'string' ? parsed : undefined;
}
