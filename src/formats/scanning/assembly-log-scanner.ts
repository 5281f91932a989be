import { tooLarge } from '../byte-source.ts';
import { ENTRY, ENTRY_LENGTH, KIND, type LogScanner, type ScannerSettings, startsVisibly } from './log-scanner.ts';
import { SCANNER_MODULE } from './scanner-module.ts';

/** What the module in `assembly/` exports. */
interface ScannerExports {
  readonly memory: WebAssembly.Memory;
  readonly table: WebAssembly.Global;
  readonly texts: WebAssembly.Global;
  keep(bytes: number): void;
  append(length: number): number;
  scan(): number;
  compact(): void;
  forgotten(): number;
  restStart(): number;
  restEnd(): number;
}

/** More than a module can address. */
const ALL_BYTES = 0x7fffffff;

/** The module, compiled once for everybody; `undefined` where that is not possible. */
let compiled: Promise<WebAssembly.Module | undefined> | undefined;

/**
 * The scanner that looks at sixteen bytes in one go.
 *
 * @param settings - see {@link ScannerSettings}.
 * @returns `undefined` where WebAssembly, or its vectors, are missing or forbidden by the page's policy.
 */
export async function openAssemblyLogScanner(settings: ScannerSettings): Promise<LogScanner | undefined> {
  compiled ??= compileModule();
  const module = await compiled;
  if (module === undefined) return undefined;
  const { exports } = await WebAssembly.instantiate(module);
  return new AssemblyLogScanner(exports as unknown as ScannerExports, settings);
}

async function compileModule(): Promise<WebAssembly.Module | undefined> {
  try {
    return await WebAssembly.compile(Uint8Array.from(atob(SCANNER_MODULE), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

class AssemblyLogScanner implements LogScanner {
  readonly #module: ScannerExports;
  readonly #listener: ScannerSettings['listener'];
  readonly #textsStart: number;
  readonly #tableStart: number;
  // Must be looked up anew whenever the memory grew: it moves.
  #bytes: Uint8Array<ArrayBuffer>;
  #table: Float64Array<ArrayBuffer>;

  constructor(module: ScannerExports, { listener, keptBytes }: ScannerSettings) {
    this.#module = module;
    this.#listener = listener;
    this.#textsStart = Number(module.texts.value);
    this.#tableStart = Number(module.table.value) / Float64Array.BYTES_PER_ELEMENT;
    this.#bytes = new Uint8Array(module.memory.buffer);
    this.#table = new Float64Array(module.memory.buffer);
    module.keep(Math.min(keptBytes, ALL_BYTES));
  }

  add(bytes: Uint8Array): void {
    const place = this.#module.append(bytes.length);
    if (place === 0) throw tooLarge(this.#bytes.length);
    if (this.#module.memory.buffer !== this.#bytes.buffer) {
      this.#bytes = new Uint8Array(this.#module.memory.buffer);
      this.#table = new Float64Array(this.#module.memory.buffer);
    }
    this.#bytes.set(bytes, place);
    for (let count = this.#module.scan(); count > 0; count = this.#module.scan()) this.#report(count);
    this.#module.compact();
  }

  rest(): Uint8Array {
    return this.#bytes.slice(this.#module.restStart(), this.#module.restEnd());
  }

  read(text: number, length: number): Uint8Array | undefined {
    const start = this.#indexOf(text);
    return start < this.#textsStart ? undefined : this.#bytes.subarray(start, start + length);
  }

  isSurelyVisible(text: number): boolean {
    return startsVisibly(this.#bytes, this.#indexOf(text));
  }

  #indexOf(text: number): number {
    return this.#textsStart + text - this.#module.forgotten();
  }

  #report(count: number): void {
    const end = this.#tableStart + count * ENTRY_LENGTH;
    const last = end - ENTRY_LENGTH;
    const isUnread = this.#table[last + ENTRY.kind] === KIND.unread;
    const entries = this.#table.slice(this.#tableStart, isUnread ? last : end);
    if (entries.length > 0) this.#listener.onEntries(entries, this);
    if (!isUnread) return;
    const start = this.#table[last + ENTRY.text] ?? 0;
    this.#listener.onUnread(this.#bytes.subarray(start, start + (this.#table[last + ENTRY.length] ?? 0)));
  }
}
