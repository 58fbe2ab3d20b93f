import type { StdioOptions } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { getMarkerChain, MARKER_VARIABLE } from './marker.ts';
import { getToolchainEnv } from './toolchain.ts';

export interface CleanEnvOptions {
  readonly marker: string;
  readonly tmpDir: string;
  readonly ci?: boolean;
  /** Names that may come through from the parent besides its toolchain's; everything else stays behind. */
  readonly passEnv?: readonly string[];
  /** Ports and names of the worktree; a name of `passEnv` that the parent has counts instead. */
  readonly surroundings?: Readonly<Record<string, string>>;
  /** Set as given, over everything but the marker. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The whole environment of a child: a short list, so that no secret of the parent leaks by default. */
export function getCleanEnv(
  parent: Readonly<Record<string, string | undefined>>,
  options: CleanEnvOptions,
): Record<string, string> {
  const env: Record<string, string> = {
    ...getToolchainEnv(parent),
    PATH: parent.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: parent.HOME ?? '/',
    LANG: parent.LANG ?? 'C.UTF-8',
    TZ: parent.TZ ?? 'UTC',
    // Whoever asks for a terminal that can do nothing gets tests of colours that fail.
    TERM: 'xterm-256color',
    TMPDIR: options.tmpDir,
    ...options.surroundings,
  };
  if (options.ci) env.CI = 'true';
  for (const name of options.passEnv ?? []) {
    const value = parent[name];
    if (value !== undefined) env[name] = value;
  }
  return {
    ...env,
    ...options.env,
    [MARKER_VARIABLE]: getMarkerChain(parent[MARKER_VARIABLE], options.marker),
  };
}

const CLOSE_ON_EXEC = 0o2000000;

/** What whoever started us had open and left open for us; read once, since no more can come. */
const inherited: readonly number[] = readInherited();
let nowhere: number | null = null;

/**
 * The stdio of a child that gets nothing else that is open here. A shell's own descriptors (a lock, a folder) come
 * through to us and would go on to every child, into any sandbox: there, they lead nowhere.
 */
export function getOwnStdio(
  first: readonly ('pipe' | 'ignore')[],
  fds: readonly number[] = inherited,
): StdioOptions {
  if (fds.length === 0) return [...first];
  nowhere ??= openSync('/dev/null', 'r');
  const stdio: ('pipe' | 'ignore' | number)[] = [...first];
  const last = Math.max(...fds);
  while (stdio.length <= last) stdio.push('ignore');
  for (const fd of fds) stdio[fd] = nowhere;
  return stdio;
}

function readInherited(): number[] {
  try {
    return readdirSync('/proc/self/fd')
      .map(Number)
      .filter(fd => fd > 2 && isInherited(fd));
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
