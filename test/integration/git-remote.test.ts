import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNotes } from '../../src/adapters/git/landing/notes.ts';
import { openContext } from '../../src/adapters/git/repo/context.ts';
import { openRepo } from '../../src/adapters/git/repo/repo.ts';
import { type RunGit, runGit } from '../../src/adapters/git/repo/run-git.ts';
import type { GitWorkspace } from '../../src/adapters/git/workspace.ts';
import { HarnessError } from '../../src/core/base/failure.ts';
import { getRemoteName } from '../../src/core/proof/commit-message.ts';
import { git, makeCandidate, makeRepo, makeTempDir, open, takeImage, write } from '../support/git-fixture.ts';

const BASE = 'refs/heads/main';
const NOTES = 'refs/notes/harness-proofs';

interface Scene {
  readonly remote: string;
  readonly dirs: readonly [string, string];
  readonly hosts: readonly [GitWorkspace, GitWorkspace];
}

/** A bare remote and two hosts, each with a clone and a cache of its own. */
async function makeScene(run?: RunGit): Promise<Scene> {
  const seed = makeRepo();
  const root = makeTempDir();
  const remote = join(root, 'remote.git');
  git(root, 'clone', '-q', '--bare', seed, remote);
  const dirs = ['one', 'two'].map(name => join(root, name, 'clone')) as [string, string];
  for (const dir of dirs) git(root, 'clone', '-q', remote, dir);
  const [one, two] = [await openHost(dirs[0], run), await openHost(dirs[1])];
  return { remote, dirs, hosts: [one, two] };
}

const openHost = (dir: string, run?: RunGit): Promise<GitWorkspace> =>
  open(dir, { remote: 'origin', ...(run ? { runGit: run } : {}) });

const getTip = (remote: string, ref = BASE): string => git(remote, 'rev-parse', ref);

/** Somebody with a clone of their own pushes a file. */
function pushAsPerson({ remote, dirs }: Scene, name: string): string {
  const dir = join(dirname(dirname(dirs[0])), name);
  git(dirname(dir), 'clone', '-q', remote, dir);
  write(dir, { [`${name}.txt`]: name });
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', name);
  git(dir, 'push', '-q', 'origin', 'main');
  return getTip(remote);
}

/** All of a clone but objects and what is ours. */
const takeCloneImage = (dir: string) =>
  takeImage(dir, path => /^\.git\/(objects|harness-intents|refs\/harness)$/.test(path));

/** What it is refused with. */
async function getFailure(asked: Promise<unknown>): Promise<HarnessError> {
  const failed = await asked.catch((error: unknown) => error);
  if (failed instanceof HarnessError) return failed;
  throw new Error('it is not refused', { cause: failed });
}

const isPush = (args: readonly string[]): boolean => args.includes('push');

function isRunning(pid: string): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ' Z';
  return !/ [ZX]\b/.test(stat);
}

/** What the remote keeps of attempts, by name. */
const listKept = (remote: string): string[] =>
  git(remote, 'for-each-ref', '--format=%(refname)', 'refs/harness').split('\n').filter(Boolean);

const getKeptRef = (name: string, commit: string): string => `refs/harness/${getRemoteName(name, commit)}`;

