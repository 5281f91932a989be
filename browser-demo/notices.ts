import { isCancellation, toErrorWords } from './error-words.ts';
import { createIcon, type IconName } from './icon.ts';
import { createElement } from './mention-picker/element.ts';
import { requireElement } from './page-element.ts';

/** Time in ms that good news stay. Errors stay until they are closed. */
const NEWS_DURATION = 12_000;

/** Errors kept on the page; older ones make room. */
const MAX_ERRORS = 4;

/** A notice that is on the page. */
export interface Notice {
  readonly body: HTMLElement;
  close(): void;
}

/** Tells what happened, in a corner of the page and in live regions. */
export class Notices {
  readonly #errors = requireElement('errors', HTMLElement);
  readonly #news = requireElement('news', HTMLElement);

  /** An error in words. `subject` says what it is about: a file, a conversation; an empty one says nothing. */
  error(error: unknown, subject?: string): Notice {
    const { summary, detail, code } = toErrorWords(error);
    const notice = this.problem(subject ? `${subject}: ${lowerFirst(summary)}` : summary, detail);
    if (code !== undefined) notice.body.dataset.code = code;
    return notice;
  }

  /** Wait for something, and tell when it fails; a cancellation is no failure. */
  async guard(work: Promise<unknown>, subject?: string): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isCancellation(error)) this.error(error, subject);
    }
  }

  /** Something that did not work, in words of the page. */
  problem(summary: string, detail?: string): Notice {
    while (this.#errors.childElementCount >= MAX_ERRORS) this.#errors.firstElementChild?.remove();
    const body = createBody(summary, detail === undefined ? [] : [createElement('p', {}, detail)]);
    return this.#add(this.#errors, 'is-error', 'warning', body);
  }

  /** Something that worked. */
  news(text: string, ...details: readonly HTMLElement[]): Notice {
    const notice = this.#add(this.#news, 'is-good', 'check', createBody(text, details));
    if (details.length === 0) setTimeout(() => notice.close(), NEWS_DURATION);
    return notice;
  }

  /** Something that is under way; it stays until it is closed. */
  work(text: string, ...details: readonly HTMLElement[]): Notice {
    return this.#add(this.#news, 'is-working', 'import', createBody(text, details));
  }

  #add(region: HTMLElement, className: string, icon: IconName, body: HTMLElement): Notice {
    const close = createElement(
      'button',
      { class: 'icon-button small', attributes: { type: 'button', 'aria-label': 'Close this notice' } },
      createIcon('close'),
    );
    const element = createElement('div', { class: `notice ${className}` }, createIcon(icon), body, close);
    close.onclick = ({ detail }) => {
      const next = element.nextElementSibling ?? element.previousElementSibling;
      element.remove();
      // Must go on somewhere when the keyboard closed it: the focus would be lost with the button.
      if (detail === 0) (next?.querySelector<HTMLElement>('button') ?? requireElement('message', HTMLElement)).focus();
    };
    region.append(element);
    return { body, close: () => element.remove() };
  }
}

function createBody(summary: string, details: readonly HTMLElement[]): HTMLElement {
  return createElement('div', { class: 'notice-body' }, createElement('b', {}, summary), ...details);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
