import { displayLabel, type SessionRecord } from '../src/index.ts';
import { nameSession } from './conversation-list.ts';
import { createIcon } from './icon.ts';
import { createElement } from './mention-picker/element.ts';
import { formatFolder } from './mention-picker/session-facts.ts';

/** Conversations that the start page suggests to ask about. */
const SUGGESTIONS = 3;

/** What can be done on the start page. */
export interface WelcomeHandlers {
  readonly onStart: (record: SessionRecord) => void;
  readonly onFolder: (cwd: string | undefined) => void;
}

/** What a new conversation shows before its first message. */
export class Welcome {
  readonly element: HTMLElement;
  readonly #starters = createElement('div', {
    class: 'starters',
    attributes: { 'aria-label': 'Suggestions', role: 'group' },
  });
  readonly #folder = createElement('select', { id: 'folder-choice' });
  readonly #handlers: WelcomeHandlers;

  constructor(handlers: WelcomeHandlers) {
    this.#handlers = handlers;
    this.#folder.addEventListener('change', () => handlers.onFolder(this.#folder.value || undefined));
    this.element = createElement(
      'div',
      { class: 'welcome' },
      createElement('h2', {}, 'Ask about what you discussed somewhere else'),
      createElement(
        'p',
        {},
        'Type @ and pick another conversation. The model gets a bounded, read-only snapshot of it in front of your message, and is told that it is background, not orders.',
      ),
      this.#starters,
      createSteps([
        ['1. Mention', 'Type @ and a few letters of a title, or drag a conversation into the message.'],
        ['2. Check', 'See how much of it is sent before you send it: messages, bytes, tokens, cuts.'],
        ['3. Inspect', 'After sending, read the two messages exactly as the model got them.'],
      ]),
      createElement(
        'label',
        { class: 'folder-field' },
        createElement('span', {}, 'Folder of this conversation'),
        this.#folder,
      ),
    );
  }

  /** Offer these conversations and their folders. */
  offer(records: readonly SessionRecord[], cwd: string | undefined): void {
    const readable = records.filter(({ problem }) => problem === undefined);
    const byName = new Map<string, SessionRecord>();
    for (const record of readable.slice(0, 10 * SUGGESTIONS)) {
      const name = nameSession(record);
      if (!byName.has(name)) byName.set(name, record);
    }
    this.#starters.replaceChildren(
      ...[...byName.values()].slice(0, SUGGESTIONS).map((record) => this.#createStarter(record)),
    );
    const folders = new Set(
      records.slice(0, 1_000).flatMap(({ header }) => (typeof header.cwd === 'string' ? [header.cwd] : [])),
    );
    if (cwd !== undefined) folders.add(cwd);
    const options = [...folders].slice(0, 50).map((folder) => createOption(folder, formatFolder(folder)));
    this.#folder.replaceChildren(createOption('', 'None'), ...options);
    this.#folder.value = cwd ?? '';
  }

  #createStarter(record: SessionRecord): HTMLElement {
    const details = {
      class: 'button small',
      attributes: { type: 'button' },
      onClick: () => this.#handlers.onStart(record),
    };
    return createElement(
      'button',
      details,
      createIcon('mention'),
      createElement('span', { attributes: { dir: 'auto' } }, nameSession(record)),
    );
  }
}

function createSteps(steps: readonly (readonly [title: string, text: string])[]): HTMLElement {
  const items = steps.map(([title, text]) =>
    createElement('li', {}, createElement('b', {}, title), createElement('span', {}, text)),
  );
  return createElement('ol', {}, ...items);
}

function createOption(value: string, text: string): HTMLOptionElement {
  const option = createElement('option', {}, displayLabel(text));
  option.value = value;
  return option;
}
