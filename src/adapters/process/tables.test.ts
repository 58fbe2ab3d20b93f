import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { git, makeCandidate, makeRepo, open } from '../../../test/support/git-fixture.ts';
import { isRunning, readPidFile, useTempDir } from '../../../test/support/real-processes.ts';
import { noteGroup } from './group-notes.ts';
import { checkProcess, readProcess, useProcessTable } from './proc.ts';
import { createRandom } from './random.ts';
import { spawnContained } from './spawn-contained.ts';
import { createWorkers } from './workers.ts';

const makeDir = useTempDir();
const children: ChildProcess[] = [];
afterEach(() => {
  useProcessTable(null);
  for (const child of children.splice(0)) if (child.pid) process.kill(child.pid, 'SIGKILL');
});

const isGone = (pid: number): boolean => {
  useProcessTable(null);
  return !isRunning(pid);
};

describe.each(['proc', 'ps', 'none'] as const)('with the process table: %s', kind => {
  test('a command that runs out of time is ended with its whole group', async () => {
    useProcessTable(kind);
    const dir = makeDir();
    const file = join(dir, 'pid');
    const owner = { workerId: 'w-tables', random: createRandom() };
    const args = ['-c', `sh -c 'echo $$ > ${file}; exec sleep 300' & wait`];
    const result = await spawnContained(owner, { file: 'sh', args, cwd: dir, timeoutMs: 700, graceMs: 100 });
    expect(result.end).toBe('timeout');
    expect(isGone(await readPidFile(file))).toBe(true);
  });

  test('a worker that lives is never called dead, and a dead one never alive', async () => {
    useProcessTable(kind);
    const workers = createWorkers(createRandom());
    expect(await workers.check(workers.self)).toBe(kind === 'none' ? 'unknown' : 'alive');
    const child = spawn('sleep', ['300'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const startTicks = readProcess(pid)?.startTicks ?? '';
    expect(checkProcess(pid, startTicks)).not.toBe('dead');
    const ended = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    expect(checkProcess(pid, startTicks)).toBe('dead');
    expect(await workers.check({ ...workers.self, pid, startTicks })).toBe('dead');
  });

  test('what a dead worker noted is ended, unless its number belongs to somebody else by now', async () => {
    useProcessTable(kind);
    const workers = createWorkers(createRandom());
    const dead = { ...workers.self, id: `w-noted${kind}` };
    const orphan = spawn('sleep', ['300'], { stdio: 'ignore', detached: true });
    children.push(orphan);
    const pid = orphan.pid ?? 0;
    noteGroup(dead.id, { pid, startTicks: 'another time' });
    expect(await workers.reap(dead)).toBe(0);
    expect(checkProcess(pid, readProcess(pid)?.startTicks ?? '')).not.toBe('dead');
    noteGroup(dead.id, { pid, startTicks: readProcess(pid)?.startTicks ?? null });
    const ended = new Promise(resolve => orphan.once('exit', resolve));
    expect(await workers.reap(dead)).toBe(kind === 'ps' ? 1 : 0);
    if (kind === 'ps') {
      await ended;
      children.pop();
    }
  });

  test('nothing that an agent of old still writes gets into the next worktree', async () => {
    useProcessTable(kind);
    const user = makeRepo();
    const workspace = await open(user);
    const { commit } = await workspace.tip();
    const first = await workspace.prepare(1, commit);
    const next = await workspace.prepare(1, await makeCandidate(workspace, { 'b.txt': 'next\n' }));
    if (kind === 'proc') return expect(next.dir).toBe(first.dir);
    expect(next.dir).not.toBe(first.dir);
    expect(existsSync(first.dir)).toBe(false);
    expect(readFileSync(join(next.dir, 'b.txt'), 'utf8')).toBe('next\n');
    appendFileSync(join(next.dir, 'b.txt'), 'more\n');
    const { tree } = await workspace.snapshot(1);
    expect(git(user, 'show', `${tree}:b.txt`)).toBe('next\nmore');
  });
});
