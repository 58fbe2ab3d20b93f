import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { getCleanEnv, getOwnStdio } from './clean-env.ts';
import { getTmpPrefix, noteGroup } from './group-notes.ts';
import { getMarker } from './marker.ts';
import { readProcess } from './proc.ts';
import type { SpawnOwner } from './spawn-contained.ts';
import { killMarked, type OwnedGroup, signalRun } from './sweep.ts';

export interface RunOptions {
  /** Names of variables that may come through from our own environment. */
  readonly passEnv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Ports and names of the worktree, below whatever is set by name. */
  readonly surroundings?: Readonly<Record<string, string>>;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

/** Processes that are talked to while they run, with one mark, one private TMPDIR and one end. */
export interface Run {
  /** The whole environment for anything started on behalf of this run. */
  readonly env: Readonly<Record<string, string>>;
  readonly tmpDir: string;
  /** Starts a child as the leader of a group, its pipes open; `env` is this run's own unless given. */
  start(file: string, args: readonly string[], options: StartOptions): ChildProcess;
  /** Asks everything of this run to end, and makes it when the grace is over; returns at once. */
  stop(): void;
  /** Ends whatever is left of it; nothing it started runs when this returns. */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Paths besides `cwd` that a sandboxed child must see. */
  readonly readable?: readonly string[];
  /** A sandboxed child may then only look at `cwd`. */
  readonly isCwdReadOnly?: boolean;
}

/** The sibling of `spawnContained` for agent SDKs, which speak with their child over its pipes. */
export async function openRun(owner: SpawnOwner, options: RunOptions): Promise<Run> {
  const tmpDir = await mkdtemp(getTmpPrefix(owner.workerId));
  const marker = getMarker(owner.workerId, owner.random.token());
  const env = getCleanEnv(process.env, { ...options, marker, tmpDir });
  const groups: OwnedGroup[] = [];
  let timer: NodeJS.Timeout | undefined;

  function signal(name: NodeJS.Signals): void {
    // Asked politely, a sandbox would go at once and take everything inside with it.
    const isSpared = name === 'SIGTERM' && owner.sandbox !== undefined;
    // An SDK that starts its child by itself leaves us no group, only the mark.
    for (const group of groups.length > 0 ? groups : [NO_GROUP]) signalRun(marker, group, name, isSpared);
  }

  return {
    env,
    tmpDir,
    start: (file, args, { cwd, env: given, readable = [], isCwdReadOnly = false }) => {
      const plain = { file, args, cwd, env: getDefined(given ?? env), readable, isCwdReadOnly };
      const real = owner.sandbox?.wrap({ ...plain, box: mkdtempSync(join(tmpDir, 'box-')) }) ?? plain;
      const child = spawn(real.file, real.args, {
        cwd,
        env: real.env,
        detached: true,
        stdio: getOwnStdio(['pipe', 'pipe', 'pipe']),
      });
      const { pid } = child;
      if (pid !== undefined) {
        const group = { pid, startTicks: readProcess(pid)?.startTicks ?? null };
        groups.push(group);
        noteGroup(owner.workerId, group);
      }
      // A child that ends while it is written to breaks the pipe; its end is heard of elsewhere.
      child.stdin?.on('error', () => undefined);
      return child;
    },
    stop: () => {
      if (timer) return;
      signal('SIGTERM');
      timer = setTimeout(() => signal('SIGKILL'), options.graceMs ?? 2_000);
    },
    close: async () => {
      clearTimeout(timer);
      for (const group of groups.length > 0 ? groups : [undefined]) await killMarked(marker, group);
      await rm(tmpDir, { recursive: true, force: true }).catch(() => undefined);
    },
  };
}

const NO_GROUP: OwnedGroup = { pid: 0, startTicks: null };

function getDefined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
