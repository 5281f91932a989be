import { requireElement } from './page-element.ts';

/** Also read by `theme-early.js`. */
const STORAGE_KEY = 'session-reference-demo-theme';

/** The button that goes from light to dark and back. Until it is used, the system decides. */
export function setUpTheme(): void {
  const button = requireElement('theme', HTMLButtonElement);
  const system = matchMedia('(prefers-color-scheme: dark)');
  const root = document.documentElement;
  const isDark = (): boolean => (root.dataset.theme === undefined ? system.matches : root.dataset.theme === 'dark');
  const show = (): void => button.setAttribute('aria-pressed', String(isDark()));
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    remember(root.dataset.theme);
    show();
  });
  system.addEventListener('change', show);
  show();
}

function remember(theme: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Storage can be forbidden; the theme holds until the page is left.
  }
}