/** Locks anywhere in a clone. */
const findLocks = (dir: string): string[] =>
  readdirSync(join(dir, '.git'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.lock'),
  );

describe('a landing on the remote', () => {
  it('moves its branch and nothing of the clone: no branch, index, file or stash', async () => {
    const scene = await makeScene();
    const [dir] = scene.dirs;
    write(dir, { 'b.txt': 'put aside\n' });
    git(dir, 'stash', '-q');
    write(dir, { 'b.txt': 'mine, staged\n', 'new.txt': 'mine\n' });
    git(dir, 'add', 'b.txt');
    const before = takeCloneImage(dir);
    const [host] = scene.hosts;
    const { commit: expected } = await host.tip();
    const commit = await makeCandidate(host, { 'b.txt': 'landed\n' });
    await host.keep('attempts/1-1', commit);
    const landed = await host.land({ commit, expected });
    expect(landed).toMatchObject({ ok: true, commit, ref: 'refs/remotes/origin/main' });
    await host.annotate(commit, 'proof\n');
    await host.drop(['attempts/1-1']);
    expect(getTip(scene.remote)).toBe(commit);
    expect((await host.tip()).commit).toBe(commit);
    expect(takeCloneImage(dir)).toEqual(before);
  });

  it('from a stale tip is told so, and the branch stays where others put it', async () => {
    const { remote, hosts } = await makeScene();
    const expected = getTip(remote);
    const [first, second] = await Promise.all(
      hosts.map((host, at) => makeCandidate(host, { [`${at}.txt`]: 'x' }, `T${at}`)),
    );
    expect(await hosts[0].land({ commit: String(first), expected })).toMatchObject({ ok: true });
    expect(await hosts[1].land({ commit: String(second), expected })).toEqual({
      ok: false,
      why: 'tip-moved',
    });
    expect(getTip(remote)).toBe(first);
  });

  it('of two at the same time is one landing, and the other one is told that the tip moved', async () => {
    const { remote, hosts } = await makeScene();
    for (let round = 0; round < 5; round++) {
      const expected = getTip(remote);
      const landed = await Promise.all(
        hosts.map(async (host, at) => {
          const commit = await makeCandidate(host, { [`${at}.txt`]: `${round}` }, `T${at}`);
          return host.land({ commit, expected });
        }),
      );
      expect(landed.filter(({ ok }) => ok)).toHaveLength(1);
      expect(landed.filter(({ ok }) => !ok)).toEqual([{ ok: false, why: 'tip-moved' }]);
      expect(git(remote, 'rev-parse', `${BASE}^`)).toBe(expected);
    }
  });

  it('of a commit without the old tip in it is refused before anything is pushed', async () => {
    const pushed: string[][] = [];
    const scene = await makeScene((args, options) => {
      if (isPush(args)) pushed.push(args);
      return runGit(args, options);
    });
    const [host] = scene.hosts;
    const commit = await makeCandidate(host, { 'b.txt': 'from the old tip\n' });
    const expected = pushAsPerson(scene, 'person');
    expect((await host.tip()).commit).toBe(expected);
    await expect(host.land({ commit, expected })).rejects.toThrow('would drop commits');
    expect(pushed).toEqual([]);
    expect(getTip(scene.remote)).toBe(expected);
  });

  it('counts where the push was done and only its answer was lost', async () => {
    const scene = await makeScene(async (args, options) => {
      const result = await runGit(args, options);
      return isPush(args) ? { ...result, code: 128, stderr: 'fatal: the remote end hung up' } : result;
    });
    const [host] = scene.hosts;
    const { commit: expected } = await host.tip();
    const commit = await makeCandidate(host, { 'b.txt': 'landed\n' });
    expect(await host.land({ commit, expected })).toMatchObject({ ok: true, commit });
    expect(getTip(scene.remote)).toBe(commit);
  });

  it('counts where others have built on it before it was asked what came of the push', async () => {
    let scene: Scene;
    scene = await makeScene(async (args, options) => {
      const result = await runGit(args, options);
      if (isPush(args)) pushAsPerson(scene, 'person');
      return isPush(args) ? { ...result, code: 128, stderr: 'fatal: the remote end hung up' } : result;
    });
    const [host] = scene.hosts;
    const { commit: expected } = await host.tip();
    const commit = await makeCandidate(host, { 'b.txt': 'landed\n' });
    expect(await host.land({ commit, expected })).toMatchObject({ ok: true, commit });
    expect(git(scene.remote, 'rev-parse', `${BASE}^`)).toBe(commit);
  });

  it('is pushed again where the remote was away for a moment', async () => {
    let isAway = true;
    const { remote, hosts } = await makeScene(async (args, options) => {
      if (!isPush(args) || !isAway) return runGit(args, options);
      isAway = false;
      return { code: 128, stdout: Buffer.alloc(0), stderr: 'fatal: unable to access the remote' };
    });
    const { commit: expected } = await hosts[0].tip();
    const commit = await makeCandidate(hosts[0], { 'b.txt': 'landed\n' });
    expect(await hosts[0].land({ commit, expected })).toMatchObject({ ok: true, commit });
    expect(getTip(remote)).toBe(commit);
  });

  it('is taken by a remote that refuses rewritten branches, and so is what is kept anew', async () => {
    const { remote, hosts } = await makeScene();
    git(remote, 'config', 'receive.denyNonFastForwards', 'true');
    git(remote, 'config', 'receive.denyDeletes', 'true');
    const { commit: expected } = await hosts[0].tip();
    const [first, second] = [
      await makeCandidate(hosts[0], { x: 'first' }),
      await makeCandidate(hosts[0], { x: 'second' }),
    ];
    for (const commit of [first, second, second]) await hosts[0].keep('attempts/1-1', commit);
    expect(listKept(remote)).toEqual(
      [first, second].map(commit => getKeptRef('attempts/1-1', commit)).sort(),
    );
    expect(await hosts[0].land({ commit: second, expected })).toMatchObject({ ok: true });
    await hosts[0].drop(['attempts/1-1']);
    expect(listKept(remote)).toEqual([]);
  });

  it('that the remote refuses is named with what it said', async () => {
    const { remote, hosts } = await makeScene();
    const hook = join(remote, 'hooks/pre-receive');
    writeFileSync(hook, '#!/bin/sh\necho "main is protected" >&2\nexit 1\n');
    chmodSync(hook, 0o755);
    const { commit: expected } = await hosts[0].tip();
    const commit = await makeCandidate(hosts[0], { 'b.txt': 'landed\n' });
    const failed = await getFailure(hosts[0].land({ commit, expected }));
    expect(failed.message).toBe('pushing to origin failed: remote: main is protected');
    expect(failed.details.fix).toContain('git push --dry-run origin main');
  }, 30_000);
});

describe('a remote that is away', () => {
  it('is asked again until it is back', async () => {
    let scene: Scene;
    scene = await makeScene(async (args, options) => {
      const result = await runGit(args, options);
      if (result.code !== 0 && existsSync(`${scene.remote}.away`))
        renameSync(`${scene.remote}.away`, scene.remote);
      return result;
    });
    const tip = getTip(scene.remote);
    renameSync(scene.remote, `${scene.remote}.away`);
    expect((await scene.hosts[0].tip()).commit).toBe(tip);
  });

  it('is named with file, field and fix, and no login of its address', async () => {
    const { dirs } = await makeScene();
    git(dirs[0], 'remote', 'set-url', 'origin', 'http://ada:p4ssw0rd@127.0.0.1:9/x.git');
    const failed = await getFailure((await openHost(dirs[0])).tip());
    expect(failed.code).toBe('environment');
    expect(failed.details).toMatchObject({
      file: join(dirs[0], '.git/config'),
      field: 'git.remote',
      fix: expect.stringContaining('git fetch origin'),
    });
    expect(`${JSON.stringify(failed)} ${failed.stack}`).not.toMatch(/p4ssw0rd|ada:/);
    expect(failed.message).toContain('127.0.0.1');
  }, 30_000);

  it('does not hold anybody up when it never answers, and nothing of the question stays', async () => {
    const { dirs, remote } = await makeScene();
    const silent = join(dirname(remote), 'silent.sh');
    const asked = join(dirname(remote), 'asked');
    writeFileSync(silent, `#!/bin/sh\necho $$ >> ${asked}\nexec sleep 600\n`);
    chmodSync(silent, 0o755);
    git(dirs[0], 'config', 'remote.origin.uploadpack', silent);
    const host = await openHost(dirs[0], (args, options) =>
      runGit(args, args.includes('ls-remote') ? { ...options, timeoutMs: 300 } : options),
    );
    const failed = await getFailure(host.tip());
    expect(failed.message).toContain('did not finish');
    expect(failed.details.field).toBe('git.remote');
    const pids = readFileSync(asked, 'utf8').trim().split('\n');
    expect(pids.length).toBeGreaterThan(1);
    expect(pids.filter(isRunning)).toEqual([]);
  }, 30_000);
});

describe('proofs', () => {
  it('that two clones attach at the same time, twenty each, are all there', async () => {
    const { remote, dirs, hosts } = await makeScene();
    const all = await Promise.all(
      hosts.flatMap((host, at) =>
        Array.from({ length: 20 }, async (_, n) => {
          const commit = await makeCandidate(host, { x: `${at} ${n}` }, `T${at}-${n}`);
          await host.annotate(commit, `${at} ${n}\n`);
          return commit;
        }),
      ),
    );
    const there = git(remote, 'ls-tree', '-r', '--name-only', NOTES).split('\n');
    expect(there.map(path => path.replace('/', '')).sort()).toEqual([...all].sort());
    const repo = await openRepo(dirs[0], { remote: 'origin' });
    await hosts[0].annotate(String(all[0]), '0 0\n');
    expect((await readNotes(openContext(repo, runGit, makeTempDir()))).get(String(all[0]))).toBe('0 0\n');
  }, 60_000);

  it('attached by a push whose answer was lost are attached once, and known here', async () => {
    const { remote, dirs, hosts } = await makeScene(async (args, options) => {
      const result = await runGit(args, options);
      return isPush(args) ? { ...result, code: 128, stderr: 'fatal: the remote end hung up' } : result;
    });
    const commit = getTip(remote);
    await hosts[0].annotate(commit, 'proof\n');
    expect(git(remote, 'rev-list', '--count', NOTES)).toBe('1');
    const repo = await openRepo(dirs[0], { remote: 'origin' });
    const ctx = openContext(repo, runGit, makeTempDir());
    expect(await readNotes(ctx)).toEqual(new Map([[commit, 'proof\n']]));
  });
});

describe('what one clone kept', () => {
  it('another one fetches, by name and all of it', async () => {
    const { dirs, hosts } = await makeScene();
    const [one, two] = hosts;
    const names = ['attempts/1-1', 'attempts/2-1', 'attempts/3-1'];
    const commits = await Promise.all(names.map(name => makeCandidate(one, { x: name }, name)));
    for (const [at, name] of names.entries()) await one.keep(name, String(commits[at]));
    const isThere = (commit: string | undefined): string => {
      try {
        return git(dirs[1], 'cat-file', '-t', String(commit));
      } catch {
        return 'missing';
      }
    };
    expect(commits.map(isThere)).toEqual(['missing', 'missing', 'missing']);
    await two.fetch?.([{ name: String(names[0]), commit: String(commits[0]) }]);
    expect(commits.map(isThere)).toEqual(['commit', 'missing', 'missing']);
    expect(git(dirs[1], 'rev-parse', `refs/harness/${names[0]}`)).toBe(commits[0]);
    await two.fetch?.();
    expect(commits.map(isThere)).toEqual(['commit', 'commit', 'commit']);
  });

  it('is to be had still once another commit is kept by that name, whoever pushed that one', async () => {
    const { remote, dirs, hosts } = await makeScene();
    const [one, two] = hosts;
    const [first, second] = [await makeCandidate(one, { x: '1' }), await makeCandidate(one, { x: '2' })];
    for (const commit of [first, second]) await one.keep('attempts/1/1', commit);
    git(remote, 'reflog', 'expire', '--expire=now', '--all');
    git(remote, 'gc', '-q', '--prune=now');
    expect(await two.fetch?.([{ name: 'attempts/1/1', commit: first }])).toEqual([]);
    expect(git(dirs[1], 'rev-parse', 'refs/harness/attempts/1/1')).toBe(first);
    expect(git(dirs[1], 'cat-file', '-t', first)).toBe('commit');
  });

  it('in an older harness’s way, below what replaced it, is found as well', async () => {
    const { dirs, hosts } = await makeScene();
    const [one, two] = hosts;
    const first = await makeCandidate(one, { x: '1' });
    const { tree } = await one.tip();
    const above = await one.commit({ tree, parent: first, message: 'above', atMs: 1 });
    git(dirs[0], 'push', '-q', 'origin', `${above}:refs/harness/attempts/1/1`);
    expect(await two.fetch?.([{ name: 'attempts/1/1', commit: first }])).toEqual([]);
    await two.drop(['attempts/1/1']);
    expect(git(dirs[0], 'ls-remote', 'origin', 'refs/harness/*')).toBe('');
  });

  it('and what nobody keeps any more are told apart, and a remote that is away is no answer', async () => {
    const { remote, hosts } = await makeScene();
    const [one, two] = hosts;
    const [kept, never] = [await makeCandidate(one, { x: '1' }), await makeCandidate(one, { x: '2' })];
    await one.keep('attempts/1/1', kept);
    const asked = [kept, never].map(commit => ({ name: 'attempts/1/1', commit }));
    expect(await two.fetch?.(asked)).toEqual([never]);
    renameSync(remote, `${remote}.away`);
    expect((await getFailure(Promise.resolve(two.fetch?.(asked)))).details.field).toBe('git.remote');
  }, 30_000);

  it('is gone from the remote once dropped, also beside a name that never was there', async () => {
    const { remote, hosts } = await makeScene();
    const commit = await makeCandidate(hosts[0], { x: 'x' });
    for (const name of ['attempts/1-1', 'attempts/1-2']) await hosts[0].keep(name, commit);
    await hosts[1].drop(['attempts/1-1', 'attempts/9-9', 'attempts/1-1']);
    expect(listKept(remote)).toEqual([getKeptRef('attempts/1-2', commit)]);
  });

  it('is gone from the remote once dropped, also where the connection broke', async () => {
    let cuts = 0;
    const cut: RunGit = async (args, options) => {
      if (args.includes('push') && args.some(arg => arg.startsWith(':')) && cuts++ === 0)
        throw new Error('the connection was cut');
      return runGit(args, options);
    };
    const { remote, hosts } = await makeScene(cut);
    await hosts[0].keep('attempts/1-1', await makeCandidate(hosts[0], { x: 'x' }));
    await hosts[0].drop(['attempts/1-1']);
    expect(cuts).toBe(2);
    expect(git(remote, 'for-each-ref', 'refs/harness')).toBe('');
  });
});

describe('the tip', () => {
  it('that a person pushed is seen, with its files, by every clone', async () => {
    const scene = await makeScene();
    const commit = pushAsPerson(scene, 'person');
    for (const host of scene.hosts) {
      const tip = await host.tip();
      expect(tip).toMatchObject({ commit, ref: 'refs/remotes/origin/main' });
      expect(await host.readFile(tip.commit, 'person.txt')).toBe('person');
    }
  });

  it('is never older than the question, however many ask, and many questions are few', async () => {
    let asked = 0;
    const scene = await makeScene((args, options) => {
      asked += args.includes('ls-remote') ? 1 : 0;
      return runGit(args, options);
    });
    const [host] = scene.hosts;
    const early = Array.from({ length: 20 }, () => host.tip());
    const commit = pushAsPerson(scene, 'person');
    const late = Array.from({ length: 20 }, () => host.tip());
    expect(new Set((await Promise.all(late)).map(tip => tip.commit))).toEqual(new Set([commit]));
    await Promise.all(early);
    expect(asked).toBeLessThanOrEqual(3);
  });

  it('goes back where a person took commits away, here as well', async () => {
    const scene = await makeScene();
    const first = getTip(scene.remote);
    pushAsPerson(scene, 'person');
    const [host] = scene.hosts;
    await host.tip();
    git(scene.remote, 'update-ref', BASE, first);
    expect((await host.tip()).commit).toBe(first);
    expect(git(scene.dirs[0], 'rev-parse', 'refs/harness/remote/heads/main')).toBe(first);
  });

  it('is read beside a lock that a kill left on what we keep, once it is cleared as ours', async () => {
    const scene = await makeScene();
    const [dir] = scene.dirs;
    await scene.hosts[0].tip();
    const lock = join(dir, '.git/refs/harness/remote/heads/main.lock');
    writeFileSync(lock, '');
    const commit = pushAsPerson(scene, 'person');
    const host = await openHost(dir);
    await host.recover(true);
    expect(existsSync(lock)).toBe(false);
    expect((await host.tip()).commit).toBe(commit);
  });

  it('is read by the next after a kill -9 in the middle of a fetch, which leaves no lock', async () => {
    const scene = await makeScene();
    const [dir] = scene.dirs;
    const commit = pushAsPerson(scene, 'person');
    const [begun, slow] = ['begun', 'slow.sh'].map(name => join(dirname(scene.remote), name));
    writeFileSync(String(slow), `#!/bin/sh\ntouch ${begun}\ncat > /dev/null\n`);
    chmodSync(String(slow), 0o755);
    const fetching: ChildProcess[] = [];
    const host = await openHost(dir, (args, options) => {
      if (!args.includes('fetch') || fetching.length > 0) return runGit(args, options);
      const child = spawn('git', ['-c', `remote.harness-shared.uploadpack=${slow}`, ...args], options);
      fetching.push(child);
      const killed = { code: 137, stdout: Buffer.alloc(0), stderr: '' };
      return new Promise(resolve => child.once('close', () => resolve(killed)));
    });
    const tip = host.tip();
    await expect.poll(() => existsSync(String(begun)), { timeout: 10_000 }).toBe(true);
    for (const child of fetching) child.kill('SIGKILL');
    expect(findLocks(dir)).toEqual([]);
    expect((await (await openHost(dir)).tip()).commit).toBe(commit);
    expect((await tip).commit).toBe(commit);
  });
});

describe('the worktree of an agent', () => {
  it('knows no remote, and nothing of the login in its address', async () => {
    const { dirs, hosts } = await makeScene();
    git(dirs[0], 'config', 'remote.origin.pushurl', 'https://ada:p4ssw0rd@127.0.0.1:9/x.git');
    const { commit } = await hosts[0].tip();
    const { dir } = await hosts[0].prepare(1, commit);
    expect(git(dir, 'remote')).toBe('');
    expect(git(dir, 'config', '--list')).not.toMatch(/p4ssw0rd|remote\./);
  });

  it('of a login in the arguments of git there is nothing: only its environment has it', async () => {
    const said: string[] = [];
    const { dirs } = await makeScene();
    const url = git(dirs[0], 'remote', 'get-url', 'origin');
    const host = await openHost(dirs[0], (args, options) => {
      said.push(args.join(' '));
      return runGit(args, options);
    });
    await host.tip();
    expect(said.some(args => args.includes('ls-remote'))).toBe(true);
    expect(said.filter(args => args.includes(url))).toEqual([]);
  });
});
