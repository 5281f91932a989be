import { displayLabel, type SessionRecord } from '../src/index.ts';
import type { SessionReferencesClient } from '../worker/client.ts';
import type { Assistant } from './assistant.ts';
import { Chat } from './chat.ts';
import { ComposerForm } from './composer.ts';
import { ConversationList, nameSession } from './conversation-list.ts';
import type { ConversationEntry } from './conversation-log.ts';
import { ConversationView } from './conversation-view.ts';
import { askConfirmation, askText } from './dialogs.ts';
import { Drawers } from './drawers.ts';
import { createEndpointAssistant, type EndpointSettings } from './endpoint.ts';
import { isCancellation } from './error-words.ts';
import { runImport } from './import-run.ts';
import { Inspector, type InspectorSubject } from './inspector.ts';
import { LOCAL_ECHO } from './local-echo.ts';
import { type Draft, listReferences } from './mention-picker/index.ts';
import { askForModel } from './model-dialog.ts';
import { createId } from './new-id.ts';
import type { Notices } from './notices.ts';
import { OpenConversation } from './open-conversation.ts';
import { Sessions } from './sessions.ts';
import { SourceStates } from './source-states.ts';
import { TitleBar } from './title-bar.ts';
import { Welcome } from './welcome.ts';

/** The page: one open conversation, and what the parts of the page do with it and with each other. */
export class ChatPage {
  readonly #client: SessionReferencesClient;
  readonly #notices: Notices;
  readonly #drawers = new Drawers();
  readonly #sessions: Sessions;
  readonly #states: SourceStates;
  readonly #list: ConversationList;
  readonly #view: ConversationView;
  readonly #composer: ComposerForm;
  readonly #inspector: Inspector;
  readonly #titleBar: TitleBar;
  readonly #welcome: Welcome;
  readonly #drafts = new Map<string, Draft>();
  #assistant: Assistant = LOCAL_ECHO;
  #endpoint: EndpointSettings | undefined;
  #chat: Chat;
  #replacing: ConversationEntry | undefined;
  #loading: AbortController | undefined;
  #wasAnswering = false;

