import { describe, expect, it } from 'vitest';
import { commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, write } from '../support/git-fixture.ts';

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

describe.concurrent('harness/landed with what may be there', () => {
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
