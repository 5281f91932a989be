import { createElement } from './mention-picker/element.ts';

/** What a dialog asks. */
export interface Question {
  readonly title: string;
  readonly text?: string;
  readonly action: string;
  readonly isDangerous?: boolean;
}

/** Ask before something that cannot be taken back. */
export async function askConfirmation(question: Question): Promise<boolean> {
  return (await openDialog(question)) !== undefined;
}

/** Ask for one line of text. `undefined` when it is cancelled or left blank. */
export async function askText(question: Question, label: string, value: string): Promise<string | undefined> {
  const input = createElement('input', { attributes: { type: 'text', maxlength: '300', autocomplete: 'off' } });
  input.value = value;
  const field = createElement('label', { class: 'field' }, createElement('span', {}, label), input);
  await openDialog(question, field).then((result) => {
    if (result === undefined) input.value = '';
  });
  return input.value.trim() || undefined;
}

/**
 * Show a modal dialog.
 *
 * @param question - its words.
 * @param content - what stands between text and buttons.
 * @returns `true` for the action, `undefined` for anything else.
 */
export function openDialog(question: Question, ...content: readonly HTMLElement[]): Promise<true | undefined> {
  const { title, text, action, isDangerous } = question;
  const cancel = createElement('button', { class: 'button', attributes: { type: 'button' } }, 'Cancel');
  const confirm = createElement(
    'button',
    { class: `button ${isDangerous ? 'danger' : 'primary'}`, attributes: { type: 'submit' } },
    action,
  );
  const form = createElement(
    'form',
    { attributes: { method: 'dialog' } },
    createElement('h2', { id: 'dialog-title' }, title),
    text === undefined ? undefined : createElement('p', {}, text),
    ...content,
    createElement('div', { class: 'dialog-actions' }, cancel, confirm),
  );
  const dialog = createElement('dialog', { attributes: { 'aria-labelledby': 'dialog-title' } }, form);
  document.body.append(dialog);
  cancel.onclick = () => dialog.close();
  // Must not submit: the page's policy lets no form be sent anywhere.
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close('done');
  });
  dialog.showModal();
  if (isDangerous) cancel.focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'done' ? true : undefined);
    });
  });
}
