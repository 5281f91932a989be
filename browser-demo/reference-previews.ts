import type { ReferencingAgent, SessionReferenceService } from '../src/index.ts';
import { isCancellation } from './error-words.ts';
import { type Draft, type DraftReference, listReferences } from './mention-picker/index.ts';
import { readSnapshots, type SnapshotContent } from './snapshot-content.ts';

/** How far the snapshot of one reference in the draft has come. */
export type PreviewState =
  | { readonly kind: 'working' }
  | { readonly kind: 'ready'; readonly content: SnapshotContent }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'cancelled' };

/** One reference in the draft. */
export interface ReferencePreview {
  readonly reference: DraftReference;
  readonly state: PreviewState;
}

/** Takes a snapshot of every session in the draft as soon as it is in there, to show what would be sent. */
export class ReferencePreviews {
  readonly #service: SessionReferenceService;
  readonly #agent: () => ReferencingAgent;
  readonly #onChange: () => void;
  readonly #running = new Map<string, AbortController>();
  #previews: readonly ReferencePreview[] = [];

  constructor(service: SessionReferenceService, agent: () => ReferencingAgent, onChange: () => void) {
    this.#service = service;
    this.#agent = agent;
    this.#onChange = onChange;
  }

  /** In the order of the draft, each session once. */
  get list(): readonly ReferencePreview[] {
    return this.#previews;
  }

  /** The preview of a session, if it is in the draft. */
  get(sessionId: string): ReferencePreview | undefined {
    return this.#previews.find(({ reference }) => reference.sessionId === sessionId);
  }

  /** Follow a draft: new references are taken up, and those that left it are given up. */
  follow(draft: Draft): void {
    const references = listReferences(draft);
    const ids = references.map(({ sessionId }) => sessionId);
    const known = this.#previews.map(({ reference }) => reference.sessionId);
    if (ids.length === known.length && ids.every((id, index) => id === known[index])) return;
    for (const id of known) if (!ids.includes(id)) this.#abort(id);
    this.#previews = references.map((reference) => this.get(reference.sessionId) ?? this.#start(reference));
    this.#onChange();
  }

  /** Take a snapshot again: the session changed, or it failed before. */
  restart(sessionId: string): void {
    const preview = this.get(sessionId);
    if (preview === undefined) return;
    this.#abort(sessionId);
    this.#set(this.#start(preview.reference));
  }

  /** Stop taking a snapshot. The chip stays. */
  cancel(sessionId: string): void {
    this.#abort(sessionId);
    const preview = this.get(sessionId);
    if (preview?.state.kind === 'working') this.#set({ ...preview, state: { kind: 'cancelled' } });
  }

  /** Note that a session could not be read when the message was sent. */
  fail(sessionId: string, error: unknown): void {
    const preview = this.get(sessionId);
    if (preview !== undefined) this.#set({ ...preview, state: { kind: 'failed', error } });
  }

  #start(reference: DraftReference): ReferencePreview {
    const controller = new AbortController();
    const { sessionId } = reference;
    this.#running.set(sessionId, controller);
    const settle = (state: PreviewState): void => {
      if (this.#running.get(sessionId) !== controller) return;
      this.#running.delete(sessionId);
      this.#set({ reference, state });
    };
    this.#service.prepare(this.#agent(), [{ type: 'text', text: '' }], [reference], controller.signal).then(
      ({ additionalContext }) => {
        const content = additionalContext === undefined ? undefined : readSnapshots(additionalContext)[0];
        settle(content === undefined ? { kind: 'cancelled' } : { kind: 'ready', content });
      },
      (error: unknown) => settle(isCancellation(error) ? { kind: 'cancelled' } : { kind: 'failed', error }),
    );
    return { reference, state: { kind: 'working' } };
  }

  #abort(sessionId: string): void {
    this.#running.get(sessionId)?.abort();
    this.#running.delete(sessionId);
  }

  #set(preview: ReferencePreview): void {
    const { sessionId } = preview.reference;
    this.#previews = this.#previews.map((old) => (old.reference.sessionId === sessionId ? preview : old));
    this.#onChange();
  }
}
