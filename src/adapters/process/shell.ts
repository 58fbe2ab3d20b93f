import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Shell } from '../../ports/index.ts';
import { type SpawnOwner, spawnContained } from './spawn-contained.ts';

export interface ShellOptions extends SpawnOwner {
  /** Names of variables that commands may see from our own environment. */
  readonly passEnv?: readonly string[];
  /** Sets CI=true, as test runners expect of a place without a person. */
  readonly ci?: boolean;
  readonly maxOutputBytes?: number;
  /** Between SIGTERM and SIGKILL when the time is up. */
  readonly graceMs?: number;
  readonly onStdoutLine?: (line: string) => void;
  readonly onStderrLine?: (line: string) => void;
}

/** Command lines as the user writes them in their config, contained. */
export function createShell(options: ShellOptions): Shell {
  const { workerId, random, sandbox, maxOutputBytes, ...rest } = options;
  const limits = { headBytes: 0, tailBytes: maxOutputBytes ?? 2 * 1024 * 1024 };
  return {
    run: async request => {
      const { command, ...where } = request;
      const [file, ...args] = getShellCommand(command, process.env.PATH);
      const owner = { workerId, random, sandbox };
      const result = await spawnContained(owner, { ...rest, ...where, file, args, limits });
      return {
        exitCode: result.exitCode,
        timedOut: result.end === 'timeout',
        output: result.error ?? result.output,
        durationMs: result.durationMs,
      };
    },
  };
}

/** Plain `sh -c` semantics; bash where there is one, since that is what people write for. */
export function getShellCommand(command: string, path: string | undefined): [string, ...string[]] {
  const folders = (path ?? '/usr/bin:/bin').split(':');
  const hasBash = folders.some(folder => folder !== '' && existsSync(join(folder, 'bash')));
  // A bash that reads from a socket takes itself for a remote one and would read the user's .bashrc.
  return hasBash ? ['bash', '--norc', '-c', command] : ['sh', '-c', command];
}
