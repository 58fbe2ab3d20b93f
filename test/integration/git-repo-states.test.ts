import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepo } from '../../src/adapters/git/repo/repo.ts';
import { runGit } from '../../src/adapters/git/repo/run-git.ts';
import {
  git,
  makeCandidate,
  makeRepo,
  makeTempDir,
  open,
  takeUserImage,
  write,
} from '../support/git-fixture.ts';

interface Bad {
  readonly name: string;
  readonly make: () => string;
  readonly baseBranch?: string;
  readonly error: { readonly code: string; readonly message: RegExp; readonly fix: RegExp };
}

const BAD: readonly Bad[] = [
  {
    name: 'not a repository',
    make: makeTempDir,
    error: { code: 'repo', message: /not in a git repository/, fix: /git init/ },
  },
  {
    name: 'a folder that does not exist',
    make: () => join(makeTempDir(), 'none'),
    error: { code: 'repo', message: /does not exist/, fix: /folder/ },
  },
  {
    name: 'a bare repository',
    make: () => {
      const dir = join(makeTempDir(), 'bare.git');
      git(makeTempDir(), 'clone', '-q', '--bare', makeRepo(), dir);
      return dir;
    },
    error: { code: 'repo', message: /bare repository/, fix: /clone/ },
  },
  {
    name: 'the inside of .git',
    make: () => join(makeRepo(), '.git'),
    error: { code: 'repo', message: /inside a \.git/, fix: /run from/ },
  },
  {
    name: 'a repository without commits',
    make: () => {
      const dir = makeTempDir();
      git(dir, 'init', '-q', '-b', 'main');
      return dir;
    },
    error: { code: 'repo', message: /no commits yet/, fix: /git commit/ },
  },
  {
    name: 'a branch without commits',
    make: () => {
      const dir = makeRepo();
      git(dir, 'switch', '-q', '--orphan', 'fresh');
      return dir;
    },
    error: { code: 'repo', message: /"fresh" has no commits yet/, fix: /git commit/ },
  },
  {
    name: 'a detached HEAD without a configured base',
    make: () => {
      const dir = makeRepo();
      git(dir, 'checkout', '-q', '--detach');
      return dir;
    },
    error: { code: 'repo', message: /HEAD is detached/, fix: /git switch main/ },
  },
  {
    name: 'a base branch that does not exist',
    make: () => makeRepo(),
    baseBranch: 'develop',
    error: { code: 'repo', message: /"develop" does not exist/, fix: /git branch develop.*main/ },
  },
  {
    name: 'a base branch that exists only at the remote',
    make: () => {
      const origin = makeRepo();
      git(origin, 'branch', 'develop');
      const dir = join(makeTempDir(), 'clone');
      git(dirname(dir), 'clone', '-q', origin, dir);
      return dir;
    },
    baseBranch: 'develop',
    error: { code: 'repo', message: /"develop" does not exist/, fix: /git branch develop origin\/develop/ },
  },
  {
    name: 'a branch named harness',
    make: () => {
      const dir = makeRepo();
      git(dir, 'branch', 'harness');
      return dir;
    },
    error: { code: 'repo', message: /in the way/, fix: /git branch -m/ },
  },
  {
    name: 'a repository whose HEAD is garbage',
    make: () => {
      const dir = makeRepo();
      writeFileSync(join(dir, '.git/HEAD'), 'garbage');
      return dir;
    },
    error: { code: 'repo', message: /opening the repository/, fix: /git/ },
  },
];

describe('a repository that cannot be worked in', () => {
  test.each(BAD)(
    '$name: the error says what and how to go on, and nothing is written',
    async ({ make, baseBranch, error }) => {
      const dir = make();
      const thrown = await openRepo(dir, { baseBranch: baseBranch ?? null }).catch(
        (caught: unknown) => caught,
      );
      expect(thrown).toMatchObject({ name: 'HarnessError', code: error.code });
      expect((thrown as Error).message).toMatch(error.message);
      expect((thrown as { details: { fix: string } }).details.fix).toMatch(error.fix);
    },
  );

  test('a git that is missing, too old, or refuses the owner is named', async () => {
    const dir = makeRepo();
    const path = process.env.PATH;
    process.env.PATH = makeTempDir();
    await expect(openRepo(dir).finally(() => (process.env.PATH = path))).rejects.toMatchObject({
      code: 'environment',
      message: /not installed/,
    });
    const answer = (stdout: string, stderr: string) => async () => ({
      code: stderr ? 128 : 0,
      stdout: Buffer.from(stdout),
      stderr,
    });
    await expect(openRepo(dir, { runGit: answer('git version 2.37.9', '') })).rejects.toMatchObject({
      message: /2\.37 is too old/,
    });
    const dubious = `fatal: detected dubious ownership in repository at '${dir}'`;
    const refuse: typeof runGit = async (args, options) =>
      args[0] === 'version' ? runGit(args, options) : answer('', dubious)();
    await expect(openRepo(dir, { runGit: refuse })).rejects.toMatchObject({
      details: { fix: expect.stringContaining('safe.directory') },
    });
  });

  test('a tip whose objects are gone is an error, not a crash', async () => {
    const dir = makeRepo();
    const workspace = await open(dir);
    rmSync(join(dir, '.git/objects'), { recursive: true });
    mkdirSync(join(dir, '.git/objects'));
    await expect(workspace.tip()).rejects.toMatchObject({
      code: 'repo',
      details: { fix: expect.stringContaining('fsck') },
    });
  });
});

