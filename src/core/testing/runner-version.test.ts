import { expect, it } from 'vitest';
import { getRunnerVersion } from './runners.ts';

it.each([
  ['package-lock.json', 'vitest', '"node_modules/vitest": {\n  "version": "4.1.2",', '4.1.2'],
  ['pnpm-lock.yaml', 'jest', 'packages:\n  jest@29.7.0(@types/node@20):\n', '29.7.0'],
  ['yarn.lock', 'mocha', 'mocha@^11.0.0:\n  version "11.1.0"\n', '11.1.0'],
  ['uv.lock', 'pytest', '[[package]]\nname = "pytest"\nversion = "8.3.4"\n', '8.3.4'],
  ['requirements.txt', 'pytest', 'pytest==8.2.0\n', '8.2.0'],
  ['one that does not say', 'vitest', '"node_modules/vitest-mock": {"version": "1.0.0"', null],
] as const)('finds the version of the runner in %s', (_, runner, text, version) => {
  expect(getRunnerVersion(runner, ['{}', text])).toBe(version);
});
