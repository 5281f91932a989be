import { placesAfter, placesBetween, type ReadTransaction, type WriteTransaction } from './schema.ts';

/** Pages that are read together: a megabyte or so, so that the thread is not held for long. */
export const PAGES_PER_BATCH = 8;

/**
 * Pages of a session in order, a few at a time. Whoever takes them may wait for nothing but the transaction.
 *
 * @param transaction - it is all read in this one.
 * @param name - which pages.
 * @param id - the session.
 * @param after - the place after which pages begin; -1 for all of them.
 * @param before - the first place at which no page may begin.
 */
export async function* readPages(
  transaction: ReadTransaction | WriteTransaction,
  name: 'events' | 'surface',
  id: string,
  after = -1,
  before: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<unknown[], void, undefined> {
  const store = (transaction as ReadTransaction).objectStore(name);
  for (let last = after; ; ) {
    const range =
      before === Number.POSITIVE_INFINITY
        ? placesAfter(id, last)
        : last + 1 < before
          ? placesBetween(id, last + 1, before - 1)
          : undefined;
    if (range === undefined) return;
    // Must not trust what a page says about itself: the keys tell where to go on.
    const [keys, pages] = await Promise.all([
      store.getAllKeys(range, PAGES_PER_BATCH),
      store.getAll(range, PAGES_PER_BATCH),
    ]);
    const key = keys.at(-1);
    if (key === undefined) return;
    yield pages;
    last = key[1];
  }
}
