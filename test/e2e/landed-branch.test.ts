import { describe, expect, it } from 'vitest';
import { commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';

const STRANGERS = 'holds commits that no proof and no person has vouched for';

/** A project whose first task has landed beside a checkout with changes in the way. */
async function landBeside(): Promise<string> {
  const dir = makeProject();
  write(dir, { 'features.json': `${getBacklog()} ` });
  await runCli(dir, ['run']);
  git(dir, 'checkout', '-q', '--', 'features.json');
  expect(git(dir, 'log', '--format=%s', 'main..harness/landed').split('\n')).toHaveLength(1);
  return dir;
}

function commitThere(dir: string, files: Readonly<Record<string, string>>, message: string): void {
  git(dir, 'switch', '-q', 'harness/landed');
  commit(dir, files, message);
  git(dir, 'switch', '-q', 'main');
}

describe.concurrent('harness/landed with work that nothing has proven', () => {
  it('is not taken, before anything is moved, and the way out is named', async () => {
    const dir = await landBeside();
    commitThere(dir, { 'src/own.txt': 'own' }, 'My own work');
    commit(dir, { 'more.txt': 'more' });
    const before = git(dir, 'for-each-ref', 'refs/heads');
    const { code, stderr } = await runCli(dir, ['run', '--all']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/My own work[\s\S]*git merge harness\/landed/)]);
    expect(stderr).toContain('git branch -m harness/landed');
    expect(git(dir, 'for-each-ref', 'refs/heads')).toBe(before);
    git(dir, 'merge', '-q', '--no-edit', 'harness/landed');
    expect((await runCli(dir, ['run'])).code).toBe(0);
  });

  it('is not made of a checkpoint, nor is any other branch of that name', async () => {
    const dir = makeProject({
      'agent.yaml': 'tasks: { "*": [{ edit: { file: src/x.txt, content: x } }, { claim: done }] }\n',
    });
    await runCli(dir, ['run']);
    const { checkpoints } = await runJson<{ checkpoints: { id: string }[] }>(dir, ['checkpoints']);
    const id = checkpoints[0]?.id ?? '';
    for (const name of ['harness/landed', 'harness/x', 'Harness/landed']) {
      const { code, stderr } = await runCli(dir, ['checkpoints', id, '--branch', name, '--work']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('--branch')]);
    }
    expect(git(dir, 'branch', '--list', '*arness/*')).toBe('');
    git(dir, 'branch', 'harness/landed', 'refs/harness/attempts/1/1');
    const { code, stderr } = await runCli(dir, ['run', '--all']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('harness/landed holds commits')]);
  });
});

describe.concurrent('what is said of harness/landed with work that nothing has proven', () => {
  it('is not to take it: status and doctor name what a run refuses', async () => {
    const dir = await landBeside();
    expect((await runCli(dir, ['status'])).stdout).toContain('take it with git merge');
    commitThere(dir, { 'src/own.txt': 'own' }, 'My own work');
    for (const args of [['status'], ['next'], ['doctor']]) {
      const { stdout } = await runCli(dir, args);
      expect(stdout, args[0]).toContain(STRANGERS);
      expect(stdout, args[0]).toContain('My own work');
      expect(stdout, args[0]).not.toContain('take it with git merge');
    }
    commit(dir, { 'more.txt': 'more' });
    const { stdout } = await runCli(dir, ['status']);
    expect(stdout).toContain(STRANGERS);
    expect(stdout).not.toContain('the next run merges them');
  });

  it('keeps a person from giving the project back on top of it', async () => {
    const dir = await landBeside();
    commitThere(dir, { 'src/own.txt': 'own' }, 'Work of somebody');
    expect((await runCli(dir, ['handoff', '--by', 'Ada'])).code).toBe(0);
    commitThere(dir, { 'src/2.txt': '2' }, 'Do the second thing');
    const before = git(dir, 'for-each-ref', 'refs/heads');
    const { code, stderr } = await runCli(dir, ['takeback', '--by', 'Ada']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Work of somebody')]);
    expect(stderr).not.toContain('Do the second thing');
    expect(git(dir, 'for-each-ref', 'refs/heads')).toBe(before);
  });
});

describe.concurrent('harness/landed with what may be there', () => {
  it('goes on with what a person did there while everything was theirs', async () => {
    const dir = await landBeside();
    await runCli(dir, ['handoff', '--by', 'Ada']);
    commitThere(dir, { 'src/2.txt': '2' }, 'Do the second thing');
    const { code, stdout } = await runCli(dir, ['takeback', '--by', 'Ada']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Do the second thing')]);
    const run = await runCli(dir, ['run']);
    expect(run.stderr).not.toContain(STRANGERS);
  });

  it('goes on with tasks that a person vouched for, and with what the base did already', async () => {
    const dir = makeProject({
      'features.json': getBacklog([
        { id: 1, description: 'Thing 1 exists', test_file: 'test/thing-1.sh', passes: false },
        {
          id: 2,
          description: 'Thing 2 exists',
          test_file: 'test/thing-2.sh',
          passes: false,
          category: 'auth',
        },
        { id: 3, description: 'Thing 3 exists', test_file: 'test/thing-3.sh', passes: false },
      ]),
      'src/2.txt': '2',
    });
    write(dir, { 'features.json': `${git(dir, 'show', 'HEAD:features.json')} ` });
    await runCli(dir, ['run', '--task', '2']);
    await runCli(dir, ['answer', '2', 'accept', '--by', 'Ada']);
    await runCli(dir, ['override', '3', '--reason', 'seen', '--by', 'Ada']);
    const { stderr } = await runCli(dir, ['run', '--all']);
    expect(stderr).not.toContain(STRANGERS);
    const there = git(dir, 'log', '--format=%B', 'main..harness/landed');
    expect(there).toContain('Harness-Accepted: Ada');
    expect(there).toContain('Harness-Unproven: Ada: seen');
    expect(there).toContain('Harness-Proof: ');
    git(dir, 'checkout', '-q', '--', 'features.json');
    expect((await runCli(dir, ['status'])).stdout).toContain('take it with git merge');
    commit(dir, { 'more.txt': 'more' });
    expect((await runCli(dir, ['run', '--all'])).stderr).not.toContain(STRANGERS);
    expect(git(dir, 'show', 'main:more.txt')).toBe('more');
  });

  it('goes on after a person merged the base into it, and changed tasks and their tests', async () => {
    const dir = await landBeside();
    commit(dir, { 'more.txt': 'more' });
    git(dir, 'switch', '-q', 'harness/landed');
    git(dir, 'merge', '-q', '--no-edit', 'main');
    const text = git(dir, 'show', 'HEAD:features.json').replace('Thing 3 exists', 'The third thing exists');
    commit(dir, { 'features.json': text, 'test/thing-3.sh': 'test -s src/3.txt\n' }, 'Say more');
    git(dir, 'switch', '-q', 'main');
    expect((await runCli(dir, ['run'])).code).toBe(0);
    expect(git(dir, 'show', 'main:src/2.txt')).toBe('2');
  });

  it('goes on with records that were cleared and branches that parted', async () => {
    const dir = await landBeside();
    commit(dir, { 'more.txt': 'more' });
    await runCli(dir, ['abort', '--clear', '--yes']);
    const { stderr } = await runCli(dir, ['run']);
    expect(stderr).not.toContain('harness/landed holds');
    expect(git(dir, 'show', 'main:src/2.txt')).toBe('2');
  });
});
