import { displayLabel, type ReferencingAgent, type SessionReferenceService } from '../src/index.ts';
import { createIcon } from './icon.ts';
import { createElement } from './mention-picker/element.ts';
import {
  type Draft,
  type DraftReference,
  isBlankDraft,
  type MentionCandidate,
  MentionComposer,
  type RefusalReason,
} from './mention-picker/index.ts';
import { requireElement } from './page-element.ts';
import { showReferenceBar } from './reference-bar.ts';
import { type ReferencePreview, ReferencePreviews } from './reference-previews.ts';

/** Time in ms that a remark stays in place of the hint. */
const REMARK_DURATION = 7_000;

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  self: 'A conversation cannot reference itself.',
  'too-many': 'A message can reference up to three conversations. Remove one to add another.',
};

/** What the composer needs from the page. */
export interface ComposerFormOptions {
  readonly service: SessionReferenceService;
  readonly agent: () => ReferencingAgent;
  readonly findCandidates: (query: string, limit: number, signal: AbortSignal) => Promise<readonly MentionCandidate[]>;
  readonly onSend: (draft: Draft) => void;
  readonly onStop: () => void;
  /** A chip or its card was opened. */
  readonly onOpen: (preview: ReferencePreview) => void;
  /** The snapshot of a reference went on. */
  readonly onPreview: (preview: ReferencePreview) => void;
  readonly onCancelEdit: () => void;
}

/** The form at the foot of the chat: what is written, what it references, and the button that sends or stops. */
export class ComposerForm {
  readonly previews: ReferencePreviews;
  readonly #options: ComposerFormOptions;
  readonly #composer: MentionComposer;
  readonly #form = requireElement('composer', HTMLFormElement);
  readonly #bar = requireElement('references', HTMLElement);
  readonly #hint = requireElement('composer-hint', HTMLElement);
  readonly #status = requireElement('composer-status', HTMLElement);
  readonly #send = requireElement('send', HTMLButtonElement);
  readonly #usualHint: string;
  #editNote: HTMLElement | undefined;
  #isBusy = false;
  #hintTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ComposerFormOptions) {
    this.#options = options;
    this.#usualHint = this.#hint.textContent ?? '';
    this.previews = new ReferencePreviews(options.service, options.agent, () => this.#showPreviews());
    const host = requireElement('message', HTMLElement);
    this.#composer = new MentionComposer({
      host,
      popup: requireElement('candidates', HTMLElement),
      findCandidates: options.findCandidates,
      agent: options.agent,
      onChange: (draft) => this.#follow(draft),
      onSubmit: () => this.#submit(),
      onRefuse: (reason) => this.remark(REFUSALS[reason]),
      onOpen: (reference) => this.#open(reference),
      onStatus: (text) => this.say(text),
    });
    host.setAttribute('aria-label', 'Message');
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (this.#isBusy) this.#options.onStop();
      else this.#submit();
    });
    requireElement('insert-mention', HTMLButtonElement).addEventListener('click', () => this.#composer.startMention());
    this.#markDropTarget(host);
  }

  get draft(): Draft {
    return this.#composer.draft;
  }

  focus(): void {
    this.#composer.focus();
  }

  /** The sessions changed: an open list shows it. */
  refreshCandidates(): void {
    this.#composer.refreshCandidates();
  }

  /** Put another draft in. */
  reset(draft: Draft): void {
    this.#composer.reset(draft);
  }

  /** Put a chip in. */
  reference(reference: Omit<DraftReference, 'kind'>): void {
    this.#composer.insertReference(reference);
  }

  /** Say something to assistive technology only. */
  say(text: string): void {
    this.#status.textContent = text;
  }

  /** Say something about what is written, in place of the hint and to assistive technology. */
  remark(text: string): void {
    this.say(text);
    this.#hint.textContent = text;
    this.#hint.classList.add('is-remark');
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => {
      this.#hint.textContent = this.#usualHint;
      this.#hint.classList.remove('is-remark');
    }, REMARK_DURATION);
  }

  /** Mark the chips of a session that could not be read. */
  markFailed(sessionId: string, error: unknown): void {
    this.previews.fail(sessionId, error);
  }

  /** Whether an answer is awaited: the button stops it then. */
  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#send.replaceChildren(createIcon(isBusy ? 'stop' : 'send'));
    this.#send.setAttribute('aria-label', isBusy ? 'Stop' : 'Send');
    this.#updateSend();
  }

  /** Show that the draft replaces an older message. */
  setEditing(isEditing: boolean): void {
    this.#editNote?.remove();
    this.#editNote = undefined;
    if (!isEditing) return;
    const cancel = createElement(
      'button',
      { class: 'button quiet small', attributes: { type: 'button' }, onClick: () => this.#options.onCancelEdit() },
      'Cancel',
    );
    const words = 'Editing a message. What follows it leaves the conversation.';
    this.#editNote = createElement('div', { class: 'editing-note' }, createElement('span', {}, words), cancel);
    this.#form.querySelector('.composer-box')?.prepend(this.#editNote);
  }

  #submit(): void {
    if (this.#isBusy || this.#composer.isComposing || isBlankDraft(this.draft)) return;
    this.#options.onSend(this.draft);
  }

  #follow(draft: Draft): void {
    this.previews.follow(draft);
    this.#updateSend();
  }

  #updateSend(): void {
    this.#send.disabled = !this.#isBusy && isBlankDraft(this.draft);
  }

  #open({ sessionId }: DraftReference): void {
    const preview = this.previews.get(sessionId);
    if (preview !== undefined) this.#options.onOpen(preview);
  }

  #showPreviews(): void {
    showReferenceBar(this.#bar, this.previews.list, {
      onOpen: (reference) => this.#open(reference),
      onRemove: ({ sessionId, label }) => {
        this.#composer.removeReference(sessionId);
        this.#composer.focus();
        this.say(`${displayLabel(label)} is not referenced any more.`);
      },
    });
    for (const preview of this.previews.list) {
      this.#composer.markFailed(preview.reference.sessionId, preview.state.kind === 'failed');
      this.#options.onPreview(preview);
    }
  }

  #markDropTarget(host: HTMLElement): void {
    const box = this.#form.querySelector('.composer-box');
    const mark = (isTarget: boolean): void => void box?.classList.toggle('is-drop-target', isTarget);
    host.addEventListener('dragover', () => mark(true));
    host.addEventListener('dragleave', () => mark(false));
    host.addEventListener('drop', () => mark(false));
  }
}
