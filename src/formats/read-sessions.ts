import { throwIfCancelled } from '../cancellation.ts';
import { isSessionReferenceError, quoteInput, SessionReferenceError } from '../error.ts';
import { pauseForOthers } from '../runtime.ts';
import type { SessionLog } from '../session/session.ts';
import { SurfaceFold } from '../session/surface.ts';
import type { Pause } from '../slices.ts';
import { holdsBytes, toByteSource } from './byte-source.ts';
import { chooseReader } from './detection.ts';
import type {
  FormatName,
  FormatReader,
  FormatReading,
  ReadWarning,
  ReadWarningCode,
  Row,
  RowLayout,
} from './format-reader.ts';
import { type RowBatch, readJsonRows } from './json-rows.ts';
import { type Decompress, type OpenedFile, openFiles } from './packed-files.ts';

/** How to read; everything has a default. */
export interface ReadSessionsOptions {
  /** What the file is. Default: found out from its first rows. */
  readonly format?: FormatName | undefined;
  /** The id of the session, for a file with one conversation whose format has none. */
  readonly sessionId?: string | undefined;
  /** The name of the file; a `File` has its own. */
  readonly fileName?: string | undefined;
  /** Called for everything that is not read as it stands. */
  readonly onWarning?: ((warning: ReadWarning) => void) | undefined;
  /** Called once the format is known. */
  readonly onFormat?: ((format: FormatName) => void) | undefined;
  /** Called now and then with how much was read, in bytes. */
  readonly onProgress?: ((progress: { readonly readBytes: number; readonly totalBytes?: number }) => void) | undefined;
  /** Cancels with `CANCELLED` within about 50 ms. */
  readonly signal?: AbortSignal | undefined;
  /** Unpacks all frames of zstd-compressed bytes, which no browser can do by itself. */
  readonly decompressZstd?: Decompress | undefined;
  /** Lets the thread do other work, about every 8 ms. Default: a message to itself. */
  readonly pause?: Pause | undefined;
}

/** Time in ms after which reading pauses. */
const SLICE_MILLISECONDS = 8;

/** Rows between two looks at the clock. */
const ROWS_PER_LOOK = 16;
/** Events between two looks at the clock. */
const EVENTS_PER_LOOK = 1024;

/** Rows that are looked at to find out the format, and their bytes. */
const SAMPLE_ROWS = 50;
const SAMPLE_BYTES = 1 << 20;

/**
 * Read session logs with the readers that are given; see `readSessions` of the entry for the contract.
 *
 * @param readers - the most specific first.
 * @param input - bytes in any shape, or a parsed value.
 * @param given - see {@link ReadSessionsOptions}.
 */
export async function* readSessionsWith(
  readers: readonly FormatReader[],
  input: unknown,
  given?: ReadSessionsOptions | null,
): AsyncGenerator<SessionLog> {
  const options = given ?? {};
  throwIfCancelled(options.signal);
  try {
    yield* readInput(readers, input, options);
  } catch (error) {
    // A value that was parsed already can be any object, also one that throws when it is looked at.
    throw isSessionReferenceError(error) ? error : invalid('The conversation could not be read.', error);
  }
}

async function* readInput(
  readers: readonly FormatReader[],
  input: unknown,
  options: ReadSessionsOptions,
): AsyncGenerator<SessionLog> {
  const run = new ReadRun(readers, options);
  if (!holdsBytes(input)) {
    yield* run.readRows(toRowBatches(input), readFileName(input, options), readFallbackTime(input));
  } else {
    const { chunks, totalBytes } = toByteSource(input, options.signal);
    for await (const file of openFiles(chunks, { ...options, fileName: readFileName(input, options) })) {
      yield* run.readFile(file, totalBytes, readFallbackTime(input));
    }
  }
  run.finish();
}

/** One call: several files, when the input is an archive. */
class ReadRun {
  readonly #readers: readonly FormatReader[];
  readonly #options: ReadSessionsOptions;
  readonly #ids = new Map<string, number>();
  #sliceEnd = 0;
  #sessions = 0;
  #failures: { readonly error: unknown; readonly where: string }[] = [];

  constructor(readers: readonly FormatReader[], options: ReadSessionsOptions) {
    this.#readers = readers;
    this.#options = options;
  }

