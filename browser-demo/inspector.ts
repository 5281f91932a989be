import { type InspectorHandlers, type InspectorSubject, renderSubject } from './inspector-content.ts';
import { requireElement } from './page-element.ts';

export type { InspectorSubject } from './inspector-content.ts';

/** The panel that shows what a model sees. */
export class Inspector {
  readonly #heading = requireElement('inspector-heading', HTMLElement);
  readonly #body = requireElement('inspector-body', HTMLElement);
  readonly #handlers: InspectorHandlers;
  /** What the page comes with, for when there is nothing to show. */
  readonly #outline: readonly Node[];
  #subject: InspectorSubject = { kind: 'nothing' };

  /**
   * @param onClose - called when it is to be closed.
   */
  constructor(handlers: InspectorHandlers, onClose: () => void) {
    this.#handlers = handlers;
    this.#outline = [...this.#body.childNodes];
    // It scrolls, so the keyboard must reach it.
    this.#body.tabIndex = 0;
    requireElement('close-inspector', HTMLButtonElement).addEventListener('click', onClose);
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
    const content = subject.kind === 'nothing' ? this.#outline : renderSubject(subject, this.#handlers);
    this.#body.replaceChildren(...content);
    this.#body.scrollTop = stays ? scrollTop : 0;
  }

  /** Show the same again: what became of its sources is known now. */
  refresh(): void {
    this.show(this.#subject);
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
