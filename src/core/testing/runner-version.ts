import type { RunnerKind } from '../model/testing.ts';

/** The version of the test runner as the lockfiles pin it; null where they do not say. */
export function getRunnerVersion(runner: RunnerKind, lockfiles: readonly string[]): string | null {
  const name = PACKAGES[runner];
  if (name === undefined) return null;
  const patterns = [
    new RegExp(`"node_modules/${name}":\\s*\\{\\s*"version":\\s*"([^"]+)"`),
    new RegExp(`^name = "${name}"\\r?\\nversion = "([^"]+)"`, 'm'),
    new RegExp(`^\\s*['"]?/?${name}@(?:npm:)?(\\d[\\w.+-]*)`, 'm'),
    new RegExp(`^"?${name}@[^\\n]*:\\r?\\n\\s+version:? "?([\\w.+-]+)`, 'm'),
    new RegExp(`^${name}==([\\w.+-]+)`, 'm'),
  ];
  for (const text of lockfiles)
    for (const pattern of patterns) {
      const version = pattern.exec(text)?.[1];
      if (version) return version;
    }
  return null;
}

const PACKAGES: Readonly<Partial<Record<RunnerKind, string>>> = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  pytest: 'pytest',
};
