import { join } from 'node:path';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import type { Config } from '../../config/sections/schema.ts';
import type { RunnerKind } from '../../core/model/testing.ts';
import { getRunnerOf } from '../../core/testing/runners.ts';
import { getRunnerLine } from '../../core/testing/wrapped-command.ts';

/**
 * The runner behind `npm test` or `make`, where nobody named it: then only the exit code is heard, and of a suite that
 * was red before nobody sees what a change breaks. Null where all is well.
 */
function findHiddenRunner({ testing }: Pick<Config, 'testing'>, root: string): RunnerKind | null {
  const { runner, full, report } = testing;
  if (runner !== null || full === null || getRunnerOf(full, report) !== 'command') return null;
  const [packageJson = null, makefile = null] = ['package.json', 'Makefile'].map(name =>
    readIfThere(join(root, name)),
  );
  const line = getRunnerLine(full, { packageJson, makefile });
  return line === null ? null : getRunnerOf(line, null);
}

/** What is said of it, where there is one. */
export function getHiddenRunnerNote(config: Config, root: string): string | null {
  const hidden = findHiddenRunner(config, root);
  if (hidden === null) return null;
  return `of "${config.testing.full}" only the exit code is read: set testing.runner to ${hidden}, or what breaks beside red tests is not seen`;
}
