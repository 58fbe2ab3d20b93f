import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isTestCommand } from '../../../core/monitor/monitor.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { listChildCommands } from '../../process/child-commands.ts';

/** What a program does without a word: files that change in its worktree, and commands that run below it. */
export interface Traces {
  /** Its first process is there. */
  begin(pid: number): void;
  /** Tells what has been left since the last look. */
  look(): Promise<void>;
  close(): void;
}

export interface TracesOptions {
  readonly cwd: string;
  /** The program itself, whose own processes say nothing. */
  readonly command: string;
  readonly emit: (event: AgentEvent) => void;
}

const LOOK_AT_COMMANDS_MS = 400;

/** File systems tell times in steps of some milliseconds. */
const TIME_STEP_MS = 20;

/** Compilers start thousands: more than this says nothing more. */
const MAX_COMMANDS = 500;

export function createTraces({ cwd, command, emit }: TracesOptions): Traces {
  const seen = new Set<string>();
  const known = new Set<string>();
  const [program = command] = command.trim().split(/\s+/);
  let sinceMs = Date.now();
  let current: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let root: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function lookAtCommands(): void {
    if (root === null || seen.size > MAX_COMMANDS) return;
    for (const child of listChildCommands(root)) {
      if (seen.has(child.key)) continue;
      seen.add(child.key);
      const isOwn = child.command.includes(program) || child.command.startsWith('bwrap ');
      // Whoever asks a model again and again by the same command has done nothing by that; tests are always worth a word.
      if (isOwn || (known.has(child.command) && !isTestCommand(child.command))) continue;
      known.add(child.command);
      const line = child.command.slice(0, MAX_LINE_CHARS);
      emit({ type: 'command', command: line, exitCode: null, output: '', inferred: true });
    }
  }

  async function readFiles(): Promise<void> {
    const startedMs = Date.now();
    const changed = await findChanged(cwd, sinceMs - TIME_STEP_MS);
    sinceMs = startedMs;
    for (const path of changed) emit({ type: 'file', action: 'write', path, inferred: true });
  }

  /** Whoever comes while one is under way waits for the one after it, all together. */
  function lookAtFiles(): Promise<void> {
    if (current === null) {
      current = readFiles().finally(() => {
        current = null;
      });
      return current;
    }
    next ??= current.then(() => {
      next = null;
      return lookAtFiles();
    });
    return next;
  }

  return {
    begin(pid) {
      root = pid;
      timer = setInterval(lookAtCommands, LOOK_AT_COMMANDS_MS).unref();
    },
    async look() {
      lookAtCommands();
      await lookAtFiles();
    },
    close: () => clearInterval(timer),
  };
}

const MAX_LINE_CHARS = 300;
const MAX_FILES = 50;

/** Nobody's work, or too much of it. */
function isAside(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name === '__pycache__';
}

/** Files that were written, and folders in which something came or went, since then. */
async function findChanged(root: string, sinceMs: number): Promise<readonly string[]> {
  const changed: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (isAside(entry.name) || changed.length >= MAX_FILES) continue;
      const path = join(folder, entry.name);
      const stats = await lstat(join(root, path)).catch(() => null);
      if (stats && Math.max(stats.mtimeMs, stats.ctimeMs) >= sinceMs) changed.push(path);
      if (entry.isDirectory()) await walk(path);
    }
  };
  await walk('');
  return changed;
}
