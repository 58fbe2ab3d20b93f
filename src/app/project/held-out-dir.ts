import { join, relative, resolve } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';
import type { Project } from './open-project.ts';

/** Where agents cannot see it: outside the repository, or in the state directory. */
export function getHeldOutDir({ config, root, stateDir, configFile }: Project): string {
  const { held_out } = config.verification;
  if (held_out === null) return join(stateDir, 'held-out');
  const dir = resolve(root, held_out);
  const isInside = (folder: string): boolean => !relative(folder, dir).startsWith('..');
  if (!isInside(root) || isInside(stateDir)) return dir;
  throw new HarnessError(
    'config',
    `verification.held_out (${held_out}) lies in the repository, where agents see it`,
    {
      file: configFile,
      field: 'verification.held_out',
      fix: 'Move the folder out of the repository, or leave the setting out and use held-out in the state directory.',
    },
  );
}