  /** One conversation that cannot be read is the caller's to know as an error; among others it is a warning. */
  finish(): void {
    const [first] = this.#failures;
    if (first !== undefined && this.#sessions === 0) throw first.error;
    for (const { error, where } of this.#failures) this.#warn('LOST_SESSION', where, describeFailure(error));
  }

  async *readFile(file: OpenedFile, totalBytes: number | undefined, fallbackTime: number): AsyncGenerator<SessionLog> {
    const warn = (code: ReadWarningCode, where: string, message: string): void =>
      this.#warn(code, file.member === undefined ? where : `${quoteInput(file.member)}, ${where}`, message);
    try {
      const batches = readJsonRows(file.chunks, warn);
      yield* this.readRows(countInput(batches, file), file.fileName, fallbackTime, totalBytes, warn);
    } catch (error) {
      // Must go on with an archive: what is none of ours in it is no reason to give up the rest.
      if (file.member === undefined || !isInvalidLog(error)) throw error;
      this.#failures.push({ error, where: quoteInput(file.member) });
    }
  }

  async *readRows(
    batches: AsyncIterable<CountedBatch>,
    fileName: string | undefined,
    fallbackTime: number,
    totalBytes?: number,
    warn: (code: ReadWarningCode, where: string, message: string) => void = this.#warn.bind(this),
  ): AsyncGenerator<SessionLog> {
    let reading: FormatReading | undefined;
    let layout: RowLayout = 'lines';
    let waiting: Row[] = [];
    let readBytes = 0;
    const open = (isWhole: boolean): FormatReading => {
      const values = waiting.slice(0, SAMPLE_ROWS).map(({ value }) => value);
      const found = isWhole && layout === 'lines' && values.length === 1 ? 'value' : layout;
      if (values.length === 0) throw invalid('The file holds nothing that could be read.');
      const reader = chooseReader(this.#readers, { layout: found, rows: values }, this.#options.format);
      this.#options.onFormat?.(reader.format);
      return reader.open({ sessionId: this.#options.sessionId, fileName, fallbackTime, warn });
    };
    for await (const batch of batches) {
      ({ layout } = batch);
      readBytes = batch.inputBytes ?? batch.readBytes;
      // Must not spread: a batch can hold more rows than a call can have arguments.
      for (const row of batch.rows) waiting.push(row);
      if (reading === undefined && (waiting.length >= SAMPLE_ROWS || batch.readBytes >= SAMPLE_BYTES)) {
        if (waiting.length > 0) reading = open(false);
      }
      if (reading !== undefined) {
        yield* this.#pausing(this.#takeRows(reading, waiting, warn), readBytes, totalBytes);
        waiting = [];
      }
      if (Date.now() >= this.#sliceEnd) await this.#pause(readBytes, totalBytes);
    }
    reading ??= open(true);
    yield* this.#pausing(this.#takeRows(reading, waiting, warn), readBytes, totalBytes);
    const last = this.#collect(
      () => reading.finish(),
      'the file',
      (error) => this.#failures.push({ error, where: 'the file' }),
    );
    yield* this.#pausing(last, readBytes, totalBytes);
    if (totalBytes !== undefined) this.#options.onProgress?.({ readBytes: totalBytes, totalBytes });
  }

  /** The sessions, with a pause wherever the thread was held long enough. */
  async *#pausing(
    logs: Iterable<SessionLog | undefined>,
    readBytes: number,
    totalBytes: number | undefined,
  ): AsyncGenerator<SessionLog> {
    for (const log of logs) {
      if (log !== undefined) yield log;
      if (Date.now() >= this.#sliceEnd) await this.#pause(readBytes, totalBytes);
    }
    if (Date.now() >= this.#sliceEnd) await this.#pause(readBytes, totalBytes);
  }

  *#takeRows(
    reading: FormatReading,
    rows: readonly Row[],
    warn: (code: ReadWarningCode, where: string, message: string) => void,
  ): Iterable<SessionLog | undefined> {
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index] as Row;
      const onError = (): void => warn('UNREADABLE', row.where, 'The row could not be read.');
      const read = tryAdd(reading, row, onError);
      // Must be cheap for what most rows of most files are: a part of a session that is not complete yet.
      if (read !== undefined) yield* this.#collect(() => read, row.where, onError);
      if (index % ROWS_PER_LOOK === 0) yield undefined;
    }
  }

  /** Sessions of a reader, each checked. A generator of a reader runs only here, where its failures are caught. */
  *#collect(
    read: () => Iterable<SessionLog | undefined>,
    where: string,
    onError: (error: unknown) => void,
  ): Iterable<SessionLog | undefined> {
    let iterator: Iterator<SessionLog | undefined>;
    try {
      iterator = read()[Symbol.iterator]();
    } catch (error) {
      onError(error);
      return;
    }
    for (;;) {
      let log: SessionLog | undefined;
      try {
        const { done, value } = iterator.next();
        if (done === true) return;
        log = value;
      } catch (error) {
        onError(error);
        return;
      }
      if (log === undefined) yield undefined;
      else yield* this.#check(log, where);
    }
  }

  /** A session whose log can be folded; it is looked at piece by piece, because it can be the whole file. */
  *#check(log: SessionLog, where: string): Iterable<SessionLog | undefined> {
    const fold = new SurfaceFold();
    for (let start = 0; start < log.events.length; start += EVENTS_PER_LOOK) {
      try {
        fold.apply(log.events.slice(start, start + EVENTS_PER_LOOK));
      } catch (error) {
        this.#failures.push({ error, where });
        return;
      }
      yield undefined;
    }
    yield this.#admit(log, where);
  }

  #admit(log: SessionLog, where: string): SessionLog {
    this.#sessions += 1;
    const { id } = log.header;
    const uniqueId = this.#makeUnique(id);
    if (uniqueId === id) return log;
    this.#warn('UNREADABLE', where, 'Another session of the file has the same id; this one got a number behind it.');
    return { ...log, header: { ...log.header, id: uniqueId } };
  }

