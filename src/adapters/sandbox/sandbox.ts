import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getBwrapArgs } from './bwrap-args.ts';
import { getRegistryEnv, hasSecret } from './credentials.ts';
import { getKeyringFilter } from './keyring-filter.ts';
import { readSandboxPlan } from './read-plan.ts';
import { readText } from './real-path.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

/** A program as it would be started without a sandbox. */
export interface PlainCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing of ours is added. */
  readonly env: Readonly<Record<string, string>>;
  /** An empty folder of ours for this run alone, removed by the caller afterwards. */
  readonly box: string;
  /** Paths of this run that the program must be able to read. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** For reviews: the working directory is there to be looked at. */
  readonly isCwdReadOnly?: boolean;
}

/** What to start instead: the same program inside the sandbox. */
export interface WrappedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/** A way to start programs contained; synchronous, as agent kits ask for the command in a callback. */
export interface Sandbox {
  wrap(command: PlainCommand): WrappedCommand;
}

/** Starts programs in bubblewrap by a project's settings. */
export function createSandbox(settings: SandboxSettings): Sandbox {
  return { wrap: command => wrapCommand(settings, command) };
}

/**
 * The environment goes to bubblewrap as it is: what it were told to drop could still be read from the
 * environment of its own process, which is the first one inside.
 */
function wrapCommand(settings: SandboxSettings, command: PlainCommand): WrappedCommand {
  const plan = readSandboxPlan(settings, {
    cwd: command.cwd,
    path: command.env.PATH ?? '',
    box: command.box,
    readable: command.readable ?? [],
    writable: command.writable ?? [],
    isCwdReadOnly: command.isCwdReadOnly ?? false,
  });
  const env = { ...readRegistryEnv(settings.home), ...command.env, TMPDIR: '/tmp' };
  const args = [...getBwrapArgs(plan), '--', command.file, ...command.args];
  const filter = getKeyringFilter(process.arch);
  if (filter === null) return { file: settings.bwrap, args, env };
  const filterFile = join(command.box, 'filter.bpf');
  writeFileSync(filterFile, filter, { mode: 0o600 });
  return { file: '/bin/sh', args: ['-c', WITH_FILTER, filterFile, settings.bwrap, ...args], env };
}

/** Bubblewrap takes the filter as an open file; a shell opens it, so that any spawner will do. */
const WITH_FILTER = 'exec 9<"$0"; bwrap=$1; shift; exec "$bwrap" --seccomp 9 "$@"';

/** The registry is worth knowing even when the token beside it is not for the agent. */
function readRegistryEnv(home: string): Record<string, string> {
  const npmrc = readText(join(home, '.npmrc'));
  return hasSecret(npmrc) ? getRegistryEnv(npmrc) : {};
}

/** The same as a program of its own, for agent kits that want a path to start. */
export function getWrapperScript({ file, args }: WrappedCommand): string {
  const words = [file, ...args].map(word => `'${word.replaceAll("'", `'\\''`)}'`);
  return `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`;
}
