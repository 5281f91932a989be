import { openDialog } from './dialogs.ts';
import { type EndpointSettings, toEndpointUrl } from './endpoint.ts';
import { createElement } from './mention-picker/element.ts';

/** What was chosen: an endpoint, or `undefined` for the local echo. */
export interface ModelChoice {
  readonly endpoint: EndpointSettings | undefined;
}

/** Ask who shall answer. Resolves to `undefined` when the dialog is cancelled. */
export async function askForModel(current: EndpointSettings | undefined): Promise<ModelChoice | undefined> {
  const echo = createRadio('echo', current === undefined);
  const endpoint = createRadio('endpoint', current !== undefined);
  const address = createInput('url', current?.address ?? 'http://localhost:11434/v1');
  const model = createInput('text', current?.model ?? '');
  const key = createInput('password', current?.key ?? '');
  const fields = createElement(
    'div',
    {},
    createField('Address', address, 'Any OpenAI-compatible API. It must allow requests from this page.'),
    createField('Model', model),
    createField('Key', key, 'Optional. Kept in memory until you leave the page, and sent nowhere else.'),
  );
  const update = (): void => {
    fields.hidden = echo.checked;
    address.required = model.required = endpoint.checked;
  };
  for (const radio of [echo, endpoint]) radio.addEventListener('change', update);
  address.addEventListener('input', () => {
    address.setCustomValidity(toEndpointUrl(address.value) === undefined ? 'Enter an http or https address.' : '');
  });
  update();
  const result = await openDialog(
    { title: 'Who answers', action: 'Use' },
    createChoice(echo, 'Local echo', 'No model and no network. It says what a model would have got.'),
    createChoice(endpoint, 'OpenAI-compatible endpoint', 'A local server such as llama.cpp or Ollama, or any other.'),
    fields,
  );
  if (result === undefined) return undefined;
  if (echo.checked) return { endpoint: undefined };
  return { endpoint: { address: address.value, model: model.value.trim(), key: key.value || undefined } };
}

function createRadio(value: string, isChecked: boolean): HTMLInputElement {
  const radio = createElement('input', { attributes: { type: 'radio', name: 'assistant', value } });
  radio.checked = isChecked;
  return radio;
}

function createInput(type: string, value: string): HTMLInputElement {
  const input = createElement('input', { attributes: { type, autocomplete: 'off', spellcheck: 'false' } });
  input.value = value;
  return input;
}

function createField(label: string, input: HTMLInputElement, hint?: string): HTMLElement {
  const note = hint === undefined ? undefined : createElement('small', {}, hint);
  return createElement('label', { class: 'field' }, createElement('span', {}, label), input, note);
}

function createChoice(radio: HTMLInputElement, title: string, text: string): HTMLElement {
  const words = createElement('span', {}, createElement('b', {}, title), createElement('small', {}, text));
  return createElement('label', { class: 'choice' }, radio, words);
}
