import { requireElement } from './page-element.ts';

/** Below these widths the sides of the page become drawers; the style sheet must agree. */
const SIDEBAR_QUERY = '(max-width: 800px)';
const INSPECTOR_QUERY = '(max-width: 1180px)';

/** The two sides of the page: beside the chat where there is room, drawers over it where there is none. */
export class Drawers {
  readonly #sidebar = requireElement('sidebar', HTMLElement);
  readonly #inspector = requireElement('inspector', HTMLElement);
  readonly #chat = requireElement('chat', HTMLElement);
  readonly #openSidebar = requireElement('open-sidebar', HTMLButtonElement);
  readonly #toggleInspector = requireElement('toggle-inspector', HTMLButtonElement);
  readonly #scrim = requireElement('scrim', HTMLElement);
  readonly #narrow = matchMedia(SIDEBAR_QUERY);
  readonly #medium = matchMedia(INSPECTOR_QUERY);
  #isSidebarOpen = false;
  #isInspectorOpen: boolean;
  /** What had the focus before a drawer took it. */
  #opener: HTMLElement | undefined;

  constructor() {
    this.#isInspectorOpen = !this.#medium.matches;
    this.#openSidebar.addEventListener('click', () => this.setSidebar(true));
    requireElement('close-sidebar', HTMLButtonElement).addEventListener('click', () => this.setSidebar(false));
    this.#toggleInspector.addEventListener('click', () => this.setInspector(!this.#isInspectorOpen));
    this.#scrim.addEventListener('click', () => this.#closeAll());
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !this.#scrim.hidden) this.#closeAll();
    });
    for (const query of [this.#narrow, this.#medium]) query.addEventListener('change', () => this.#fit());
    this.#show();
  }

  /** Open or close the list of conversations; where it always stands beside the chat this changes nothing. */
  setSidebar(isOpen: boolean): void {
    if (!this.#narrow.matches) return;
    if (isOpen) this.#noteOpener();
    this.#isSidebarOpen = isOpen;
    this.#show();
    if (isOpen) requireElement('close-sidebar', HTMLButtonElement).focus();
    else this.#returnFocus(this.#openSidebar);
  }

  /** Open or close the inspector. */
  setInspector(isOpen: boolean): void {
    if (isOpen === this.#isInspectorOpen) return;
    if (isOpen) this.#noteOpener();
    this.#isInspectorOpen = isOpen;
    this.#show();
    if (!isOpen) this.#returnFocus(this.#toggleInspector);
    else if (this.#medium.matches) requireElement('close-inspector', HTMLButtonElement).focus();
  }

  #noteOpener(): void {
    this.#opener = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  }

  #returnFocus(usual: HTMLElement): void {
    // Must look whether it is still there: messages and cards are made anew.
    const target = this.#opener?.isConnected === true && this.#opener !== document.body ? this.#opener : usual;
    this.#opener = undefined;
    target.focus();
  }

  /** The page became wider or narrower: what has room stands beside the chat again. */
  #fit(): void {
    this.#isSidebarOpen = false;
    this.#isInspectorOpen = !this.#medium.matches;
    this.#show();
  }

  #closeAll(): void {
    if (this.#isSidebarOpen) this.setSidebar(false);
    if (this.#medium.matches) this.setInspector(false);
  }

  #show(): void {
    this.#sidebar.classList.toggle('is-open', this.#isSidebarOpen);
    this.#openSidebar.setAttribute('aria-expanded', String(this.#isSidebarOpen));
    this.#inspector.classList.toggle('is-open', this.#isInspectorOpen);
    this.#inspector.classList.toggle('is-closed', !this.#isInspectorOpen);
    this.#toggleInspector.setAttribute('aria-expanded', String(this.#isInspectorOpen));
    const isInspectorOver = this.#isInspectorOpen && this.#medium.matches;
    this.#scrim.hidden = !(this.#isSidebarOpen || isInspectorOver);
    // A drawer over the page keeps the keyboard to itself.
    this.#chat.inert = this.#isSidebarOpen || isInspectorOver;
    this.#sidebar.inert = isInspectorOver;
  }
}
