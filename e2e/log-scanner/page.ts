import { readSessionConversation } from '../../src/formats/read-conversation.ts';
import type { SessionConversationSnapshot } from '../../src/session/query.ts';
import { createLogFile } from '../../test/bench/log-files.ts';

/** What the spec drives. */
export interface LogScannerPage {
  /** Whether the page's policy lets WebAssembly be compiled. */
  readonly canCompile: () => Promise<boolean>;
  readonly readLog: () => Promise<SessionConversationSnapshot>;
}

/** The smallest module: a magic number and a version (WebAssembly Core Specification, 5.5.16). */
const EMPTY_MODULE = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);

async function canCompile(): Promise<boolean> {
  try {
    await WebAssembly.compile(EMPTY_MODULE);
    return true;
  } catch {
    return false;
  }
}

function readLog(): Promise<SessionConversationSnapshot> {
  return readSessionConversation(createLogFile(4 << 20, 'mixed', 3).blob, 20_000);
}

Object.assign(globalThis, { logScanner: { canCompile, readLog } satisfies LogScannerPage });
