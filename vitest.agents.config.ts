import { defineConfig } from 'vitest/config';
import { textFiles } from './scripts/text-files.js';

/** The suite that drives the real agent SDKs; `npm run test:agents` installs them first. */
export default defineConfig({
  plugins: [textFiles],
  test: {
    include: ['test/agents/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
});
