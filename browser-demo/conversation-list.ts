import { displayLabel, type SessionRecord } from '../src/index.ts';
import { createIcon } from './icon.ts';
import { createElement } from './mention-picker/element.ts';
import { writeSessionDrag } from './mention-picker/index.ts';
import { formatAge, formatFolder, formatMessageCount } from './mention-picker/session-facts.ts';
import { VirtualRows } from './mention-picker/virtual-rows.ts';
import { type MenuItem, openMenu } from './menu.ts';
import { requireElement } from './page-element.ts';

/** Pixels; the style sheet must agree. */
const ROW_HEIGHT = 60;

/** What can be done with a conversation. */
export interface ConversationListHandlers {
  readonly onOpen: (record: SessionRecord) => void;
  readonly onReference: (record: SessionRecord) => void;
  readonly onRename: (record: SessionRecord) => void;
  readonly onExport: (record: SessionRecord) => void;
  readonly onDelete: (record: SessionRecord) => void;
}

/** What a session is called: its title, or its id when it has none. Safe to show. */
export function nameSession({ header, title }: SessionRecord): string {
  return displayLabel(title?.trim() ? title : header.id);
}

/** The list of conversations at the side: searchable, of any length, with one stop for the Tab key. */
export class ConversationList {
  readonly #nav = requireElement('conversation-list', HTMLElement);
  readonly #search = requireElement('conversation-search', HTMLInputElement);
  readonly #handlers: ConversationListHandlers;
  readonly #space = createElement('div', { attributes: { role: 'list' } });
  readonly #empty = createElement('p', { class: 'list-empty' });
  readonly #rows: VirtualRows;
  #records: readonly SessionRecord[] = [];
  #shown: readonly SessionRecord[] = [];
  #currentId = '';
  #focused = 0;

  constructor(handlers: ConversationListHandlers) {
    this.#handlers = handlers;
    this.#rows = new VirtualRows({
      viewport: this.#nav,
      space: this.#space,
      heightOf: () => ROW_HEIGHT,
      render: (index) => this.#renderRow(index),
    });
    this.#search.addEventListener('input', () => this.#filter());
    this.#nav.addEventListener('keydown', (event) => this.#handleKey(event));
  }

  /** Show these conversations, newest first. */
  show(records: readonly SessionRecord[]): void {
    this.#records = records;
    this.#nav.setAttribute('aria-busy', 'false');
    if (!this.#nav.contains(this.#space)) this.#nav.replaceChildren(this.#space, this.#empty);
    this.#filter();
  }

  /** Mark the conversation that is open. */
  mark(id: string): void {
    if (id === this.#currentId) return;
    this.#currentId = id;
    this.#draw();
  }

  #filter(): void {
    const query = this.#search.value.trim().toLowerCase();
    this.#shown = query === '' ? this.#records : this.#records.filter((record) => matches(record, query));
    const position = this.#shown.findIndex(({ header }) => header.id === this.#currentId);
    this.#focused = Math.max(0, position);
    this.#empty.hidden = this.#shown.length > 0;
    this.#empty.textContent =
      query === '' ? 'No conversations yet. Write one, or drop session files here.' : 'Nothing matches.';
    this.#draw();
  }

  #draw(): void {
    const hadFocus = this.#space.contains(document.activeElement);
    this.#rows.show(this.#shown.length);
    if (hadFocus) this.#focusRow(Math.min(this.#focused, this.#shown.length - 1));
  }

  #renderRow(index: number): HTMLElement {
    const record = this.#shown[index];
    if (record === undefined) return createElement('div');
    const name = nameSession(record);
    const isCurrent = record.header.id === this.#currentId;
    const open = createElement(
      'button',
      {
        class: 'conversation-open',
        attributes: { type: 'button', tabindex: index === this.#focused ? '0' : '-1', title: name, draggable: 'true' },
        onClick: () => this.#handlers.onOpen(record),
      },
      createElement('span', { class: 'row-title', attributes: { dir: 'auto' } }, name),
      createElement(
        'span',
        { class: record.problem === undefined ? 'row-detail' : 'row-detail row-problem' },
        describeRecord(record),
      ),
    );
    if (isCurrent) open.setAttribute('aria-current', 'page');
    open.addEventListener('focus', () => this.#moveStop(index));
    open.addEventListener('dragstart', ({ dataTransfer }) => {
      if (dataTransfer !== null)
        writeSessionDrag(dataTransfer, {
          sessionId: record.header.id,
          label: record.title?.trim() ? record.title : record.header.id,
        });
    });
    const more = createElement(
      'button',
      {
        class: 'icon-button small',
        attributes: {
          type: 'button',
          'aria-label': `More for ${name}`,
          'aria-haspopup': 'menu',
          'aria-expanded': 'false',
          tabindex: index === this.#focused ? '0' : '-1',
        },
        onClick: () => openMenu(more, this.#menuOf(record)),
      },
      createIcon('more'),
    );
    const row = createElement('div', { class: `conversation-row${isCurrent ? ' is-current' : ''}` }, open, more);
    const size = String(this.#shown.length);
    const attributes = { role: 'listitem', 'aria-setsize': size, 'aria-posinset': String(index + 1) };
    return createElement('div', { attributes }, row);
  }

  #menuOf(record: SessionRecord): readonly MenuItem[] {
    const { onReference, onRename, onExport, onDelete } = this.#handlers;
    return [
      { label: 'Reference in the message', icon: 'mention', run: () => onReference(record) },
      { label: 'Rename', icon: 'edit', run: () => onRename(record) },
      { label: 'Save as JSONL', icon: 'export', run: () => onExport(record) },
      { label: 'Delete', icon: 'trash', isDangerous: true, run: () => onDelete(record) },
    ];
  }

  #handleKey(event: KeyboardEvent): void {
    if (!(event.target instanceof Element) || !event.target.matches('.conversation-open')) return;
    const last = this.#shown.length - 1;
    const targets = new Map([
      ['ArrowDown', Math.min(last, this.#focused + 1)],
      ['ArrowUp', Math.max(0, this.#focused - 1)],
      ['Home', 0],
      ['End', last],
    ]);
    const target = targets.get(event.key);
    if (target === undefined) return;
    event.preventDefault();
    this.#focusRow(target);
  }

  #focusRow(index: number): void {
    if (index < 0) return;
    this.#rows.reveal(index);
    this.#rows.get(index)?.querySelector<HTMLElement>('.conversation-open')?.focus();
  }

  #moveStop(index: number): void {
    for (const button of this.#rows.get(this.#focused)?.querySelectorAll('button') ?? []) button.tabIndex = -1;
    this.#focused = index;
    for (const button of this.#rows.get(index)?.querySelectorAll('button') ?? []) button.tabIndex = 0;
  }
}

function matches({ header, title }: SessionRecord, query: string): boolean {
  return [title, header.cwd, header.id].some((text) => text?.toLowerCase().includes(query));
}

function describeRecord({ header, changedAt, messages, problem }: SessionRecord): string {
  if (problem !== undefined) return displayLabel(problem);
  const parts = [
    typeof header.cwd === 'string' ? formatFolder(header.cwd).split('/').at(-1) : undefined,
    formatAge(changedAt ?? header.createdAt, Date.now()),
    messages === undefined ? undefined : formatMessageCount(messages),
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}
