import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Project } from './project.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PROGRAM = join(process.cwd(), 'dist/harness.js');

/** Runs the built command to its end. */
export function runHarness(project: Pick<Project, 'root' | 'env'>, args: readonly string[]): Promise<Ended> {
  return startHarness(project, args).ended;
}

/** Starts the built command; whoever started it may kill it. */
export function startHarness(
  { root, env }: Pick<Project, 'root' | 'env'>,
  args: readonly string[],
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (data: Buffer) => {
      texts[name] = (texts[name] + data.toString('utf8')).slice(-1_000_000);
    });
  const ended = new Promise<Ended>(resolve => {
    child.on('close', (code, signal) => resolve({ code, signal, ...texts }));
  });
  return { child, ended };
}
