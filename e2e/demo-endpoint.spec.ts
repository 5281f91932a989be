import { expect, type Page } from '@playwright/test';
import type { DemoPage } from './demo/demo-page.ts';
import { test } from './demo/demo-test.ts';
import { EndpointServer, refuse, startStreaming, streamAnswer } from './demo/endpoint-server.ts';

let endpoint: EndpointServer;
let address: string;
let demo: DemoPage;

test.beforeEach(async ({ demo: opened }) => {
  endpoint = new EndpointServer();
  address = await endpoint.start();
  demo = opened;
  await demo.open();
});

test.afterEach(async () => {
  await endpoint.stop();
});

async function chooseEndpoint(page: Page, url: string, key = ''): Promise<void> {
  await page.getByRole('button', { name: /Who answers/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /OpenAI-compatible/ }).check();
  await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
  await dialog.getByRole('textbox', { name: 'Model' }).fill('test-model');
  await dialog.getByLabel('Key').fill(key);
  await dialog.getByRole('button', { name: 'Use' }).click();
}

async function ask(page: Page, words: string): Promise<void> {
  await demo.message.focus();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
}

const ANSWERS = '.message.from-assistant';

test('a model gets the context first and the message second, and its answer streams in', async ({ page }) => {
  await chooseEndpoint(page, address, 'secret-key');
  endpoint.answer = (response) => streamAnswer(response, ['Fail ', 'open, ', 'with a ', 'cap. ', '日本語 ', '🙂']);
  await demo.message.focus();
  await page.keyboard.type('What about ');
  await demo.mention('rate');
  await page.keyboard.type('and Redis?');
  await page.keyboard.press('Enter');
  await expect(page.locator(ANSWERS)).toContainText('Fail open, with a cap. 日本語 🙂');

  const [request] = endpoint.requests;
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.authorization).toBe('Bearer secret-key');
  expect(request?.body).toMatchObject({ model: 'test-model', stream: true });
  const messages = request?.body.messages ?? [];
  expect(messages.map(({ role }) => role)).toEqual(['user', 'user']);
  expect(messages[0]?.content).toMatch(/^## Referenced sessions\n[\s\S]*<referenced-sessions>[\s\S]*local cap/);
  expect(messages[1]?.content).toBe('What about @Rate limiter for the public API and Redis?');
  const shown = await demo.inspector.locator('pre').allTextContents();
  expect(shown).toEqual(messages.map(({ content }) => content));

  await ask(page, 'Go on');
  await expect.poll(() => endpoint.requests.length).toBe(2);
  const roles = endpoint.requests[1]?.body.messages.map(({ role }) => role);
  expect(roles).toEqual(['user', 'user', 'assistant', 'user']);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('secret-key');
});

test('an answer can be stopped and given again', async ({ page }) => {
  await chooseEndpoint(page, address);
  endpoint.answer = (response) => startStreaming(response, 'This is the start');
  await ask(page, 'Tell me');
  await expect(page.locator(ANSWERS)).toContainText('This is the start');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator(ANSWERS)).toContainText('Stopped before the end.');
  await expect.poll(() => endpoint.stopped).toBe(1);
  endpoint.answer = (response) => streamAnswer(response, ['All of it.']);
  await page.locator(ANSWERS).getByRole('button', { name: 'Retry' }).click();
  await expect(page.locator(ANSWERS)).toHaveText(/All of it\./);
  await expect(page.locator(ANSWERS)).toHaveCount(1);
  expect(endpoint.requests[1]?.body.messages).toEqual([{ role: 'user', content: 'Tell me' }]);
});

const FAILURES = [
  { name: 'a wrong key', status: 401, says: 'refused the key' },
  { name: 'an unknown model', status: 404, says: 'no such address or model' },
  { name: 'a limit', status: 429, says: 'limit is used up' },
  { name: 'a defect', status: 500, says: 'The endpoint failed (500)' },
] as const;

