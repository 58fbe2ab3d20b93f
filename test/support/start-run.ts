import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import { getBacklog, makeProject } from './cli.ts';
import { SHELL_ENV } from './git-fixture.ts';

const FEATURES = [1, 2].map(id => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
}));
/** An agent that works at task 1 until the file GO lies in its worktree. */
const AGENT = `tasks:
  "1": [{ run: "while [ ! -e GO ]; do sleep 0.05; done" }, { delete: GO }, { edit: { file: src/1.txt, content: "1" } }, { claim: done }]
  "2": [{ edit: { file: src/2.txt, content: "2" } }, { claim: done }]
`;

const running = new Set<ChildProcess>();

/** For afterEach: nothing outlives its test. */
export function killRuns(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** A project whose run is under way, in the middle of its first session. */
export async function startRun(agent = AGENT) {
  const dir = makeProject({ 'features.json': getBacklog(FEATURES), 'agent.yaml': agent });
  const env = { ...SHELL_ENV, HARNESS_CACHE_DIR: join(dirname(dir), 'cache') };
  const program = inject('harnessProgram');
  const child = spawn(process.execPath, [program, 'run', '--all', '--json'], { cwd: dir, env });
  running.add(child);
  let out = '';
  child.stdout.on('data', data => {
    out += data;
  });
  const ended = new Promise<{ code: number | null; out: string }>(resolve => {
    child.on('close', code => {
      running.delete(child);
      resolve({ code, out });
    });
  });
  let worktree = '';
  await new Promise<void>(resolve => {
    createInterface({ input: child.stderr }).on('line', line => {
      const event = JSON.parse(line) as { type: string; dir?: string };
      if (event.type === 'attempt.prepared' && worktree === '') worktree = event.dir ?? '';
      if (event.type === 'session.started') resolve();
    });
  });
  return { dir, go: () => writeFileSync(join(worktree, 'GO'), ''), ended };
}
