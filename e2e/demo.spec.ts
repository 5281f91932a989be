import { expect } from '@playwright/test';
import { type DemoPage, readSampleFile, toFile, toTextFile } from './demo/demo-page.ts';
import { test } from './demo/demo-test.ts';

let demo: DemoPage;

test.beforeEach(async ({ demo: opened }) => {
  demo = opened;
  await demo.open();
});

test('a dropped session is mentioned by keyboard, sent, and shown as the model sees it', async ({ page }) => {
  await demo.photograph('start');
  const file = await readSampleFile();
  await demo.drop(file);
  await expect(demo.news).toContainText('1 conversation imported');
  await expect(demo.conversations).toHaveCount(5);
  await expect(demo.news.getByRole('button', { name: 'Reference it' })).toBeVisible();

  await demo.message.focus();
  await page.keyboard.type('What was the answer in @');
  await expect(demo.message).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.type(file.title.slice(0, 8));
  await expect(demo.options).toHaveCount(1);
  const active = await demo.message.getAttribute('aria-activedescendant');
  await expect(demo.options.first()).toHaveId(active ?? '');
  await demo.photograph('picker');
  await page.keyboard.press('Enter');
  await expect(demo.message.locator('.mention-chip')).toHaveText(file.title);
  await expect(page.locator('.reference-card')).toContainText('All 2 messages');
  await page.keyboard.type('and why?');
  await demo.photograph('written');
  await page.keyboard.press('Enter');

  const sent = page.locator('.message.from-user');
  await expect(sent).toHaveText(new RegExp(`What was the answer in ${file.title} and why\\?`));
  await expect(sent.locator('.mention-chip')).toHaveText(file.title);
  await expect(page.locator('.message.from-assistant')).toContainText('This is a local echo, no model was asked.');
  await expect(demo.inspector.locator('.snapshot-card')).toContainText('All 2 messages');
  await expect(demo.inspector.locator('.snapshot-card')).toContainText('message 2');
  const [context, message] = await demo.inspector.locator('pre').allTextContents();
  expect(context).toMatch(/^## Referenced sessions\n/);
  expect(readConversation(context)).toEqual([
    { role: 'user', text: expect.any(String) },
    { role: 'assistant', text: file.text },
  ]);
  expect(message).toBe(`What was the answer in @${file.title} and why?`);
  await demo.photograph('sent');
});

const HEADER = { type: 'session', version: 0, id: 'bad', createdAt: 1_795_000_000_000 };

function userEvent(seq: number, text: string, surfaceOp: unknown = 'append'): unknown {
  return {
    type: 'user/message',
    seq,
    data: { role: 'user', source: { kind: 'user' }, content: [{ type: 'text', text }] },
    surfaceOp,
  };
}

const BAD_FILES = [
  {
    ...toFile('binary.jsonl', []),
    bytes: Uint8Array.from({ length: 4_096 }, (_, index) => (index * 7_919) % 256),
    says: /binary\.jsonl/,
  },
  { ...toTextFile('empty.jsonl', ''), says: /empty\.jsonl.*empty/s },
  {
    ...toTextFile(
      'broken.jsonl',
      [HEADER, userEvent(0, 'one'), '{"type":"user/mess', userEvent(2, 'three')]
        .map((row) => (typeof row === 'string' ? row : JSON.stringify(row)))
        .join('\n'),
    ),
    says: /broken\.jsonl.*(line 3|seq)/is,
  },
  {
    ...toFile('missing-seq.jsonl', [
      HEADER,
      userEvent(0, 'one'),
      userEvent(1, 'two', { op: 'replace', start: 7, end: 9 }),
    ]),
    says: /missing-seq\.jsonl.*7/s,
  },
];

for (const { says, ...file } of BAD_FILES) {
  test(`${file.name} gets one clear message, and the page goes on`, async ({ page }) => {
    await demo.drop(file);
    await expect(demo.errors).toHaveCount(1);
    await expect(demo.errors).toContainText(says);
    await expect(demo.errors.locator('[data-code]')).toHaveAttribute('data-code', 'SESSION_REFERENCE_INVALID_LOG');
    await demo.photograph(`bad-${file.name.replace('.jsonl', '')}`);
    await expect(demo.conversations).toHaveCount(4);

    await demo.drop(await readSampleFile());
    await expect(demo.conversations).toHaveCount(5);
    await demo.message.focus();
    await demo.mention('rate');
    await page.keyboard.type('still there?');
    await page.keyboard.press('Enter');
    await expect(page.locator('.message.from-user .mention-chip')).toHaveText('Rate limiter for the public API');
  });
}

function readConversation(context: string | undefined): unknown {
  const json = /<referenced-sessions>\n(.*)\n<\/referenced-sessions>/s.exec(context ?? '')?.[1] ?? '[]';
  const [reference] = JSON.parse(json) as { conversation: unknown }[];
  return reference?.conversation;
}
