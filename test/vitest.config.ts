import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Everything that needs no browser. What needs one is in `e2e/`, run by Playwright. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    name: 'node',
    environment: 'node',
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Runs as WebAssembly, and is proved by its twin.
      exclude: ['src/formats/scanning/assembly/**'],
      reportsDirectory: 'coverage/lines',
      thresholds: { lines: 95 },
    },
  },
});
