import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The tests that run on the sources of the core, for mutants of it. What is built cannot notice them. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    environment: 'node',
    include: [
      'test/source.test.ts',
      'test/laws.test.ts',
      'test/core/*.test.ts',
      'test/stores/stores.test.ts',
      'test/messages.test.ts',
    ],
    testTimeout: 60_000,
  },
});
