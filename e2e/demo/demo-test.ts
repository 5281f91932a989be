import { test as base } from '@playwright/test';
import { DemoPage, serveDemo } from './demo-page.ts';

/** What every test of the demo gets. */
interface DemoFixtures {
  /** The page, not opened yet. At the end nothing may have gone wrong on it unseen. */
  readonly demo: DemoPage;
}

interface DemoServer {
  /** Where the demo is served. */
  readonly address: string;
}

/** A test of the demo page. */
export const test = base.extend<DemoFixtures, DemoServer>({
  // Must end sooner than the test: the reason is told then.
  actionTimeout: 10_000,
  viewport: { width: 1440, height: 900 },
  address: [
    async ({ browserName: _ }, use) => {
      const server = await serveDemo();
      await use(server.url);
      await server.close();
    },
    { scope: 'worker' },
  ],
  demo: async ({ page, address }, use) => {
    const demo = new DemoPage(page, address);
    await use(demo);
    demo.expectNoFaults();
  },
});
