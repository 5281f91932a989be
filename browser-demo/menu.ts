import { createIcon, type IconName } from './icon.ts';
import { createElement } from './mention-picker/element.ts';

/** One thing a menu offers. */
export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  readonly run: () => void;
}

/** Pixels between a menu and the edge of the page. */
const MARGIN = 8;

/**
 * Open a menu at a button (APG menu button). It closes on a choice, on Escape, and on anything outside.
 *
 * @param button - gets the focus back.
 * @param items - at least one.
 */
export function openMenu(button: HTMLElement, items: readonly MenuItem[]): void {
  const menu = createElement('div', {
    class: 'menu',
    attributes: { role: 'menu', 'aria-label': button.ariaLabel ?? 'Menu' },
  });
  const closing = new AbortController();
  const close = (focus: boolean): void => {
    if (closing.signal.aborted) return;
    closing.abort();
    menu.remove();
    button.setAttribute('aria-expanded', 'false');
    if (focus) button.focus();
  };
  const entries = items.map(({ label, icon, isDangerous, run }) =>
    createElement(
      'button',
      {
        class: isDangerous ? 'danger' : '',
        attributes: { type: 'button', role: 'menuitem', tabindex: '-1' },
        onClick: () => {
          close(true);
          run();
        },
      },
      createIcon(icon),
      label,
    ),
  );
  menu.append(...entries);
  menu.addEventListener('keydown', (event) => {
    const position = entries.indexOf(document.activeElement as HTMLButtonElement);
    const next = findNext(event.key, position, entries.length);
    if (next !== undefined) entries[next]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.body.append(menu);
  place(menu, button);
  button.setAttribute('aria-expanded', 'true');
  entries[0]?.focus();
  const options = { capture: true, signal: closing.signal };
  document.addEventListener('pointerdown', (event) => !menu.contains(event.target as Node) && close(false), options);
  window.addEventListener('resize', () => close(false), { signal: closing.signal });
  window.addEventListener('blur', () => close(false), { signal: closing.signal });
}

function findNext(key: string, position: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (position + 1) % count;
  if (key === 'ArrowUp') return (position - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function place(menu: HTMLElement, button: HTMLElement): void {
  const anchor = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const left = Math.min(anchor.left, innerWidth - width - MARGIN);
  const below = anchor.bottom + 4;
  const top = below + height + MARGIN > innerHeight ? anchor.top - height - 4 : below;
  menu.style.left = `${Math.max(MARGIN, left)}px`;
  menu.style.top = `${Math.max(MARGIN, top)}px`;
}
