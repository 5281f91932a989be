import type { SessionLog } from '../session/session.ts';

/** Every format that can be read, by the name that `readSessions` takes and reports. */
export type FormatName =
  | 'deepseek-harness'
  | 'ai-sdk'
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'claude-code'
  | 'codex'
  | 'chatgpt'
  | 'claude-ai'
  | 'gemini-cli'
  | 'opencode'
  | 'librechat'
  | 'open-webui'
  | 'ag-ui'
  | 'langgraph'
  | 'cline'
  | 'roo'
  | 'pi'
  | 'sharegpt'
  | 'qwen-code'
  | 'goose'
  | 'copilot-cli'
  | 'kimi-code';

/**
 * How the rows of a file were laid out: one JSON value per line, the elements of one JSON array, or one JSON value,
 * which is then the only row.
 */
export type RowLayout = 'lines' | 'array' | 'value';

/** One JSON value of a file, and where it stood. */
export interface Row {
  readonly value: unknown;
  /** `line 7`, `[12]`, or `the file`; for warnings. Never contains text of the file. */
  readonly where: string;
}

/** What a reader is shown to decide whether a file is of its format. */
export interface FormatSample {
  readonly layout: RowLayout;
  /** The values of the first rows: up to 50, fewer where they are large. At least one. */
  readonly rows: readonly unknown[];
}

/** Why something of a file was not read as it stands. */
export type ReadWarningCode =
  /** A line or value that is no JSON, or not what the format has there. It was skipped. */
  | 'UNREADABLE'
  /** The last line of a file that was cut off while it was written. It was skipped. */
  | 'TORN'
  /** The format has something there that this reader does not know. It was kept as an event that no snapshot shows. */
  | 'UNKNOWN'
  /** A parent that does not exist, a cycle, a duplicate id: read as far as it makes sense. */
  | 'BROKEN_TREE'
  /** A compaction that cannot be read or that never finished. It shadows nothing. */
  | 'BROKEN_COMPACTION'
  /** A whole conversation that could not be read. The others of the file were. */
  | 'LOST_SESSION';

/** Something of a file that was not read as it stands. */
export interface ReadWarning {
  readonly code: ReadWarningCode;
  /** `line 7`, `[12].mapping`: a line or a path; never text of the file. */
  readonly where: string;
  /** One sentence for people, without text of the file. */
  readonly message: string;
}

/** What a reader has besides the rows. */
export interface ReadContext {
  /** The id to use where the format has none, or the caller's own choice for a file with one conversation. */
  readonly sessionId: string | undefined;
  /** The name of the file, where it is known; some formats keep the id or the time there. Untrusted. */
  readonly fileName: string | undefined;
  /** The time to use where the format has none, in Unix ms: the file's last change, or 0. */
  readonly fallbackTime: number;
  /** Report something that is not read as it stands. */
  readonly warn: (code: ReadWarningCode, where: string, message: string) => void;
}

/**
 * One file while it is being read. Rows are handed in one by one; sessions come out as soon as they are complete, and
 * between them `undefined` wherever long work can pause. What `add` throws costs that row only: it is reported as a
 * warning and reading goes on.
 */
export interface FormatReading {
  /** Take one row. A row that is not what the format has there is reported through `warn`, never thrown over. */
  add(row: Row): Iterable<SessionLog | undefined>;
  /** There are no more rows. */
  finish(): Iterable<SessionLog | undefined>;
}

/** Reads one format. Knows nothing of bytes, files, and threads. */
export interface FormatReader {
  readonly format: FormatName;
  /** What people call the format: `Claude Code`. */
  readonly title: string;
  /** Whether these rows are surely of this format, judging by keys and types of values that no other format has. */
  recognizes(sample: FormatSample): boolean;
  /** Start on a file. */
  open(context: ReadContext): FormatReading;
}
