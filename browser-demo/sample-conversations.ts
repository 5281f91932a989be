import type { SessionReferencesClient } from '../worker/client.ts';

/** The conversations that come with the page, in the order in which they are read. */
const FILES = ['rate-limiter.jsonl', 'checkout-flake.jsonl', 'checkout-flake-mobile.jsonl', 'lisbon.jsonl'];

/** Remembers that they were read, so that whoever deletes them does not get them back. */
const STORAGE_KEY = 'session-reference-demo-samples';

/** Read the conversations that come with the page, on its first start, the way every dropped file is read. */
export async function importSampleConversations(client: SessionReferencesClient): Promise<void> {
  if (wasDone()) return;
  await Promise.all(
    FILES.map(async (fileName) => {
      const response = await fetch(`conversations/${fileName}`);
      if (response.ok) await client.importSessions(await response.blob(), { fileName });
    }),
  );
  noteDone();
}

function wasDone(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === 'done';
  } catch {
    return false;
  }
}

function noteDone(): void {
  try {
    localStorage.setItem(STORAGE_KEY, 'done');
  } catch {
    // Storage can be forbidden; they are read again on the next start.
  }
}
