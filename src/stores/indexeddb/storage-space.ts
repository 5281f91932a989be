import type { SessionReferenceError } from '../../error.ts';
import type { SessionEvent } from '../../session/session.ts';
import type { SlicedWork } from '../../slices.ts';
import { utf8Length } from '../../snapshot/utf8-length.ts';
import { storeFailed } from '../store-errors.ts';

/** How much of the browser's storage this origin uses, and how much it may. */
export interface StorageSpace {
  /** Bytes that are used. */
  readonly usage: number;
  /** Bytes that may be used. */
  readonly quota: number;
}

interface StorageManager {
  readonly estimate?: () => Promise<{ readonly usage?: number; readonly quota?: number }>;
  readonly persist?: () => Promise<boolean>;
}

/** The space there is, or `undefined` where the browser does not tell. */
export async function estimateSpace(): Promise<StorageSpace | undefined> {
  try {
    const { usage, quota } = (await storageManager()?.estimate?.()) ?? {};
    return usage === undefined || quota === undefined ? undefined : { usage, quota };
  } catch {
    return undefined;
  }
}

/** Ask the browser not to clear this origin's storage. @returns whether it agreed. */
export async function requestPersistence(): Promise<boolean> {
  try {
    return (await storageManager()?.persist?.()) ?? false;
  } catch {
    return false;
  }
}

/**
 * About how many bytes some events take, as sliced work: as JSON, which is most of it.
 *
 * @param events - that should have been stored.
 */
export function* measureEvents(events: readonly SessionEvent[]): SlicedWork<number> {
  let bytes = 0;
  for (const event of events) {
    bytes += utf8Length(toJson(event));
    yield;
  }
  return bytes;
}

/**
 * The error for a full storage.
 *
 * @param needed - bytes that should have been stored.
 * @param space - what there is.
 * @param cause - what the browser said.
 */
export function quotaExceeded(needed: number, space: StorageSpace | undefined, cause: unknown): SessionReferenceError {
  const free = space === undefined ? needed : Math.max(0, space.quota - space.usage);
  // Must not be believed in every case: Chromium tells pages that there are gigabytes, however little there is.
  const told = free < needed ? `${free} bytes are free` : 'less than that is free';
  return storeFailed(`The storage is full: about ${needed} bytes are needed, ${told}. Nothing was changed.`, cause);
}

function toJson(event: SessionEvent): string {
  return (JSON.stringify(event) as string | undefined) ?? '';
}

function storageManager(): StorageManager | undefined {
  return (globalThis as { readonly navigator?: { readonly storage?: StorageManager } }).navigator?.storage;
}