const GOOD: readonly { name: string; make: () => string; baseBranch?: string; notes?: RegExp }[] = [
  {
    name: 'a detached HEAD with a configured base',
    make: () => {
      const dir = makeRepo();
      git(dir, 'checkout', '-q', '--detach');
      return dir;
    },
    baseBranch: 'main',
  },
  {
    name: 'a merge in progress',
    make: () => {
      const dir = makeRepo();
      for (const [branch, text] of [
        ['one', '1\n'],
        ['main', '2\n'],
      ] as const) {
        git(dir, 'switch', '-q', ...(branch === 'one' ? ['-c'] : []), branch);
        write(dir, { 'b.txt': text });
        git(dir, 'commit', '-q', '-am', branch);
      }
      expect(() => git(dir, 'merge', 'one')).toThrow();
      return dir;
    },
    notes: /a merge is in progress/,
  },
  {
    name: 'commits that are to be signed',
    make: () => {
      const dir = makeRepo();
      git(dir, 'config', 'commit.gpgsign', 'true');
      return dir;
    },
    notes: /commit\.gpgsign is set, and what the harness lands is not signed/,
  },
  {
    name: 'packed refs',
    make: () => {
      const dir = makeRepo();
      git(dir, 'gc', '-q');
      return dir;
    },
  },
  {
    name: 'a shallow clone',
    make: () => {
      const origin = makeRepo();
      write(origin, { 'b.txt': 'second\n' });
      git(origin, 'commit', '-q', '-am', 'second');
      const dir = join(makeTempDir(), 'clone');
      git(dirname(dir), 'clone', '-q', '--depth=1', `file://${origin}`, dir);
      return dir;
    },
  },
  {
    name: 'a subfolder of a repository',
    make: () => join(makeRepo(), 'src'),
  },
  {
    name: 'a linked worktree',
    make: () => {
      const dir = join(makeTempDir(), 'linked');
      git(makeRepo(), 'worktree', 'add', '-q', '-b', 'side', dir);
      return dir;
    },
  },
  {
    name: 'a git directory kept elsewhere',
    make: () => makeRepo(undefined, `--separate-git-dir=${join(makeTempDir(), 'elsewhere.git')}`),
  },
  {
    name: 'a submodule',
    make: () => {
      const dir = makeRepo();
      git(dir, 'submodule', '--quiet', 'add', makeRepo(), 'vendor/lib');
      git(dir, 'commit', '-q', '-m', 'submodule');
      return dir;
    },
  },
];

describe('a repository in an unusual state', () => {
  test.each(GOOD)('$name: work goes through and lands', async ({ make, baseBranch, notes }) => {
    const dir = make();
    const repo = await openRepo(dir, { baseBranch: baseBranch ?? null });
    expect(repo.notes.join()).toMatch(notes ?? /^$/);
    const workspace = await open(dir, { cacheDir: makeTempDir(), ...(baseBranch ? { baseBranch } : {}) });
    const tip = await workspace.tip();
    const slot = await workspace.prepare(0, tip.commit);
    expect(git(slot.dir, 'status', '--porcelain')).toBe('');
    expect(git(slot.dir, 'log', '--format=%H', '-1')).toBe(tip.commit);
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
    const commit = await makeCandidate(workspace, { 'new.txt': 'new\n' });
    await workspace.pristine(0, commit);
    expect(await workspace.land({ commit, expected: tip.commit })).toMatchObject({ ok: true, commit });
    expect(await workspace.findLandings(tip.commit, (await workspace.tip()).commit)).toEqual([
      { task: 'T1', attempt: 1, commit },
    ]);
  });

  test('a linked worktree shares state and slots with the main one', async () => {
    const main = makeRepo();
    const linked = join(makeTempDir(), 'linked');
    git(main, 'worktree', 'add', '-q', '-b', 'side', linked);
    const [one, two] = [await openRepo(main), await openRepo(linked)];
    expect(two).toMatchObject({
      root: realpathSync(linked),
      mainRoot: one.root,
      commonDir: one.commonDir,
      baseBranch: 'side',
    });
    const cacheDir = makeTempDir();
    expect((await open(linked, { cacheDir })).home).toBe((await open(main, { cacheDir })).home);
  });

  test("files put into a submodule's empty folder are seen, an emptied one is kept as it was", async () => {
    const user = makeRepo();
    git(user, 'submodule', '--quiet', 'add', makeRepo({ 'lib.txt': 'lib\n' }), 'vendor/lib');
    git(user, 'commit', '-q', '-m', 'submodule');
    for (const dir of ['.git/modules', 'vendor/lib']) rmSync(join(user, dir), { recursive: true });
    const before = takeUserImage(user);
    const workspace = await open(user);
    const tip = await workspace.tip();
    const { dir } = await workspace.prepare(0, tip.commit);
    write(dir, { 'vendor/lib/hidden.txt': 'x\n' });
    const { tree } = await workspace.snapshot(0);
    expect(await workspace.changes(tip.tree, tree)).toEqual([
      { path: 'vendor/lib', kind: 'deleted', mode: '000000' },
      { path: 'vendor/lib/hidden.txt', kind: 'added', mode: '100644' },
    ]);
    await workspace.prepare(0, tip.commit);
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
    git(join(dir, 'vendor/lib'), 'init', '-q');
    git(join(dir, 'vendor/lib'), 'commit', '-q', '--allow-empty', '-m', 'other');
    const moved = await workspace.snapshot(0);
    expect(await workspace.changes(tip.tree, moved.tree)).toEqual([
      { path: 'vendor/lib', kind: 'modified', mode: '160000' },
    ]);
    expect(takeUserImage(user)).toEqual(before);
  });
});