  constructor(client: SessionReferencesClient, notices: Notices) {
    this.#client = client;
    this.#notices = notices;
    this.#chat = this.#createChat(this.#createConversation(undefined));
    this.#sessions = new Sessions(
      client,
      (records, ids) => this.#followSessions(records, ids),
      (error) => notices.error(error),
    );
    this.#states = new SourceStates(client, () => {
      this.#view.refresh();
      this.#inspector.refresh();
    });
    this.#list = new ConversationList({
      onOpen: (record) => void this.#open(record),
      onReference: (record) => this.#reference(record),
      onRename: (record) => void this.#rename(record.header.id, nameSession(record)),
      onExport: (record) =>
        void this.#try(this.#sessions.save(record.header.id, nameSession(record)), nameSession(record)),
      onDelete: (record) => void this.#delete(record),
    });
    this.#view = new ConversationView({
      states: this.#states,
      onInspect: (entry) => this.#inspect({ kind: 'message', entry }),
      onOpenSnapshot: (context, sessionId) => this.#inspect({ kind: 'snapshot', context, sessionId }),
      onEdit: (entry) => this.#edit(entry),
      onRetry: () => void this.#try(this.#chat.retry()),
      onShowEarlier: () => void this.#try(this.#chat.conversation.loadEarlier().then(() => this.#show())),
    });
    this.#composer = new ComposerForm({
      service: client,
      agent: () => this.#chat.conversation.agent,
      findCandidates: (query, limit, signal) =>
        this.#sessions.findCandidates(this.#chat.conversation.agent, query, limit, signal),
      onSend: (draft) => void this.#send(draft),
      onStop: () => this.#chat.stop(),
      onOpen: (preview) => this.#inspect({ kind: 'preview', preview }),
      onPreview: (preview) => this.#followPreview({ kind: 'preview', preview }),
      onCancelEdit: () => this.#stopEditing(true),
    });
    this.#inspector = new Inspector({
      states: this.#states,
      onCancel: (sessionId) => this.#composer.previews.cancel(sessionId),
      onRestart: (sessionId) => this.#composer.previews.restart(sessionId),
      onClose: () => this.#drawers.setInspector(false),
    });
    this.#titleBar = new TitleBar({
      onRename: () => void this.#rename(this.#chat.conversation.agent.id, this.#chat.conversation.title ?? ''),
      onModel: () => void this.#chooseModel(),
    });
    this.#welcome = new Welcome({
      onStart: (record) => this.#reference(record),
      onFolder: (cwd) => this.#startIn(cwd),
    });
    this.#titleBar.showModel(this.#assistant.name);
    this.#show();
  }

  /** Read what is in the store. */
  async load(): Promise<void> {
    await this.#sessions.refresh();
    if (!this.#chat.conversation.isStored) this.#startIn(this.#usualFolder());
  }

  /** Start a new conversation, in the folder of the newest one. */
  startNew(): void {
    this.#switchTo(this.#createConversation(this.#usualFolder()));
    this.#drawers.setSidebar(false);
    this.#composer.focus();
  }

  /** Import files, and offer what came in. */
  async import(files: readonly File[]): Promise<void> {
    this.#sessions.isImporting = true;
    const report = await runImport(this.#client, files, this.#notices);
    this.#sessions.isImporting = false;
    await this.#sessions.refresh();
    const record = this.#sessions.get(report.onlySessionId ?? '');
    if (record === undefined) return;
    report.offer('Open', () => void this.#open(record));
    report.offer('Reference it', () => this.#reference(record));
  }

  #createConversation(cwd: string | undefined): OpenConversation {
    const agent = { id: createId('chat'), ...(cwd === undefined ? {} : { cwd }) };
    return new OpenConversation({ client: this.#client, agent, isStored: false });
  }

  #createChat(conversation: OpenConversation): Chat {
    const chat: Chat = new Chat(conversation, {
      service: this.#client,
      assistant: () => this.#assistant,
      onChange: () => {
        if (chat === this.#chat) this.#followChat();
      },
    });
    return chat;
  }

  #usualFolder(): string | undefined {
    return this.#sessions.records.find(({ header }) => typeof header.cwd === 'string')?.header.cwd ?? undefined;
  }

  /** The folder of a conversation without messages can still be chosen. */
  #startIn(cwd: string | undefined): void {
    const { draft } = this.#composer;
    this.#switchTo(this.#createConversation(cwd));
    this.#composer.reset(draft);
  }

  #switchTo(conversation: OpenConversation): void {
    this.#loading?.abort();
    this.#chat.stop();
    this.#drafts.set(this.#chat.conversation.agent.id, this.#composer.draft);
    this.#replacing = undefined;
    this.#composer.setEditing(false);
    this.#chat = this.#createChat(conversation);
    this.#composer.reset(this.#drafts.get(conversation.agent.id) ?? []);
    this.#inspector.show({ kind: 'nothing' });
    this.#welcome.offer(this.#sessions.records, conversation.agent.cwd);
    this.#show();
  }

  async #open(record: SessionRecord): Promise<void> {
    const { header, title, messages } = record;
    const agent = { id: header.id, ...(typeof header.cwd === 'string' ? { cwd: header.cwd } : {}) };
    const conversation = new OpenConversation({
      client: this.#client,
      agent,
      isStored: true,
      title: title ?? undefined,
      messages,
    });
    this.#switchTo(conversation);
    this.#drawers.setSidebar(false);
    const loading = new AbortController();
    this.#loading = loading;
    try {
      await conversation.load(loading.signal);
    } catch (error) {
      if (!isCancellation(error)) this.#notices.error(error, nameSession(record));
    }
    if (this.#chat.conversation !== conversation) return;
    this.#show();
    this.#view.scrollToEnd();
    this.#showNewest();
    await this.#states.refresh(conversation.entries);
  }

  #reference({ header, title }: SessionRecord): void {
    this.#drawers.setSidebar(false);
    this.#composer.reference({ sessionId: header.id, label: title?.trim() ? title : header.id });
  }

  async #send(draft: Draft): Promise<void> {
    const chat = this.#chat;
    try {
      await chat.send(draft, this.#replacing, () => {
        if (chat !== this.#chat) return;
        this.#stopEditing(false);
        if (this.#composer.draft === draft) this.#composer.reset([]);
        this.#show();
        this.#view.scrollToEnd();
        this.#showNewest();
      });
      await this.#states.refresh(chat.conversation.entries);
    } catch (error) {
      if (!isCancellation(error)) await this.#explain(error, draft);
    }
  }

  /** Say which reference kept a message from being sent. The draft is still there. */
  async #explain(error: unknown, draft: Draft): Promise<void> {
    const { agent } = this.#chat.conversation;
    const references = listReferences(draft);
    const checks = references.map((reference) =>
      this.#client.prepare(agent, [{ type: 'text', text: '' }], [reference]),
    );
    const failures = (await Promise.allSettled(checks)).flatMap((result, index) => {
      const reference = references[index];
      return result.status === 'rejected' && reference !== undefined
        ? [{ reference, reason: result.reason as unknown }]
        : [];
    });
    for (const { reference, reason } of failures) {
      this.#composer.markFailed(reference.sessionId, reason);
      this.#notices.error(reason, `Not sent, because of “${displayLabel(reference.label)}”`);
    }
    if (failures.length === 0) this.#notices.error(error, 'Not sent');
  }

  #edit(entry: ConversationEntry): void {
    this.#replacing = entry;
    this.#composer.setEditing(true);
    this.#composer.reset(entry.draft ?? [{ kind: 'text', text: entry.text }]);
    this.#composer.focus();
  }

  #stopEditing(clears: boolean): void {
    if (this.#replacing === undefined) return;
    this.#replacing = undefined;
    this.#composer.setEditing(false);
    if (clears) this.#composer.reset([]);
  }

  async #rename(id: string, name: string): Promise<void> {
    const title = await askText({ title: 'Rename the conversation', action: 'Rename' }, 'Title', name);
    if (title === undefined) return;
    await this.#try(this.#sessions.rename(id, title), displayLabel(name));
    await this.#sessions.refresh();
  }

  async #delete(record: SessionRecord): Promise<void> {
    const name = nameSession(record);
    const text = `“${name}” is removed from this browser. Snapshots of it in other conversations stay.`;
    const isSure = await askConfirmation({
      title: 'Delete this conversation?',
      text,
      action: 'Delete',
      isDangerous: true,
    });
    if (!isSure) return;
    await this.#try(this.#client.delete(record.header.id), name);
    if (this.#chat.conversation.agent.id === record.header.id) this.startNew();
    await this.#sessions.refresh();
  }

  async #chooseModel(): Promise<void> {
    const choice = await askForModel(this.#endpoint);
    if (choice === undefined) return;
    this.#endpoint = choice.endpoint;
    this.#assistant = choice.endpoint === undefined ? LOCAL_ECHO : createEndpointAssistant(choice.endpoint);
    this.#titleBar.showModel(this.#assistant.name);
  }

  #inspect(subject: InspectorSubject): void {
    this.#inspector.show(subject);
    this.#drawers.setInspector(true);
  }

  /** Show the two messages of what was sent last, without opening anything. */
  #showNewest(): void {
    const entry = this.#chat.conversation.entries.findLast(({ context }) => context !== undefined);
    if (entry !== undefined) this.#inspector.show({ kind: 'message', entry });
  }

  #followPreview(subject: Extract<InspectorSubject, { kind: 'preview' }>): void {
    const shown = this.#inspector.subject;
    if (shown.kind !== 'preview') return;
    const isSame = shown.preview.reference.sessionId === subject.preview.reference.sessionId;
    if (isSame && shown.preview !== subject.preview) this.#inspector.show(subject);
  }

  #followChat(): void {
    const { state } = this.#chat;
    if (state.kind === 'answering' && this.#view.showAnswer(state.text)) return;
    if (this.#wasAnswering && state.kind === 'idle') this.#composer.say('The answer is complete.');
    this.#wasAnswering = state.kind === 'answering';
    this.#show();
  }

  #followSessions(records: readonly SessionRecord[], changedIds: ReadonlySet<string>): void {
    this.#list.show(records);
    const { conversation } = this.#chat;
    this.#welcome.offer(records, conversation.agent.cwd);
    const record = this.#sessions.get(conversation.agent.id);
    if (record !== undefined) conversation.noteTitle(record.title ?? undefined);
    for (const { reference } of this.#composer.previews.list) {
      if (changedIds.has(reference.sessionId)) this.#composer.previews.restart(reference.sessionId);
    }
    if (changedIds.has(conversation.agent.id)) void this.#followOtherTab(conversation, record);
    this.#titleBar.show(conversation);
    this.#list.mark(conversation.agent.id);
    void this.#states.refresh(conversation.entries);
  }

  /** Read the open conversation again when somebody else wrote to it, or leave it when it is gone. */
  async #followOtherTab(conversation: OpenConversation, record: SessionRecord | undefined): Promise<void> {
    if (this.#chat.isBusy || !conversation.isStored) return;
    if (record === undefined) {
      this.#notices.problem('The open conversation was deleted in another tab.');
      this.startNew();
      return;
    }
    await this.#try(conversation.catchUp());
    if (this.#chat.conversation === conversation) this.#show();
  }

  #show(): void {
    const { conversation, state, isBusy } = this.#chat;
    this.#titleBar.show(conversation);
    this.#list.mark(conversation.agent.id);
    this.#composer.setBusy(isBusy);
    this.#view.show({
      entries: conversation.entries,
      omittedMessages: conversation.omittedMessages,
      chat: state,
      welcome: conversation.isStored ? undefined : this.#welcome.element,
    });
  }

  async #try(work: Promise<unknown>, subject?: string): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isCancellation(error)) this.#notices.error(error, subject);
    }
  }
}
