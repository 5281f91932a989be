import { joinBytes } from '../byte-source.ts';
import { HarnessRowScanner } from './harness-row-scanner.ts';
import {
  ENTRY,
  ENTRY_LENGTH,
  KIND,
  type LogScanner,
  type ScanListener,
  type ScannerSettings,
  startsVisibly,
} from './log-scanner.ts';
import { TextTail } from './text-tail.ts';

const NEWLINE = 0x0a;
const MAX_ENTRIES = 2048;

/** The scanner for where WebAssembly is missing or forbidden. */
export class JavaScriptLogScanner implements LogScanner {
  readonly #rows = new HarnessRowScanner();
  readonly #listener: ScanListener;
  readonly #texts: TextTail;
  readonly #table = new Float64Array(MAX_ENTRIES * ENTRY_LENGTH);
  #used = 0;
  #rest: Uint8Array[] = [];
  #restBytes = 0;

  /** @param settings - see {@link ScannerSettings}. */
  constructor({ listener, keptBytes }: ScannerSettings) {
    this.#listener = listener;
    this.#texts = new TextTail(keptBytes);
  }

  add(bytes: Uint8Array): void {
    const firstBreak = bytes.indexOf(NEWLINE);
    // Must not be joined before a line is whole: a long one may come in a thousand pieces.
    if (firstBreak < 0) {
      this.#keepRest(bytes);
      return;
    }
    this.#keepRest(bytes.subarray(0, firstBreak));
    this.#addLine(this.rest(), 0, this.#restBytes);
    let start = firstBreak + 1;
    for (let end = bytes.indexOf(NEWLINE, start); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.#addLine(bytes, start, end);
      start = end + 1;
    }
    this.#rest = [];
    this.#restBytes = 0;
    this.#keepRest(bytes.subarray(start));
    this.#report();
  }

  rest(): Uint8Array {
    return joinBytes(this.#rest, this.#restBytes);
  }

  read(text: number, length: number): Uint8Array | undefined {
    const index = this.#texts.indexOf(text);
    return index < 0 ? undefined : this.#texts.bytes.subarray(index, index + length);
  }

  isSurelyVisible(text: number): boolean {
    return startsVisibly(this.#texts.bytes, this.#texts.indexOf(text));
  }

  /** Must be a copy: the caller may overwrite the bytes. */
  #keepRest(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#rest.push(bytes.slice());
    this.#restBytes += bytes.length;
  }

  #addLine(bytes: Uint8Array, start: number, end: number): void {
    const kind = this.#rows.scan(bytes, start, end);
    if (kind !== KIND.unread) {
      this.#addEntry(kind, bytes);
      return;
    }
    this.#report();
    this.#listener.onUnread(bytes.subarray(start, end));
  }

  #addEntry(kind: number, bytes: Uint8Array): void {
    const { seq, count, hasText, textStart, textEnd, textBytes } = this.#rows;
    const isQuotable = kind > KIND.hidden && hasText && textStart < textEnd;
    // Must tell first what refers to texts that may be forgotten now.
    if (isQuotable && !this.#texts.hasRoom(textEnd - textStart)) this.#report();
    const text = isQuotable ? this.#texts.add(bytes, textStart, textEnd) : 0;
    const table = this.#table;
    table[this.#used + ENTRY.kind] = isQuotable ? kind : Math.min(kind, KIND.hidden);
    table[this.#used + ENTRY.seq] = seq;
    table[this.#used + ENTRY.count] = count;
    table[this.#used + ENTRY.text] = text;
    table[this.#used + ENTRY.length] = isQuotable ? textEnd - textStart : 0;
    table[this.#used + ENTRY.bytes] = isQuotable ? textBytes : 0;
    this.#used += ENTRY_LENGTH;
    if (this.#used === table.length) this.#report();
  }

  #report(): void {
    if (this.#used > 0) this.#listener.onEntries(this.#table.slice(0, this.#used), this);
    this.#used = 0;
  }
}
