import { expect, type Page } from '@playwright/test';
import { findAccessibilityFaults } from './demo/accessibility.ts';
import { DemoPage, toTextFile } from './demo/demo-page.ts';
import { test } from './demo/demo-test.ts';

/** Every state of the page that looks different, reached with the keyboard alone. */
const STATES: readonly (readonly [name: string, reach: (demo: DemoPage) => Promise<void>])[] = [
  ['start', async () => undefined],
  [
    'picker',
    async ({ page, message, options }) => {
      await message.focus();
      await page.keyboard.type('See @');
      await expect(options).toHaveCount(4);
      await page.keyboard.press('ArrowDown');
    },
  ],
  [
    'written',
    async ({ page }) => {
      await page.keyboard.press('Enter');
      await expect(page.locator('.reference-card')).toContainText('messages');
    },
  ],
  [
    'preview',
    async ({ page, inspector }) => {
      await press(page, page.getByRole('button', { name: /Show what is sent/ }));
      await expect(inspector).toContainText('Captured at');
    },
  ],
  [
    'sent',
    async ({ page, message }) => {
      await page.keyboard.press('Escape');
      await message.focus();
      await page.keyboard.type('and tell me.');
      await page.keyboard.press('Enter');
      await expect(page.locator('.message.from-assistant')).toContainText('You wrote');
      await expect(page.getByRole('button', { name: 'Retry' })).toBeAttached();
    },
  ],
  [
    'inspector',
    async ({ page, inspector }) => {
      await press(page, page.locator('.message').getByRole('button', { name: 'What the model sees' }));
      await expect(inspector.locator('pre')).toHaveCount(2);
    },
  ],
  [
    'error',
    async (demo) => {
      await demo.page.keyboard.press('Escape');
      await demo.drop(toTextFile('empty.jsonl', ''));
      await expect(demo.errors).toHaveCount(1);
    },
  ],
  [
    'dialog',
    async ({ page }) => {
      await press(page, page.getByRole('button', { name: /Who answers/ }));
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('textbox', { name: 'Address' })).toBeVisible();
    },
  ],
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1440]) {
    test(`axe finds nothing in any state, ${colorScheme}, ${width} px`, async ({ address, browser }) => {
      const viewport = { width, height: width < 500 ? 740 : 900 };
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
      const demo = new DemoPage(page, address);
      await demo.open();
      for (const [name, reach] of STATES) {
        await reach(demo);
        expect.soft(await findAccessibilityFaults(page), name).toEqual([]);
        expect.soft(await findOverflow(page), name).toBe(0);
        await demo.photograph(`${name}-${colorScheme}-${width}`);
      }
      demo.expectNoFaults();
      await page.close();
    });
  }
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1440]) {
    test(`a mouse alone does everything, ${colorScheme}, ${width} px`, async ({ address, browser }) => {
      const page = await browser.newPage({ viewport: { width, height: width < 500 ? 740 : 900 }, colorScheme });
      const demo = new DemoPage(page, address);
      await page.goto(address);
      const toggle = page.getByRole('button', { name: 'What the model sees' });
      await page.locator('.starters').getByRole('button', { name: 'Four days in Lisbon' }).click();
      await page.getByRole('button', { name: 'Reference a conversation' }).click();
      await demo.options.filter({ hasText: 'Rate limiter' }).click();
      await expect(page.locator('.reference-card')).toHaveCount(2);
      await page.getByRole('button', { name: 'Remove the reference to Four days in Lisbon' }).click();
      await demo.message.locator('.mention-chip').click();
      await expect(demo.inspector).toContainText('Captured at');
      await demo.inspector.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Send' }).click();
      await expect(page.locator('.message.from-assistant')).toContainText('You wrote');
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
      await toggle.first().click();
      await expect(demo.inspector.locator('pre')).toHaveCount(2);
      await demo.photograph(`mouse-${colorScheme}-${width}`);
      await demo.inspector.getByRole('button', { name: 'Close' }).click();
      if (width < 500) await page.getByRole('button', { name: 'Conversations' }).click();
      await demo.conversations.filter({ hasText: 'Four days in Lisbon' }).first().click();
      await expect(page.locator('.message')).toHaveCount(4);
      demo.expectNoFaults();
      await page.close();
    });
  }
}

