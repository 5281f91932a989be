import {
  ByteCursor,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './byte-cursor.ts';
import { KIND } from './log-scanner.ts';

const encode = (word: string): Uint8Array => Uint8Array.from(word, (character) => character.charCodeAt(0));

const WORD = {
  type: encode('type'),
  seq: encode('seq'),
  seq0: encode('seq0'),
  data: encode('data'),
  surfaceOp: encode('surfaceOp'),
  append: encode('append'),
  message: encode('message'),
  content: encode('content'),
  source: encode('source'),
  envelope: encode('envelope'),
  kind: encode('kind'),
  plugin: encode('plugin'),
  user: encode('user'),
  compact: encode('compact'),
  text: encode('text'),
  texts: encode('texts'),
  args: encode('args'),
};

const TYPE = {
  user: encode('user/message'),
  steering: encode('steering/message'),
  assistant: encode('assistant/message'),
  toolResult: encode('tool/result'),
  title: encode('session/title'),
  session: encode('session'),
  textChunks: encode('text-chunks'),
  reasoningChunks: encode('reasoning-chunks'),
  toolCallChunks: encode('tool-call-chunks'),
};

type EventType = 'user' | 'steering' | 'assistant' | 'toolResult' | 'packed' | 'parse' | 'other';
type SourceKind = 'none' | 'user' | 'compact' | 'other';

/**
 * Understands the rows of a deepseek-harness log as far as a snapshot needs them, without decoding or parsing them: what
 * kind of event each is, its seq, and where its visible text stands. A row that is laid out in any other way than
 * usual is left to be parsed, so that this never has to know all of JSON.
 */
export class HarnessRowScanner {
  readonly #cursor = new ByteCursor();
  #type: EventType = 'other';
  #source: SourceKind = 'none';
  /** The event's `seq`, or -1 for none. */
  seq = -1;
  /** How many events a passed row stands for. */
  count = 1;
  /** Whether a message has a visible text, and where it stands in the row's bytes. A message with several is parsed. */
  hasText = false;
  textStart = 0;
  textEnd = 0;
  /** The UTF-8 bytes that it stands for. */
  textBytes = 0;

  /**
   * Look at one row.
   *
   * @param bytes - that hold the row.
   * @param start - where it begins.
   * @param end - where it ends, the line break not counted.
   * @returns one of {@link KIND}.
   */
  scan(bytes: Uint8Array, start: number, end: number): number {
    this.#cursor.open(bytes, start, end);
    this.#type = 'other';
    this.#source = 'none';
    this.seq = -1;
    this.count = 1;
    this.hasText = false;
    if (!this.#scanRow() || this.#cursor.peek() >= 0) return KIND.unread;
    return this.#toKind();
  }

  #toKind(): number {
    switch (this.#type) {
      case 'assistant':
        return KIND.assistant;
      case 'user':
        // Rare enough to be parsed, and never to be forgotten.
        if (this.#source === 'compact') return KIND.unread;
        return this.#source === 'user' ? KIND.user : KIND.hidden;
      case 'steering':
        return this.#source === 'user' ? KIND.user : KIND.hidden;
      case 'toolResult':
        return KIND.hidden;
      case 'parse':
        return KIND.unread;
      default:
        return KIND.passed;
    }
  }

  #scanRow(): boolean {
    const cursor = this.#cursor;
    if (!cursor.take(OPEN_BRACE)) return false;
    let isFirst = true;
    do {
      if (!cursor.passString() || cursor.isEscaped) return false;
      if (isFirst) {
        // Must come first: what else a row holds is understood by its type.
        if (!cursor.isWord(WORD.type)) return false;
        isFirst = false;
        if (!cursor.take(COLON) || !cursor.passString()) return false;
        this.#type = this.#readType();
        if (this.#type === 'parse') return true;
      } else if (cursor.isWord(WORD.seq) || cursor.isWord(WORD.seq0)) {
        if (!cursor.take(COLON)) return false;
        this.seq = cursor.passInteger();
        if (this.seq < 0) return false;
        // Nothing else of a row that cannot be on the surface is of interest.
        if (this.#type === 'other') return this.#passRest();
      } else if (cursor.isWord(WORD.data)) {
        if (!cursor.take(COLON) || !this.#scanData()) return false;
      } else if (cursor.isWord(WORD.surfaceOp)) {
        if (!cursor.take(COLON) || !cursor.passString() || !cursor.isWord(WORD.append)) return false;
      } else if (!cursor.take(COLON) || !cursor.passValue()) {
        return false;
      }
    } while (cursor.take(COMMA));
    return cursor.take(CLOSE_BRACE);
  }

  /** Believe that a line that ends like an object is one. */
  #passRest(): boolean {
    const cursor = this.#cursor;
    let last = cursor.end - 1;
    while (last > cursor.position && (cursor.bytes[last] ?? 0) <= 0x20) last -= 1;
    if (cursor.bytes[last] !== CLOSE_BRACE) return false;
    cursor.position = cursor.end;
    return true;
  }

  #readType(): EventType {
    const cursor = this.#cursor;
    if (cursor.isEscaped) return 'parse';
    if (cursor.isWord(TYPE.user)) return 'user';
    if (cursor.isWord(TYPE.assistant)) return 'assistant';
    if (cursor.isWord(TYPE.toolResult)) return 'toolResult';
    if (cursor.isWord(TYPE.steering)) return 'steering';
    if (cursor.isWord(TYPE.title) || cursor.isWord(TYPE.session)) return 'parse';
    const isPacked =
      cursor.isWord(TYPE.textChunks) || cursor.isWord(TYPE.reasoningChunks) || cursor.isWord(TYPE.toolCallChunks);
    return isPacked ? 'packed' : 'other';
  }

  #scanData(): boolean {
    if (this.#type === 'packed') return this.#countPacked();
    if (this.#type === 'other' || this.#type === 'toolResult') return this.#cursor.passValue();
    return this.#cursor.peek() === OPEN_BRACE ? this.#scanMessage(true) : this.#cursor.passValue();
  }

  #countPacked(): boolean {
    this.count = 0;
    return this.#eachField(() => {
      const cursor = this.#cursor;
      const isList = cursor.isWord(WORD.texts) || cursor.isWord(WORD.args);
      if (!cursor.take(COLON)) return false;
      if (!isList || cursor.peek() !== OPEN_BRACKET) return cursor.passValue();
      return this.#eachElement(() => {
        this.count += 1;
        return cursor.passValue();
      });
    });
  }

  /** The message, or the data that holds one: what the inner one says counts. */
  #scanMessage(isOuter: boolean): boolean {
    const cursor = this.#cursor;
    let inner = false;
    return this.#eachField(() => {
      const isMessage = isOuter && cursor.isWord(WORD.message);
      const isContent = cursor.isWord(WORD.content);
      const isSource = cursor.isWord(WORD.source);
      // Context that was baked in, and the human's own words beside it: rare enough to be parsed.
      if (cursor.isWord(WORD.envelope) || !cursor.take(COLON)) return false;
      if (isMessage && cursor.peek() === OPEN_BRACE) {
        inner = true;
        this.hasText = false;
        this.#source = 'none';
        return this.#scanMessage(false);
      }
      if (inner || !(isContent || isSource)) return cursor.passValue();
      return isContent ? this.#scanContent() : this.#scanSource();
    });
  }

  #scanContent(): boolean {
    const cursor = this.#cursor;
    this.hasText = false;
    if (cursor.peek() === QUOTE) return cursor.passString() && this.#takeText();
    if (cursor.peek() !== OPEN_BRACKET) return cursor.passValue();
    return this.#eachElement(() => (cursor.peek() === OPEN_BRACE ? this.#scanBlock() : cursor.passValue()));
  }

  #scanBlock(): boolean {
    const cursor = this.#cursor;
    const hadText = this.hasText;
    let isText = false;
    this.hasText = false;
    const isWhole = this.#eachField(() => {
      const isType = cursor.isWord(WORD.type);
      const isTextField = cursor.isWord(WORD.text);
      if (!cursor.take(COLON)) return false;
      if (!(isType || isTextField) || cursor.peek() !== QUOTE) return cursor.passValue();
      // What a block of several texts is made of is found again by parsing.
      if (!cursor.passString() || (hadText && isTextField)) return false;
      if (isType) isText = cursor.isWord(WORD.text);
      else this.#takeText();
      return true;
    });
    this.hasText = hadText || (isText && this.hasText);
    return isWhole;
  }

  #scanSource(): boolean {
    const cursor = this.#cursor;
    if (cursor.peek() !== OPEN_BRACE) return cursor.passValue();
    let isUser = false;
    let isOfPlugin = false;
    let isCompact = false;
    const isWhole = this.#eachField(() => {
      const isKind = cursor.isWord(WORD.kind);
      const isPlugin = cursor.isWord(WORD.plugin);
      if (!cursor.take(COLON)) return false;
      if (!(isKind || isPlugin) || cursor.peek() !== QUOTE) return cursor.passValue();
      if (!cursor.passString()) return false;
      if (isPlugin) {
        isCompact = cursor.isWord(WORD.compact);
      } else {
        isUser = cursor.isWord(WORD.user);
        isOfPlugin = cursor.isWord(WORD.plugin);
      }
      return true;
    });
    this.#source = isUser ? 'user' : isOfPlugin && isCompact ? 'compact' : 'other';
    return isWhole;
  }

  #takeText(): boolean {
    const { stringStart, stringEnd, stringBytes } = this.#cursor;
    this.hasText = true;
    this.textStart = stringStart;
    this.textEnd = stringEnd;
    this.textBytes = stringBytes;
    return true;
  }

  /** Pass an object; `visit` is called behind each key, and passes the colon and the value. */
  #eachField(visit: () => boolean): boolean {
    const cursor = this.#cursor;
    if (!cursor.take(OPEN_BRACE)) return false;
    if (cursor.take(CLOSE_BRACE)) return true;
    do {
      if (!cursor.passString() || cursor.isEscaped || !visit()) return false;
    } while (cursor.take(COMMA));
    return cursor.take(CLOSE_BRACE);
  }

  #eachElement(visit: () => boolean): boolean {
    const cursor = this.#cursor;
    if (!cursor.take(OPEN_BRACKET)) return false;
    if (cursor.take(CLOSE_BRACKET)) return true;
    do {
      if (!visit()) return false;
    } while (cursor.take(COMMA));
    return cursor.take(CLOSE_BRACKET);
  }
}
