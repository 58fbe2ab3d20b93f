import { execFile } from 'node:child_process';
import type { Project } from '../src/app/project/open-project.ts';
import { judge } from '../src/checks/run/judge.ts';
import type { Ports } from '../src/ports/index.ts';

export const SLOT = 1;

export interface Candidate {
  readonly commit: string;
  readonly tree: string;
}

/** One verdict with all checks; throws unless it is a yes. */
export async function verify(
  ports: Ports,
  project: Project,
  task: number,
  candidate: Candidate,
): Promise<void> {
  const { workspace, backlog } = ports;
  const { policy } = project;
  const tip = await workspace.tip();
  const { tasks } = backlog.parse((await workspace.readFile(tip.commit, policy.backlogPath)) ?? '');
  const listed = tasks.find(({ def }) => def.id === String(task));
  if (!listed) throw new Error(`task ${task} is not in the backlog`);
  const { verdict } = await judge({
    ports,
    policy,
    task: listed.def,
    attempt: { slot: SLOT },
    candidate: { ...candidate, backlogProblems: [], claims: [listed.def.id] },
    base: tip,
    signal: new AbortController().signal,
  });
  if (verdict.word !== 'proven') throw new Error(`task ${task}: ${verdict.word}, ${verdict.reason}`);
}

/** The suite as somebody would run it, in the environment that ours has: certificates alone can double a start of Node. The tests of tasks still to come fail, so the exit code is no matter. */
export function runPlain(dir: string): Promise<void> {
  const env = { ...process.env, CI: 'true' };
  return new Promise(resolve => {
    const options = { cwd: dir, env, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, ['--test'], options, () => resolve());
  });
}

export async function time(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

export const SILENT = { event: () => {}, agent: () => {}, phase: () => {} };
