import { displayLabel } from '../src/index.ts';
import { formatFolder } from './mention-picker/session-facts.ts';
import type { OpenConversation } from './open-conversation.ts';
import { requireElement } from './page-element.ts';

/** The head of the chat: which conversation is open, and who answers in it. */
export class TitleBar {
  readonly #title = requireElement('conversation-title', HTMLElement);
  readonly #detail = requireElement('conversation-detail', HTMLElement);
  readonly #rename = requireElement('rename', HTMLButtonElement);
  readonly #modelName = requireElement('model-name', HTMLElement);
  readonly #model = requireElement('model', HTMLButtonElement);

  constructor(handlers: { readonly onRename: () => void; readonly onModel: () => void }) {
    this.#rename.addEventListener('click', handlers.onRename);
    this.#model.addEventListener('click', handlers.onModel);
  }

  show({ title, agent, isStored }: OpenConversation): void {
    const name = title === undefined && !isStored ? 'New conversation' : displayLabel(title ?? agent.id);
    this.#title.textContent = name;
    this.#title.title = name;
    this.#detail.textContent = agent.cwd === undefined ? 'No folder' : formatFolder(agent.cwd);
    this.#rename.hidden = !isStored;
    document.title = `${name} – Session reference demo`;
  }

  showModel(name: string): void {
    const words = displayLabel(name);
    this.#modelName.textContent = words;
    this.#model.setAttribute('aria-label', `Who answers: ${words}`);
  }
}
