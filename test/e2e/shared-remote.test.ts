import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { CONFIG, commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git, makeTempDir } from '../support/git-fixture.ts';

const SHARED = CONFIG.concat('git: { remote: origin }\n');

interface Scene {
  readonly remote: string;
  /** Somebody's clone of it. */
  readonly dir: string;
}

function makeScene(config = SHARED): Scene {
  const seed = makeProject({ '.harness.yaml': config });
  const remote = join(dirname(seed), 'remote.git');
  git(dirname(seed), 'clone', '-q', '--bare', seed, remote);
  const dir = join(makeTempDir(), 'clone');
  git(dirname(dir), 'clone', '-q', remote, dir);
  return { remote, dir };
}

/** Somebody else lands a change on the remote. */
function push({ remote }: Scene, files: Readonly<Record<string, string>>): void {
  const other = join(makeTempDir(), 'other');
  git(dirname(other), 'clone', '-q', remote, other);
  commit(other, files, 'By hand');
  git(other, 'push', '-q', 'origin', 'main');
}

const TASKS = getBacklog([{ id: 7, description: 'Seven', test_file: 'test/thing-1.sh' }]);

it('a remote that is not there is refused with the way to add it', async () => {
  const dir = makeProject({ '.harness.yaml': SHARED });
  git(dir, 'remote', 'add', 'upstream', '../x.git');
  const { code, stderr } = await runCli(dir, ['run']);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no remote "origin" here');
  expect(stderr).toMatch(/in: +\S+\.git\/config\n +at: +git\.remote/);
  expect(stderr).toContain('git remote add origin <address>, or name one that there is: upstream');
});

it('a remote together with a branch of this clone alone is refused', async () => {
  const { dir } = makeScene(CONFIG.concat('git: { remote: origin, land: branch }\n'));
  const { code, stderr } = await runCli(dir, ['run']);
  expect(code).toBe(2);
  expect(stderr).toContain('git.land "branch" keeps work in this clone');
  expect(stderr).toMatch(/\.harness\.yaml: git\.land/);
  expect(stderr).toContain('git.base_branch');
});

it('a base branch that the remote lacks is refused with the push that is missing', async () => {
  const { dir } = makeScene(CONFIG.concat('git: { remote: origin, base_branch: next }\n'));
  git(dir, 'branch', 'next');
  const { code, stderr } = await runCli(dir, ['run']);
  expect(code).toBe(2);
  expect(stderr).toContain('the remote origin has no branch next to start from');
  expect(stderr).toContain('git.base_branch');
  expect(stderr).toContain('git push origin next');
});

it('commits that nobody pushed are named before the run begins, and no host sees them', async () => {
  const { dir, remote } = makeScene();
  commit(dir, { 'features.json': TASKS }, 'More tasks');
  const said =
    'main here has 1 commit that origin lacks, and no host sees what is not pushed: git push origin main';
  const { code, stdout, stderr } = await runCli(dir, ['run']);
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining(said)]);
  expect(stdout + stderr).not.toContain('only what is committed runs');
  expect((stdout + stderr).indexOf(said)).toBeLessThan((stdout + stderr).indexOf('task 1, attempt 1'));
  expect(git(remote, 'log', '-1', '--format=%s', 'main')).toContain('Thing 1 exists');
  expect(git(dir, 'log', '-1', '--format=%s', 'main')).toBe('More tasks');
});

it('a checkout that is only behind is told to pull, and not to commit', async () => {
  const scene = makeScene();
  push(scene, { 'features.json': TASKS });
  const { stdout } = await runCli(scene.dir, ['status']);
  expect(stdout).toContain(
    'features.json here is older than the one on origin/main, which runs: git pull origin main',
  );
  expect(stdout).not.toContain('git add');
  expect(await runJson(scene.dir, ['next'])).toMatchObject({ next: { id: '7' } });
});

it('settings of a checkout that are not the remote’s are named, and so is what takes them', async () => {
  const scene = makeScene();
  const note = '.harness.yaml here is not the one on origin/main, and the one here counts';
  expect((await runCli(scene.dir, ['status'])).stdout).not.toContain(note);
  push(scene, { '.harness.yaml': `${SHARED}lease: { ttl_seconds: 90 }\n` });
  expect((await runCli(scene.dir, ['status'])).stdout).toContain(`${note}: git pull origin main`);
});

it('while the remote is away, what was seen last is shown and said to be so', async () => {
  const { dir, remote } = makeScene();
  await runCli(dir, ['status']);
  renameSync(remote, `${remote}.away`);
  const { code, stdout } = await runCli(dir, ['status']);
  expect(code).toBe(0);
  expect(stdout).toContain('what is shown is as it was last seen');
}, 90_000);

it('doctor says whether the remote answers, may be pushed to, and is all that hosts share', async () => {
  const { dir, remote } = makeScene();
  const look = async () => {
    const { checks } = await runJson<{ checks: { name: string; status: string; detail: string }[] }>(dir, [
      'doctor',
    ]);
    return checks.find(({ name }) => name === 'remote');
  };
  const alone = await look();
  expect(alone).toMatchObject({ status: 'warn', fix: expect.stringContaining('HARNESS_STORE_URL') });
  expect(alone?.detail).toContain('origin answers and may be pushed to');
  git(dir, 'remote', 'set-url', '--push', 'origin', join(dirname(remote), 'nowhere.git'));
  expect(await look()).toMatchObject({
    status: 'fail',
    fix: expect.stringContaining('git push --dry-run origin'),
  });
  expect(git(remote, 'for-each-ref', 'refs/harness')).toBe('');
}, 90_000);
