/**
 * What a scanner tells about a log: numbers in a row for each entry, so that hundreds of thousands of messages cost no
 * objects. `assembly/index.ts` writes the same layout.
 */
export const ENTRY_LENGTH = 6;

/** Where the numbers of an entry stand. */
export const ENTRY = {
  /** One of {@link KIND}. */
  kind: 0,
  /** The `seq` of the first event, or -1 for none. */
  seq: 1,
  /** How many events it stands for: one, unless it is passed. */
  count: 2,
  /** Where the text of a message begins, counted from the first text of the log. */
  text: 3,
  /** Bytes of the text as it stands in the log. */
  length: 4,
  /** Bytes that it stands for in UTF-8. Fewer than `length` exactly when there are escapes. */
  bytes: 5,
} as const;

/** What an entry is, as far as a surface is concerned. */
export const KIND = {
  /** Events that cannot be on the surface. */
  passed: 0,
  /** A surface event of which nothing may be quoted. */
  hidden: 1,
  user: 2,
  assistant: 3,
  /** A row that has to be parsed. */
  unread: 4,
} as const;

/** The texts of the newest messages. Older ones are forgotten as the log goes on. */
export interface LogTexts {
  /**
   * A text as it stands in the log, undecoded; valid until more of the log is added.
   *
   * @param text - where it begins.
   * @param length - its bytes.
   * @returns `undefined` when it has been forgotten.
   */
  read(text: number, length: number): Uint8Array | undefined;
  /**
   * Whether a text is more than white space, judged by its first character alone; `false` does not say that it is not.
   *
   * @param text - where it begins.
   */
  isSurelyVisible(text: number): boolean;
}

/** Is told what the rows of a log are, in their order. */
export interface ScanListener {
  /**
   * @param entries - {@link ENTRY_LENGTH} numbers for each; nobody else's from now on.
   * @param texts - all of theirs are there.
   */
  onEntries(entries: Float64Array, texts: LogTexts): void;
  /**
   * A row that has to be parsed.
   *
   * @param line - its bytes, which are gone after the call.
   */
  onUnread(line: Uint8Array): void;
}

/**
 * Understands the rows of a deepseek-harness log as far as a snapshot needs them, without decoding or parsing them. A row
 * that is laid out in any other way than usual is left to be parsed.
 */
export interface LogScanner extends LogTexts {
  /**
   * Look at the next piece of the log.
   *
   * @param bytes - of any length; a line need not be whole. The caller may overwrite them afterwards.
   */
  add(bytes: Uint8Array): void;
  /** The bytes behind the last line break. */
  rest(): Uint8Array;
}

/** What a scanner is opened with. */
export interface ScannerSettings {
  readonly listener: ScanListener;
  /** Bytes of the newest texts that are kept at least; `Infinity` for all. */
  readonly keptBytes: number;
}

/**
 * Whether a text that begins here is more than white space for certain: its first character is neither white space nor
 * an escape, which may stand for some. White space beyond ASCII begins with C2, E1, E2, E3 or EF in UTF-8.
 *
 * @param bytes - that hold it.
 * @param at - where it begins.
 */
export function startsVisibly(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] ?? 0;
  if (byte < 0x80) return byte > 0x20 && byte !== 0x5c;
  if (byte < 0xe0) return byte > 0xc2;
  const next = bytes[at + 1] ?? 0;
  if (byte === 0xe1) return next !== 0x9a;
  if (byte === 0xe2) return next > 0x81;
  if (byte === 0xe3) return next !== 0x80;
  return byte !== 0xef || next !== 0xbb;
}
