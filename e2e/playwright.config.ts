import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { chromiumArguments, requireChromium } from '../test/browser/find-chromium.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Specs of the demo page; every other spec is about the library in a browser. */
const DEMO_SPECS = /demo.*\.spec\.ts$/;

export default defineConfig({
  testDir: '.',
  outputDir: `${root}test-results`,
  // Must be set in every case: a page that dies would otherwise be waited for without end.
  timeout: 120_000,
  // Must allow for a machine that is busy otherwise: nothing here is about how fast a page starts.
  expect: { timeout: 20_000 },
  globalTimeout: 15 * 60_000,
  forbidOnly: process.env.CI !== undefined,
  workers: 1,
  reporter: [['list'], ...(process.env.PLAYWRIGHT_JSON_OUTPUT_FILE === undefined ? [] : [['json'] as ['json']])],
  use: {
    browserName: 'chromium',
    headless: true,
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: requireChromium(), args: chromiumArguments() },
  },
  projects: [
    { name: 'library', testIgnore: DEMO_SPECS },
    { name: 'demo', testMatch: DEMO_SPECS },
  ],
});