for (const { name, status, says } of FAILURES) {
  test(`${name} is told in words, and trying again works`, async ({ page }) => {
    await chooseEndpoint(page, address);
    endpoint.answer = (response) => refuse(response, status, '<b>bad</b> request');
    await ask(page, 'Hello');
    const alert = page.locator('.messages').getByRole('alert');
    await expect(alert).toContainText(says);
    await expect(alert).toContainText('It says: <b>bad</b> request');
    endpoint.answer = (response) => streamAnswer(response, ['Better.']);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator(ANSWERS)).toContainText('Better.');
    await expect(alert).toHaveCount(0);
  });
}

test('an endpoint that is not there, and one that hangs up, are told in words', async ({ page }) => {
  await endpoint.stop();
  await chooseEndpoint(page, address);
  await ask(page, 'Hello');
  const alert = page.locator('.messages').getByRole('alert');
  await expect(alert).toContainText('cannot be reached');
  endpoint = new EndpointServer();
  endpoint.answer = (response) => {
    startStreaming(response, 'Half an');
    setTimeout(() => response.destroy(), 100);
  };
  await chooseEndpoint(page, await endpoint.start());
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator(ANSWERS)).toContainText('Half an');
  await expect(alert).toContainText('in the middle of the answer');
});

for (const [name, type, body, says] of [
  ['nothing', 'text/event-stream', 'data: [DONE]\n\n', 'The model answered nothing.'],
  ['an empty message', 'application/json', '{"choices":[{"message":{"content":""}}]}', 'The model answered nothing.'],
  ['a web page', 'text/html', '<!doctype html><p>Hello', 'not in the form of an OpenAI-compatible API'],
  ['broken JSON', 'application/json', '{"choices":[', 'not in the form of an OpenAI-compatible API'],
] as const) {
  test(`an endpoint that answers ${name} is told in words, and can be asked again`, async ({ page }) => {
    await chooseEndpoint(page, address);
    endpoint.answer = (response) => void response.writeHead(200, { 'content-type': type }).end(body);
    await ask(page, 'Hello');
    const alert = page.locator('.messages').getByRole('alert');
    await expect(alert).toContainText(says);
    endpoint.answer = (response) => streamAnswer(response, ['Better.']);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator(ANSWERS)).toContainText('Better.');
  });
}

test('an answer that is not streamed is read too', async ({ page }) => {
  await chooseEndpoint(page, `${address}/chat/completions/`);
  endpoint.answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'In one piece.' } }] }));
  };
  await ask(page, 'Hello');
  await expect(page.locator(ANSWERS)).toContainText('In one piece.');
});

test('an answer goes on while another conversation is open', async ({ page }) => {
  await chooseEndpoint(page, address);
  let finish: () => void = () => undefined;
  endpoint.answer = async (response) => {
    startStreaming(response, 'First half');
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    response.end('data: {"choices":[{"delta":{"content":", second half."},"finish_reason":"stop"}]}\n\n');
  };
  await ask(page, 'Take your time');
  await expect(page.locator(ANSWERS)).toContainText('First half');
  await page.locator('.conversation-open').filter({ hasText: 'Lisbon' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Lisbon');
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
  await page.locator('.conversation-open').filter({ hasText: 'Take your time' }).click();
  await expect(page.locator(ANSWERS)).toHaveText(/First half$/);
  await page.locator('.conversation-open').filter({ hasText: 'Lisbon' }).click();
  finish();
  await page.locator('.conversation-open').filter({ hasText: 'Take your time' }).click();
  await expect(page.locator(ANSWERS)).toContainText('First half, second half.');
});

test('code in an answer is shown as code, and markup in it as text', async ({ page }) => {
  await chooseEndpoint(page, address);
  const code = '<b>not bold</b>\n  indented';
  endpoint.answer = (response) => streamAnswer(response, ['Look:\n', '```ts\n', code, '\n```\n', 'Done.']);
  await ask(page, 'Show me');
  await expect(page.locator(ANSWERS).locator('.code-block')).toHaveText(code);
  await expect(page.locator(ANSWERS).locator('.message-text')).toHaveText(/^Look:.*Done\.$/s);
  await expect(page.locator(ANSWERS).locator('b')).toHaveCount(0);
});