  #makeUnique(id: string): string {
    let count = this.#ids.get(id) ?? 0;
    let unique = id;
    // A number can be taken, too: by a session whose own id looks like one that got a number.
    while (this.#ids.has(unique)) {
      count += 1;
      unique = `${id}~${count + 1}`;
    }
    this.#ids.set(id, count);
    if (unique !== id) this.#ids.set(unique, 0);
    return unique;
  }

  async #pause(readBytes: number, totalBytes: number | undefined): Promise<void> {
    const { onProgress, signal, pause = pauseForOthers } = this.#options;
    onProgress?.({ readBytes, ...(totalBytes === undefined ? {} : { totalBytes }) });
    await pause();
    throwIfCancelled(signal);
    this.#sliceEnd = Date.now() + SLICE_MILLISECONDS;
  }

  #warn(code: ReadWarningCode, where: string, message: string): void {
    this.#options.onWarning?.({ code, where, message });
  }
}

/** What a row completed; `undefined` for nothing, which is the rule. */
function tryAdd(
  reading: FormatReading,
  row: Row,
  onError: (error: unknown) => void,
): Iterable<SessionLog | undefined> | undefined {
  try {
    const read = reading.add(row);
    return Array.isArray(read) && read.length === 0 ? undefined : read;
  } catch (error) {
    onError(error);
    return undefined;
  }
}

/** Rows, and how much of the input they took: of what is packed, that is less than of the file. */
interface CountedBatch extends RowBatch {
  readonly inputBytes?: number;
}

async function* countInput(batches: AsyncIterable<RowBatch>, file: OpenedFile): AsyncGenerator<CountedBatch> {
  const { takenBytes } = file;
  for await (const batch of batches) yield takenBytes === undefined ? batch : { ...batch, inputBytes: takenBytes() };
}

/** A value that was parsed already, as rows: the elements of a list, or the value. */
async function* toRowBatches(value: unknown): AsyncGenerator<RowBatch> {
  if (!Array.isArray(value)) {
    yield { layout: 'value', rows: [{ value, where: 'the value' }], readBytes: 0 };
    return;
  }
  const rows = (value as readonly unknown[]).map((element, index) => ({ value: element, where: `[${index}]` }));
  yield { layout: 'array', rows, readBytes: 0 };
}

function readFileName(input: unknown, { fileName }: ReadSessionsOptions): string | undefined {
  if (fileName !== undefined) return fileName;
  const { name } = (input ?? {}) as { readonly name?: unknown };
  return holdsBytes(input) && typeof name === 'string' ? name : undefined;
}

/** A `File` knows when it was last changed. */
function readFallbackTime(input: unknown): number {
  const { lastModified } = (input ?? {}) as { readonly lastModified?: unknown };
  return holdsBytes(input) && typeof lastModified === 'number' ? lastModified : 0;
}

function describeFailure(error: unknown): string {
  return isInvalidLog(error) ? error.message : 'The conversation could not be read.';
}

function isInvalidLog(error: unknown): error is SessionReferenceError {
  return error instanceof SessionReferenceError && error.code === 'SESSION_REFERENCE_INVALID_LOG';
}

function invalid(message: string, cause?: unknown): SessionReferenceError {
  return new SessionReferenceError('SESSION_REFERENCE_INVALID_LOG', message, { cause });
}
