import { defineConfig } from 'vitest/config';
import { FOLD_NAME } from './scripts/fold-name.js';
import { textFiles } from './scripts/text-files.js';

export default defineConfig({
  plugins: [textFiles],
  define: FOLD_NAME,
  test: {
    include: ['src/**/*.test.ts', 'demo/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/fixtures/**', 'test/agents/**', '**/node_modules/**'],
    globalSetup: ['test/support/build-once.ts'],
    // Most of the time goes into processes that tests wait for.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
