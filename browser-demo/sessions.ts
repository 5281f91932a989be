import type { ReferencingAgent, SessionRecord } from '../src/index.ts';
import type { SessionReferencesClient } from '../worker/client.ts';
import { toTitleEvent } from './conversation-log.ts';
import type { MentionCandidate } from './mention-picker/index.ts';

/** Time in ms in which changes are gathered. */
const REFRESH_DELAY = 150;

/** The same during an import, which can change sessions by the thousand. */
const IMPORT_REFRESH_DELAY = 1_500;

/** Who is told what. */
export interface SessionsHandlers {
  /** Called with all sessions and with those that changed since the last call. */
  readonly onChange: (records: readonly SessionRecord[], changedIds: ReadonlySet<string>) => void;
  /** Called when they cannot be listed. */
  readonly onError: (error: unknown) => void;
}

/** The sessions in the store as the page knows them, kept up to date: what was written to last comes first. */
export class Sessions {
  readonly #client: SessionReferencesClient;
  readonly #handlers: SessionsHandlers;
  #records: readonly SessionRecord[] = [];
  #byId: ReadonlyMap<string, SessionRecord> = new Map();
  /** Set while files are imported: the list need not follow each session then. */
  isImporting = false;
  #changedIds = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: SessionReferencesClient, handlers: SessionsHandlers) {
    this.#client = client;
    this.#handlers = handlers;
    client.subscribe(({ ids }) => {
      for (const id of ids) this.#changedIds.add(id);
      this.#timer ??= setTimeout(() => void this.refresh(), this.isImporting ? IMPORT_REFRESH_DELAY : REFRESH_DELAY);
    });
  }

  get records(): readonly SessionRecord[] {
    return this.#records;
  }

  get(id: string): SessionRecord | undefined {
    return this.#byId.get(id);
  }

  /** Ask the store what there is. */
  async refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const changedIds = this.#changedIds;
    this.#changedIds = new Set();
    try {
      this.#records = (await this.#client.listSessions()).toSorted((one, other) => timeOf(other) - timeOf(one));
    } catch (error) {
      this.#handlers.onError(error);
      return;
    }
    this.#byId = new Map(this.#records.map((record) => [record.header.id, record]));
    this.#handlers.onChange(this.#records, changedIds);
  }

  /** Sessions to reference, with what else is known about each. */
  async findCandidates(
    agent: ReferencingAgent,
    query: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly MentionCandidate[]> {
    const candidates = await this.#client.listCandidates(agent, query, limit, signal);
    return candidates.map((candidate) => {
      const record = this.#byId.get(candidate.sessionId);
      return { ...candidate, changedAt: record?.changedAt, messages: record?.messages };
    });
  }

  /** Give a session another title. */
  async rename(id: string, title: string): Promise<void> {
    const { capturedThroughSeq } = await this.#client.readMessages(id, { newest: 1 });
    await this.#client.append(id, [toTitleEvent(title, 'user', (capturedThroughSeq ?? -1) + 1)]);
  }

  /** Save a session's log as a file. */
  async save(id: string, name: string): Promise<void> {
    const url = URL.createObjectURL(await this.#client.exportSession(id));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${
      name
        .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
        .trim()
        .slice(0, 80) || 'session'
    }.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }
}

function timeOf({ changedAt, header }: SessionRecord): number {
  return changedAt ?? header.createdAt;
}
