import type { SessionRecord } from '../src/index.ts';
import type { SessionReferencesClient } from '../worker/client.ts';
import { nameSession } from './conversation-list.ts';
import { askConfirmation, askText } from './dialogs.ts';
import type { Notices } from './notices.ts';
import type { Sessions } from './sessions.ts';

/** What can be done with a whole conversation. Failures are told in notices. */
export class ConversationActions {
  readonly #client: SessionReferencesClient;
  readonly #sessions: Sessions;
  readonly #notices: Notices;

  constructor(client: SessionReferencesClient, sessions: Sessions, notices: Notices) {
    this.#client = client;
    this.#sessions = sessions;
    this.#notices = notices;
  }

  /** Ask for another title. */
  async rename(id: string, name: string): Promise<void> {
    const title = await askText({ title: 'Rename the conversation', action: 'Rename' }, 'Title', name);
    if (title === undefined) return;
    await this.#notices.guard(this.#sessions.rename(id, title), name);
    await this.#sessions.refresh();
  }

  /** Save it as a file. */
  async save(record: SessionRecord): Promise<void> {
    const name = nameSession(record);
    await this.#notices.guard(this.#sessions.save(record.header.id, name), name);
  }

  /** Delete it, after asking. `onSure` is called before it is gone. */
  async delete(record: SessionRecord, onSure: () => void): Promise<void> {
    const name = nameSession(record);
    const text = `“${name}” is removed from this browser. Snapshots of it in other conversations stay.`;
    const question = { title: 'Delete this conversation?', text, action: 'Delete', isDangerous: true };
    if (!(await askConfirmation(question))) return;
    onSure();
    await this.#notices.guard(this.#client.delete(record.header.id), name);
    await this.#sessions.refresh();
  }
}
