import { displayLabel, type SessionRecord } from '../src/index.ts';
import type { SessionReferencesClient } from '../worker/client.ts';
import type { Assistant } from './assistant.ts';
import type { Chat } from './chat.ts';
import { ComposerForm } from './composer.ts';
import { ConversationActions } from './conversation-actions.ts';
import { ConversationList, nameSession } from './conversation-list.ts';
import type { ConversationEntry } from './conversation-log.ts';
import { ConversationView } from './conversation-view.ts';
import { Drawers } from './drawers.ts';
import { createEndpointAssistant, type EndpointSettings } from './endpoint.ts';
import { isCancellation } from './error-words.ts';
import { findFailedReferences } from './failed-references.ts';
import { runImport } from './import-run.ts';
import { Inspector, type InspectorSubject } from './inspector.ts';
import { LOCAL_ECHO } from './local-echo.ts';
import type { Draft } from './mention-picker/index.ts';
import { askForModel } from './model-dialog.ts';
import type { Notices } from './notices.ts';
import { OpenChats } from './open-chats.ts';
import type { OpenConversation } from './open-conversation.ts';
import { Sessions } from './sessions.ts';
import { SourceStates } from './source-states.ts';
import { TitleBar } from './title-bar.ts';
import { Welcome } from './welcome.ts';

/** A message that is being written anew. */
interface Edit {
  readonly entry: ConversationEntry;
  /** What stood in the composer; it comes back afterwards. */
  readonly draftBefore: Draft;
}

/** What was being written in a conversation when it was left. */
interface UnsentDraft {
  readonly draft: Draft;
  readonly edit: Edit | undefined;
}

/** The page: what its parts do with the open conversation and with each other. */
export class ChatPage {
  readonly #client: SessionReferencesClient;
  readonly #notices: Notices;
  readonly #drawers = new Drawers();
  readonly #sessions: Sessions;
  readonly #actions: ConversationActions;
  readonly #chats: OpenChats;
  readonly #states: SourceStates;
  readonly #list: ConversationList;
  readonly #view: ConversationView;
  readonly #composer: ComposerForm;
  readonly #inspector: Inspector;
  readonly #titleBar: TitleBar;
  readonly #welcome: Welcome;
  readonly #drafts = new Map<string, UnsentDraft>();
  #assistant: Assistant = LOCAL_ECHO;
  #endpoint: EndpointSettings | undefined;
  #edit: Edit | undefined;
  #loading: AbortController | undefined;
  #wasAnswering = false;

