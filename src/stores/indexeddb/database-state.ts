import type { DatabaseState, ReadTransaction, WriteTransaction } from './schema.ts';

const FIRST_STATE: DatabaseState = { revision: 0, removals: 0 };

/**
 * The state of the database.
 *
 * @param transaction - to read it in.
 */
export async function readState(transaction: ReadTransaction | WriteTransaction): Promise<DatabaseState> {
  return (await (transaction as ReadTransaction).objectStore('state').get('state')) ?? FIRST_STATE;
}

/**
 * Count what a transaction changes.
 *
 * @param transaction - that writes.
 * @param state - as it was read in the same transaction.
 * @param changes - how many sessions it writes, 1 unless it says otherwise, and how many it deletes.
 */
export async function advanceState(
  transaction: WriteTransaction,
  state: DatabaseState,
  { writes = 1, removals = 0 }: { readonly writes?: number; readonly removals?: number } = {},
): Promise<void> {
  const next = { revision: state.revision + writes, removals: state.removals + removals };
  await transaction.objectStore('state').put(next, 'state');
}
