import { displayLabel, type SessionReferenceContext } from '../src/index.ts';
import type { ConversationEntry } from './conversation-log.ts';
import { toErrorWords } from './error-words.ts';
import { createIcon } from './icon.ts';
import { createWorkingBar } from './keep-bar.ts';
import { createElement } from './mention-picker/element.ts';
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
}

/** What the inspector shows for a subject. */
export function renderSubject(
  subject: Exclude<InspectorSubject, { kind: 'nothing' }>,
  handlers: InspectorHandlers,
): readonly HTMLElement[] {
  switch (subject.kind) {
    case 'message':
      return renderMessage(subject.entry, handlers);
    case 'snapshot':
      return renderSnapshot(subject.context, subject.sessionId, handlers);
    case 'preview':
      return renderPreview(subject.preview, handlers);
  }
}

function renderMessage({ context, text }: ConversationEntry, { states }: InspectorHandlers): readonly HTMLElement[] {
  if (context === undefined) {
    return [createLead('This message references nothing, so it is sent as it is.'), createRaw('Message', 'user', text)];
  }
  const cards = readSnapshots(context).map((content) => createSnapshotCard(content, states.stateOf(content.record)));
  return [
    createLead(
      'Two user messages in a row: the context first, the message second. This is all the model gets of the other conversations.',
    ),
    ...cards,
    createRaw('1. Context', 'user', context.content[0].text),
    createRaw('2. Message', 'user', text),
  ];
}

function renderSnapshot(
  context: SessionReferenceContext,
  sessionId: string,
  { states }: InspectorHandlers,
): readonly HTMLElement[] {
  const content = readSnapshots(context).find(({ record }) => record.sessionId === sessionId);
  if (content === undefined) return [createLead('This message has no snapshot of that conversation.')];
  const state = states.stateOf(content.record);
  const lead =
    state === 'deleted'
      ? 'The conversation is gone. What was sent of it stays with the message.'
      : state === 'changed'
        ? 'The conversation went on since. This is what was sent of it then.'
        : 'This is what was sent of the conversation. It does not change any more.';
  return [createLead(lead), createSnapshotCard(content, state), createQuotedMessages(content)];
}

function renderPreview({ reference, state }: ReferencePreview, handlers: InspectorHandlers): readonly HTMLElement[] {
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
          createButton('Cancel', () => handlers.onCancel(sessionId)),
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
      const again = createButton('Try again', () => handlers.onRestart(sessionId));
      return [
        createElement('div', { class: 'inline-error' }, createIcon('warning'), `${title}: ${summary}`, again),
        createLead(detail ?? ''),
      ];
    }
    case 'cancelled':
      return [
        createLead(`There is no preview of ${title}. The snapshot is taken when you send.`),
        createButton('Take it now', () => handlers.onRestart(sessionId)),
      ];
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
