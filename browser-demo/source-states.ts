import type { SnapshotRecord } from '../src/index.ts';
import type { SessionReferencesClient } from '../worker/client.ts';
import type { ConversationEntry } from './conversation-log.ts';

/** What became of a session after a snapshot of it was taken. */
export type SourceState = 'same' | 'changed' | 'deleted';

/** Knows whether the sources of sent snapshots moved on. Sources are looked at once each, never read. */
export class SourceStates {
  readonly #client: SessionReferencesClient;
  readonly #onChange: () => void;
  /** The last event of each source, or `undefined` where there is no such session. */
  readonly #lastSeqs = new Map<string, number | null | undefined>();

  constructor(client: SessionReferencesClient, onChange: () => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** What became of the source of a snapshot, as far as it is known. */
  stateOf({ sessionId, capturedThroughSeq }: SnapshotRecord): SourceState {
    if (!this.#lastSeqs.has(sessionId)) return 'same';
    const lastSeq = this.#lastSeqs.get(sessionId);
    if (lastSeq === undefined) return 'deleted';
    return lastSeq === capturedThroughSeq ? 'same' : 'changed';
  }

  /** Look at the sources of these entries again. */
  async refresh(entries: readonly ConversationEntry[]): Promise<void> {
    const ids = new Set(
      entries.flatMap(({ context }) => context?.source.references.map((record) => record.sessionId) ?? []),
    );
    if (ids.size === 0) return;
    const changes = await Promise.all([...ids].map((id) => this.#look(id)));
    // Must be silent otherwise: what is shown is made anew, and would lose the focus.
    if (changes.includes(true)) this.#onChange();
  }

  /** Resolves to whether something is known now that was not before. */
  async #look(id: string): Promise<boolean> {
    const lastSeq = await this.#readLastSeq(id);
    const isNew = !this.#lastSeqs.has(id) || this.#lastSeqs.get(id) !== lastSeq;
    this.#lastSeqs.set(id, lastSeq);
    return isNew;
  }

  async #readLastSeq(id: string): Promise<number | null | undefined> {
    try {
      return (await this.#client.readMessages(id, { newest: 1 })).capturedThroughSeq;
    } catch {
      // A session that cannot be read is as good as gone for whoever wants to open it.
      return undefined;
    }
  }
}
