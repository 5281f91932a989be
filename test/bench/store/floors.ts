import { openDB } from 'idb';
import type { SessionEvent } from '../../../src/index.ts';

const DATABASE = 'bench floor';
const PAGE_LENGTH = 128_000;

/**
 * What keeping a log costs at the least: each event as JSON, in pages, in one transaction.
 *
 * @param events - of the log.
 */
export async function writePagesAtOnce(events: readonly SessionEvent[]): Promise<void> {
  await deleteDatabase(DATABASE);
  const database = await openDB(DATABASE, 1, { upgrade: (created) => void created.createObjectStore('pages') });
  const transaction = database.transaction('pages', 'readwrite', { durability: 'relaxed' });
  let lines: string[] = [];
  let length = 0;
  let last: Promise<unknown> | undefined;
  const flush = (key: number): void => {
    last = transaction.store.put({ lines }, key);
    lines = [];
    length = 0;
  };
  for (const event of events) {
    const line = JSON.stringify(event);
    lines.push(line);
    length += line.length;
    if (length < PAGE_LENGTH) continue;
    const before = last;
    flush(event.seq);
    // Must wait now and then: a log of this size does not fit into the memory twice.
    await before;
  }
  flush(events.length);
  await transaction.done;
  database.close();
}

/** Reads what {@link writePagesAtOnce} wrote, in one request. */
export async function readPagesAtOnce(): Promise<void> {
  const database = await openDB(DATABASE, 1);
  await database.getAll('pages');
  database.close();
}

/**
 * Forget a database.
 *
 * @param name - of the database.
 */
export async function deleteDatabase(name: string): Promise<void> {
  await new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = resolve;
    request.onerror = reject;
    request.onblocked = reject;
  });
}
