import { defineConfig } from 'vitest/config';
import { markdownAsText } from './scripts/markdown-as-text.js';

/** The suite that drives the real agent kits; `npm run test:agents` installs them first. */
export default defineConfig({
  plugins: [markdownAsText],
  test: {
    include: ['test/agents/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
});
