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
 * Count a write.
 *
 * @param transaction - that writes.
 * @param state - as it was read in the same transaction.
 * @param removals - how many sessions it deletes.
 */
export async function advanceState(transaction: WriteTransaction, state: DatabaseState, removals = 0): Promise<void> {
  const next = { revision: state.revision + 1, removals: state.removals + removals };
  await transaction.objectStore('state').put(next, 'state');
}
