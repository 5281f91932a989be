import { requireElement } from './page-element.ts';

/** Below these widths the sides of the page become drawers; the style sheet must agree. */
const SIDEBAR_QUERY = '(max-width: 800px)';
const INSPECTOR_QUERY = '(max-width: 1180px)';

/** The two sides of the page: beside the chat where there is room, drawers over it where there is none. */
export class Drawers {
  readonly #sidebar = requireElement('sidebar', HTMLElement);
  readonly #inspector = requireElement('inspector', HTMLElement);
  readonly #openSidebar = requireElement('open-sidebar', HTMLButtonElement);
  readonly #toggleInspector = requireElement('toggle-inspector', HTMLButtonElement);
  readonly #scrim = requireElement('scrim', HTMLElement);
  readonly #narrow = matchMedia(SIDEBAR_QUERY);
  readonly #medium = matchMedia(INSPECTOR_QUERY);
  #isSidebarOpen = false;
  #isInspectorOpen: boolean;

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
    this.#isSidebarOpen = isOpen;
    this.#show();
    if (isOpen) requireElement('close-sidebar', HTMLButtonElement).focus();
    else this.#openSidebar.focus();
  }

  /** Open or close the inspector. */
  setInspector(isOpen: boolean): void {
    const changes = isOpen !== this.#isInspectorOpen;
    this.#isInspectorOpen = isOpen;
    this.#show();
    if (!changes) return;
    if (isOpen && this.#medium.matches) requireElement('close-inspector', HTMLButtonElement).focus();
    if (!isOpen) this.#toggleInspector.focus();
  }

  /** The page became wider or narrower: what has room stands beside the chat again. */
  #fit(): void {
    this.#isSidebarOpen = false;
    this.#isInspectorOpen = !this.#medium.matches;
    this.#show();
  }

  #closeAll(): void {
    if (this.#isSidebarOpen) this.setSidebar(false);
    this.#isSidebarOpen = false;
    if (this.#medium.matches) this.setInspector(false);
    this.#show();
  }

  #show(): void {
    this.#sidebar.classList.toggle('is-open', this.#isSidebarOpen);
    this.#openSidebar.setAttribute('aria-expanded', String(this.#isSidebarOpen));
    this.#inspector.classList.toggle('is-open', this.#isInspectorOpen);
    this.#inspector.classList.toggle('is-closed', !this.#isInspectorOpen);
    this.#toggleInspector.setAttribute('aria-expanded', String(this.#isInspectorOpen));
    this.#scrim.hidden = !(this.#isSidebarOpen || (this.#isInspectorOpen && this.#medium.matches));
  }
}