  constructor(client: SessionReferencesClient, notices: Notices) {
    this.#client = client;
    this.#notices = notices;
    this.#sessions = new Sessions(client, {
      onChange: (records, changedIds) => this.#followSessions(records, changedIds),
      onError: (error) => notices.error(error),
    });
    this.#actions = new ConversationActions(client, this.#sessions, notices);
    this.#chats = new OpenChats(client, {
      service: client,
      assistant: () => this.#assistant,
      onChange: (chat) => this.#followChat(chat),
    });
    this.#states = new SourceStates(client, () => {
      this.#view.refresh();
      this.#inspector.refresh();
    });
    this.#list = this.#createList();
    this.#view = this.#createView();
    this.#composer = this.#createComposer();
    this.#inspector = this.#createInspector();
    this.#titleBar = new TitleBar({
      onRename: () => void this.#actions.rename(this.#conversation.agent.id, this.#conversation.title ?? ''),
      onModel: () => void this.#chooseModel(),
    });
    this.#welcome = new Welcome({
      onStart: (record) => this.#reference(record),
      onFolder: (cwd) => this.#changeFolder(cwd),
    });
    this.#titleBar.showModel(this.#assistant.name);
    this.#show();
  }

  /** Read what is in the store. */
  async load(): Promise<void> {
    await this.#sessions.refresh();
    if (!this.#conversation.isStored) this.#changeFolder(this.#findUsualFolder());
  }

  /** Go to a conversation without messages, in the folder of the newest one. */
  startNew(): void {
    this.#leave();
    this.#arrive(this.#chats.startNew(this.#findUsualFolder()));
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

  get #conversation(): OpenConversation {
    return this.#chats.current.conversation;
  }

  #createList(): ConversationList {
    return new ConversationList({
      onOpen: (record) => void this.#open(record),
      onReference: (record) => this.#reference(record),
      onRename: (record) => void this.#actions.rename(record.header.id, nameSession(record)),
      onExport: (record) => void this.#actions.save(record),
      onDelete: (record) => void this.#delete(record),
    });
  }

  #createView(): ConversationView {
    return new ConversationView({
      states: this.#states,
      onInspect: (entry) => this.#inspect({ kind: 'message', entry }),
      onOpenSnapshot: (context, sessionId) => this.#inspect({ kind: 'snapshot', context, sessionId }),
      onEdit: (entry) => this.#startEditing(entry),
      onRetry: () => void this.#notices.guard(this.#chats.current.retry()),
      onShowEarlier: () => void this.#notices.guard(this.#conversation.loadEarlier().then(() => this.#show())),
    });
  }

  #createComposer(): ComposerForm {
    return new ComposerForm({
      service: this.#client,
      agent: () => this.#conversation.agent,
      findCandidates: (query, limit, signal) =>
        this.#sessions.findCandidates(this.#conversation.agent, query, limit, signal),
      onSend: (draft) => void this.#send(draft),
      onStop: () => this.#chats.current.stop(),
      onOpen: (preview) => this.#inspect({ kind: 'preview', preview }),
      onPreview: (preview) => this.#followPreview({ kind: 'preview', preview }),
      onCancelEdit: () => this.#cancelEditing(),
    });
  }

  #createInspector(): Inspector {
    const { previews } = this.#composer;
    const handlers = {
      states: this.#states,
      onCancel: (sessionId: string) => previews.cancel(sessionId),
      onRestart: (sessionId: string) => previews.restart(sessionId),
    };
    return new Inspector(handlers, () => this.#drawers.setInspector(false));
  }

  #findUsualFolder(): string | undefined {
    return this.#sessions.records.find(({ header }) => typeof header.cwd === 'string')?.header.cwd ?? undefined;
  }

  /** The folder of a conversation without messages can still be chosen; what is being written stays as it is. */
  #changeFolder(cwd: string | undefined): void {
    this.#chats.startIn(cwd);
    this.#welcome.offer(this.#sessions.records, cwd);
    this.#composer.refreshCandidates();
    this.#show();
  }

  #leave(): void {
    this.#loading?.abort();
    this.#drafts.set(this.#conversation.agent.id, { draft: this.#composer.draft, edit: this.#edit });
  }

  #arrive({ conversation }: Chat): void {
    const { draft = [], edit } = this.#drafts.get(conversation.agent.id) ?? {};
    this.#edit = edit;
    this.#composer.setEditing(edit !== undefined);
    this.#composer.reset(draft);
    this.#inspector.show({ kind: 'nothing' });
    this.#welcome.offer(this.#sessions.records, conversation.agent.cwd);
    this.#show();
  }

  async #open(record: SessionRecord): Promise<void> {
    this.#leave();
    const chat = this.#chats.open(record);
    this.#arrive(chat);
    this.#drawers.setSidebar(false);
    if (!chat.isBusy) {
      this.#loading = new AbortController();
      await this.#notices.guard(chat.conversation.load(this.#loading.signal), nameSession(record));
    }
    if (this.#chats.current !== chat) return;
    this.#show();
    this.#view.scrollToEnd();
    this.#showNewest();
    await this.#notices.guard(this.#restoreSent(chat));
    await this.#states.refresh(chat.conversation.entries);
  }

  async #restoreSent(chat: Chat): Promise<void> {
    if (!(await chat.conversation.restoreSent(this.#loading?.signal)) || this.#chats.current !== chat) return;
    this.#show();
    this.#showNewest();
  }

  #reference({ header, title }: SessionRecord): void {
    this.#drawers.setSidebar(false);
    this.#composer.reference({ sessionId: header.id, label: title?.trim() ? title : header.id });
  }

  async #send(draft: Draft): Promise<void> {
    const chat = this.#chats.current;
    let isSent = false;
    try {
      await chat.send(draft, this.#edit?.entry, () => {
        isSent = true;
        this.#noteSent(chat, draft);
      });
      await this.#states.refresh(chat.conversation.entries);
    } catch (error) {
      if (isCancellation(error)) return;
      if (isSent) this.#notices.error(error, 'The answer could not be kept');
      else await this.#explain(error, chat, draft);
    }
  }

  #noteSent(chat: Chat, draft: Draft): void {
    this.#drafts.delete(chat.conversation.agent.id);
    if (chat !== this.#chats.current) return;
    const before = this.#edit?.draftBefore ?? [];
    const isUnchanged = this.#composer.draft === draft;
    this.#edit = undefined;
    this.#composer.setEditing(false);
    if (isUnchanged) this.#composer.reset(before);
    this.#show();
    this.#view.scrollToEnd();
    this.#showNewest();
  }

  /** Say which reference kept a message from being sent. The draft is still there. */
  async #explain(error: unknown, chat: Chat, draft: Draft): Promise<void> {
    const failures = await findFailedReferences(error, this.#client, chat.conversation.agent, draft);
    for (const { reference, error: reason } of failures) {
      if (chat === this.#chats.current) this.#composer.markFailed(reference.sessionId, reason);
      this.#notices.error(reason, `Not sent, because of “${displayLabel(reference.label)}”`);
    }
    if (failures.length === 0) this.#notices.error(error, 'Not sent');
  }

  #startEditing(entry: ConversationEntry): void {
    this.#edit = { entry, draftBefore: this.#edit?.draftBefore ?? this.#composer.draft };
    this.#composer.setEditing(true);
    this.#composer.reset(entry.draft ?? [{ kind: 'text', text: entry.text }]);
    this.#composer.focus();
  }

  #cancelEditing(): void {
    if (this.#edit === undefined) return;
    this.#composer.reset(this.#edit.draftBefore);
    this.#edit = undefined;
    this.#composer.setEditing(false);
    this.#composer.focus();
  }

  async #delete(record: SessionRecord): Promise<void> {
    await this.#actions.delete(record, () => {
      // Must leave it first: otherwise it looks as if somebody else had deleted it.
      if (record.header.id === this.#conversation.agent.id) this.startNew();
    });
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
    const entry = this.#conversation.entries.findLast(({ role, checkpoint }) => role === 'user' && !checkpoint);
    if (entry !== undefined) this.#inspector.show({ kind: 'message', entry });
  }

  #followPreview(subject: Extract<InspectorSubject, { kind: 'preview' }>): void {
    const shown = this.#inspector.subject;
    if (shown.kind !== 'preview' || shown.preview === subject.preview) return;
    if (shown.preview.reference.sessionId === subject.preview.reference.sessionId) this.#inspector.show(subject);
  }

  #followChat(chat: Chat): void {
    const { state } = chat;
    if (chat !== this.#chats.current) return;
    if (state.kind === 'answering' && this.#view.showAnswer(state.text)) return;
    if (this.#wasAnswering && state.kind === 'idle') this.#composer.say('The answer is complete.');
    this.#wasAnswering = state.kind === 'answering';
    this.#show();
  }

  #followSessions(records: readonly SessionRecord[], changedIds: ReadonlySet<string>): void {
    const conversation = this.#conversation;
    const { id, cwd } = conversation.agent;
    const record = this.#sessions.get(id);
    this.#list.show(records);
    this.#composer.refreshCandidates();
    this.#welcome.offer(records, cwd);
    for (const { reference } of this.#composer.previews.list) {
      if (changedIds.has(reference.sessionId)) this.#composer.previews.restart(reference.sessionId);
    }
    if (record !== undefined) conversation.noteTitle(record.title ?? undefined);
    this.#titleBar.show(conversation);
    if (changedIds.has(id)) void this.#followOtherTab(conversation, record);
    void this.#states.refresh(conversation.entries);
  }

  /** Read the open conversation again when somebody else wrote to it, or leave it when it is gone. */
  async #followOtherTab(conversation: OpenConversation, record: SessionRecord | undefined): Promise<void> {
    if (this.#chats.current.isBusy || !conversation.isStored) return;
    if (record === undefined) {
      this.#notices.problem('The open conversation was deleted.');
      this.startNew();
      return;
    }
    await this.#notices.guard(conversation.catchUp());
    if (this.#conversation === conversation) this.#show();
  }

  #show(): void {
    const { conversation, state, isBusy } = this.#chats.current;
    this.#titleBar.show(conversation);
    this.#list.mark(conversation.agent.id);
    this.#composer.setBusy(isBusy);
    this.#view.show({
      id: conversation.agent.id,
      entries: conversation.entries,
      omittedMessages: conversation.omittedMessages,
      isLoaded: conversation.isLoaded,
      chat: state,
      welcome: conversation.isStored ? undefined : this.#welcome.element,
    });
  }
}