test('nothing is wider than the page from 320 px to ultrawide', async ({ demo, page }) => {
  await demo.open();
  await demo.message.focus();
  await demo.mention('rate');
  for (const width of [320, 480, 801, 1181, 1920, 3440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findOverflow(page), `${width} px`).toBe(0);
    await expect(demo.message).toBeInViewport();
    await demo.photograph(`width-${width}`);
  }
});

test('every control can be reached with the Tab key and shows it', async ({ demo, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await demo.open();
  const seen: string[] = [];
  for (let count = 0; count < 40; count += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      const isMarked = (target: Element): boolean => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      };
      const box = element.closest('.composer-box');
      const shows = isMarked(element) || (element.id === 'message' && box !== null && isMarked(box));
      return `${element.id || element.className || element.tagName}${shows ? '' : ' without a mark'}`;
    });
    if (stop === undefined) break;
    seen.push(stop);
  }
  expect(seen.filter((stop) => stop.endsWith('without a mark'))).toEqual([]);
  const wanted = [
    'new-conversation',
    'conversation-search',
    'conversation-open',
    'choose-files',
    'choose-folder',
    'theme',
  ];
  expect(seen).toEqual(expect.arrayContaining([...wanted, 'model', 'toggle-inspector', 'messages', 'message']));
});

test('the theme can be changed, holds, and does not flash', async ({ address, demo, page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await demo.open();
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', 'true');
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.route('**/main.js', () => undefined);
  await page.goto(address, { waitUntil: 'commit' });
  await expect(page.locator('#page')).toBeVisible();
  expect(await ground()).toBe(dark);
});

test('the page is painted without its worker, and nothing moves when it comes', async ({ address, page }) => {
  const held: (() => void)[] = [];
  await page.route(
    '**/worker.js',
    (route) => new Promise<void>((resolve) => held.push(() => resolve(route.continue()))),
  );
  await page.addInitScript(() => {
    const shifts = { sum: 0 };
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 2, name: /Ask about/ })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Message' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Message' }).focus();
  await page.keyboard.type('written before the worker is there');
  for (const release of held) release();
  await expect(page.locator('.conversation-open')).toHaveCount(4);
  await expect(page.getByRole('combobox', { name: 'Message' })).toHaveText('written before the worker is there');
  expect(await page.evaluate(() => (globalThis as unknown as { shifts: { sum: number } }).shifts.sum)).toBeLessThan(
    0.01,
  );
});

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 1024, height: 600 },
]) {
  test(`notices leave the button that sends free at ${viewport.width} × ${viewport.height}`, async ({ demo, page }) => {
    await page.setViewportSize(viewport);
    await demo.open();
    for (const name of ['one.bin', 'two.bin', 'three.bin']) await demo.drop(toTextFile(name, 'no conversation'));
    await expect(demo.errors).toHaveCount(3);
    await demo.message.focus();
    await page.keyboard.type('Hello');
    // Must not be forced: what lies above the button would get the click.
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.locator('.message.from-user')).toHaveText(/Hello/);
    await press(page, demo.errors.first().getByRole('button', { name: 'Close this notice' }));
    await expect(demo.errors.first().getByRole('button', { name: 'Close this notice' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(demo.errors).toHaveCount(0);
    await expect(demo.message).toBeFocused();
  });
}

test('a drawer keeps the keyboard to itself, and gives the focus back', async ({ address, demo, page }) => {
  await page.setViewportSize({ width: 700, height: 800 });
  await page.goto(address);
  await press(page, page.getByRole('button', { name: 'Conversations' }));
  await expect(demo.conversations).toHaveCount(4);
  const isInside = (id: string): Promise<boolean> =>
    page.evaluate((drawer) => document.getElementById(drawer)?.contains(document.activeElement) === true, id);
  for (let count = 0; count < 9; count += 1) {
    expect(await isInside('sidebar')).toBe(true);
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === document.body)) break;
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Conversations' })).toBeFocused();
  await demo.message.focus();
  await demo.mention('rate');
  const card = page.locator('.reference-open');
  await expect(card).toContainText('messages');
  await press(page, card);
  expect(await isInside('inspector')).toBe(true);
  await page.keyboard.press('Escape');
  await expect(card).toBeFocused();
});

async function press(page: Page, target: ReturnType<Page['getByRole']>): Promise<void> {
  await target.focus();
  await page.keyboard.press('Enter');
}

function findOverflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}
