import { displayLabel, type SessionReferenceContext } from '../src/index.ts';
import type { ConversationEntry } from './conversation-log.ts';
import { toErrorWords } from './error-words.ts';
import { createIcon } from './icon.ts';
import { createWorkingBar } from './keep-bar.ts';
import { createElement } from './mention-picker/element.ts';
import { requireElement } from './page-element.ts';
import type { ReferencePreview } from './reference-previews.ts';
import { readSnapshots, textBytes } from './snapshot-content.ts';
import { createQuotedMessages, createSnapshotCard } from './snapshot-view.ts';
import type { SourceStates } from './source-states.ts';

/** What the inspector shows. */
export type InspectorSubject =
  | { readonly kind: 'nothing' }
  /** The two messages exactly as they were sent. */
  | { readonly kind: 'message'; readonly entry: ConversationEntry }
  /** One frozen snapshot of a sent message. */
  | { readonly kind: 'snapshot'; readonly context: SessionReferenceContext; readonly sessionId: string }
  /** What a reference in the draft would send. */
  | { readonly kind: 'preview'; readonly preview: ReferencePreview };

/** What can be done in the inspector. */
export interface InspectorHandlers {
  readonly states: SourceStates;
  readonly onCancel: (sessionId: string) => void;
  readonly onRestart: (sessionId: string) => void;
  readonly onClose: () => void;
}

/** The panel that shows what a model sees. */
export class Inspector {
  readonly #heading = requireElement('inspector-heading', HTMLElement);
  readonly #body = requireElement('inspector-body', HTMLElement);
  readonly #handlers: InspectorHandlers;
  #subject: InspectorSubject = { kind: 'nothing' };

  constructor(handlers: InspectorHandlers) {
    this.#handlers = handlers;
    // It scrolls, so the keyboard must reach it.
    this.#body.tabIndex = 0;
    requireElement('close-inspector', HTMLButtonElement).addEventListener('click', handlers.onClose);
  }

  get subject(): InspectorSubject {
    return this.#subject;
  }

  /** Show something. The same subject again keeps its place. */
  show(subject: InspectorSubject): void {
    const { scrollTop } = this.#body;
    const stays = describeSubject(subject) === describeSubject(this.#subject);
    this.#subject = subject;
    this.#heading.textContent = HEADINGS[subject.kind];
    this.#body.replaceChildren(...this.#render(subject));
    this.#body.scrollTop = stays ? scrollTop : 0;
  }

  /** Show the same again: what became of its sources is known now. */
  refresh(): void {
    this.show(this.#subject);
  }

  #render(subject: InspectorSubject): readonly HTMLElement[] {
    switch (subject.kind) {
      case 'nothing':
        return [createLead('Send a message with a reference, or click a chip, to see exactly what a model gets.')];
      case 'message':
        return this.#renderMessage(subject.entry);
      case 'snapshot':
        return this.#renderSnapshot(subject.context, subject.sessionId);
      case 'preview':
        return this.#renderPreview(subject.preview);
    }
  }

  #renderMessage({ context, text }: ConversationEntry): readonly HTMLElement[] {
    if (context === undefined) {
      return [
        createLead('This message references nothing, so it is sent as it is.'),
        createRaw('Message', 'user', text),
      ];
    }
    const cards = readSnapshots(context).map((content) =>
      createSnapshotCard(content, this.#handlers.states.stateOf(content.record)),
    );
    return [
      createLead(
        'Two user messages in a row: the context first, the message second. This is all the model gets of the other conversations.',
      ),
      ...cards,
      createRaw('1. Context', 'user', context.content[0].text),
      createRaw('2. Message', 'user', text),
    ];
  }

  #renderSnapshot(context: SessionReferenceContext, sessionId: string): readonly HTMLElement[] {
    const content = readSnapshots(context).find(({ record }) => record.sessionId === sessionId);
    if (content === undefined) return [createLead('This message has no snapshot of that conversation.')];
    const state = this.#handlers.states.stateOf(content.record);
    const lead =
      state === 'deleted'
        ? 'The conversation is gone. What was sent of it stays with the message.'
        : state === 'changed'
          ? 'The conversation went on since. This is what was sent of it then.'
          : 'This is what was sent of the conversation. It does not change any more.';
    return [createLead(lead), createSnapshotCard(content, state), createQuotedMessages(content)];
  }

  #renderPreview({ reference, state }: ReferencePreview): readonly HTMLElement[] {
    const { sessionId } = reference;
    const title = displayLabel(reference.label);
    switch (state.kind) {
      case 'working':
        return [
          createElement(
            'div',
            { class: 'working' },
            createElement('p', { attributes: { role: 'status' } }, `Taking a snapshot of ${title}…`),
            createWorkingBar(),
            createButton('Cancel', () => this.#handlers.onCancel(sessionId)),
          ),
        ];
      case 'ready':
        return [
          createLead('This is what will be sent of the conversation, as it is now.'),
          createSnapshotCard(state.content, 'same'),
          createQuotedMessages(state.content),
        ];
      case 'failed': {
        const { summary, detail } = toErrorWords(state.error);
        const again = createButton('Try again', () => this.#handlers.onRestart(sessionId));
        return [
          createElement('div', { class: 'inline-error' }, createIcon('warning'), `${title}: ${summary}`, again),
          createLead(detail ?? ''),
        ];
      }
      case 'cancelled':
        return [
          createLead(`There is no preview of ${title}. The snapshot is taken when you send.`),
          createButton('Take it now', () => this.#handlers.onRestart(sessionId)),
        ];
    }
  }
}

const HEADINGS: Readonly<Record<InspectorSubject['kind'], string>> = {
  nothing: 'What the model sees',
  message: 'What the model sees',
  snapshot: 'Snapshot as sent',
  preview: 'What will be sent',
};

function describeSubject(subject: InspectorSubject): string {
  switch (subject.kind) {
    case 'nothing':
      return '';
    case 'message':
      return `message ${subject.entry.seq ?? ''}`;
    case 'snapshot':
      return `snapshot ${subject.context.id} ${subject.sessionId}`;
    case 'preview':
      return `preview ${subject.preview.reference.sessionId}`;
  }
}

function createLead(text: string): HTMLElement {
  return createElement('p', { class: 'inspector-lead' }, text);
}

function createButton(text: string, onClick: () => void): HTMLElement {
  return createElement('button', { class: 'button small', attributes: { type: 'button' }, onClick }, text);
}

function createRaw(title: string, role: string, text: string): HTMLElement {
  return createElement(
    'section',
    { class: 'panel' },
    createElement(
      'div',
      { class: 'panel-head' },
      createElement('h3', {}, title),
      createElement('span', { class: 'tag' }, `role: ${role}`),
      createElement('span', { class: 'tag' }, `${textBytes(text).toLocaleString('en')} bytes`),
    ),
    createElement('pre', { attributes: { tabindex: '0', 'aria-label': title, role: 'region' } }, text),
  );
}
