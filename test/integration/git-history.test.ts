import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { git, makeCandidate, makeRepo, open, write } from '../support/git-fixture.ts';

describe('the tip', () => {
  test('follows the base when a person commits, without asking git twice for the same', async () => {
    const user = makeRepo();
    let asked = 0;
    const { runGit } = await import('../../src/adapters/git/repo/run-git.ts');
    const workspace = await open(user, {
      runGit: (args, options) => {
        asked++;
        return runGit(args, options);
      },
    });
    await workspace.tip();
    asked = 0;
    await workspace.tip();
    expect(asked).toBe(0);
    git(user, 'commit', '-q', '--allow-empty', '-m', 'by hand');
    expect((await workspace.tip()).commit).toBe(git(user, 'rev-parse', 'HEAD'));
  });

  test('joins both branches when they have parted without conflict, the same way for everybody', async () => {
    const user = makeRepo();
    const workspace = await open(user, { land: 'branch' });
    const landed = await makeCandidate(workspace, { 'landed.txt': 'l\n' });
    await workspace.land({ commit: landed, expected: (await workspace.tip()).commit });
    write(user, { 'mine.txt': 'm\n' });
    git(user, 'add', '-A');
    git(user, 'commit', '-q', '-m', 'mine');
    const [one, two] = await Promise.all([workspace.tip(), (await open(user, { land: 'branch' })).tip()]);
    expect(one).toEqual(two);
    expect(git(user, 'rev-parse', `${one.commit}^1`, `${one.commit}^2`)).toBe(
      `${landed}\n${git(user, 'rev-parse', 'main')}`,
    );
    expect(await workspace.listFiles(one.commit)).toEqual(['b.txt', 'landed.txt', 'mine.txt', 'src/a.txt']);
    expect(git(user, 'rev-parse', 'harness/landed')).toBe(one.commit);
    expect(
      (await workspace.findLandings(git(user, 'rev-parse', 'main'), one.commit)).map(found => found.commit),
    ).toEqual([landed]);
  });

  test('is an error with the commands to use when the branches conflict', async () => {
    const user = makeRepo();
    const workspace = await open(user, { land: 'branch' });
    const landed = await makeCandidate(workspace, { 'b.txt': 'landed\n' });
    await workspace.land({ commit: landed, expected: (await workspace.tip()).commit });
    write(user, { 'b.txt': 'mine\n' });
    git(user, 'commit', '-q', '-am', 'mine');
    await expect(workspace.tip()).rejects.toMatchObject({
      code: 'repo',
      message: expect.stringContaining('b.txt'),
      details: { fix: expect.stringContaining('git switch harness/landed && git merge main') },
    });
    expect(git(user, 'rev-parse', 'harness/landed')).toBe(landed);
  });
});

describe('commits', () => {
  test('are the same for the same request, and name the user as author when they have a name', async () => {
    const user = makeRepo();
    const nameless = await open(user);
    const tip = await nameless.tip();
    const request = {
      tree: tip.tree,
      parent: tip.commit,
      message: 'Say\n\nHarness-Task: T1',
      atMs: 1_700_000_000_999,
    };
    const one = await nameless.commit(request);
    expect(await nameless.commit(request)).toBe(one);
    expect(git(user, 'show', '-s', '--format=%an <%ae> %cn <%ce> %at %ct', one)).toBe(
      'Harness <harness@localhost> Harness <harness@localhost> 1700000000 1700000000',
    );
    git(user, 'config', 'user.name', 'Grace');
    git(user, 'config', 'user.email', 'grace@example.org');
    const two = await (await open(user)).commit(request);
    expect(git(user, 'show', '-s', '--format=%an <%ae> %cn', two)).toBe('Grace <grace@example.org> Harness');
  });

  test('are found by their trailers, oldest first, also when the start is gone', async () => {
    const user = makeRepo();
    const workspace = await open(user);
    const start = (await workspace.tip()).commit;
    for (const task of ['T1', 'T2']) {
      const commit = await makeCandidate(workspace, { [`${task}.txt`]: 'x\n' }, task);
      await workspace.land({ commit, expected: (await workspace.tip()).commit });
      git(user, 'commit', '-q', '--allow-empty', '-m', 'Harness-Task: only in the subject');
    }
    const { commit } = await workspace.tip();
    for (const from of [start, 'f'.repeat(40)]) {
      expect(
        (await workspace.findLandings(from, commit)).map(({ task, attempt }) => `${task}/${attempt}`),
      ).toEqual(['T1/1', 'T2/1']);
    }
    expect(await workspace.findLandings(commit, commit)).toEqual([]);
  });
});

describe('putting a commit onto another', async () => {
  const user = makeRepo({ 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n' });
  const workspace = await open(user);
  const tip = await workspace.tip();
  const mine = await makeCandidate(workspace, { 'a.txt': 'one\n2\n3\n4\n5\n' });
  const put = async (parent: string, files: Record<string, string>): Promise<string> => {
    const list = Object.entries(files).map(([path, text]) => ({ path, text }));
    return workspace.commit({
      tree: await workspace.compose({ tree: parent, put: list }),
      parent,
      message: 'other',
      atMs: 7,
    });
  };

  test('merges what does not conflict and keeps message, author and date', async () => {
    const onto = await put(tip.commit, { 'a.txt': '1\n2\n3\n4\nfive\n', 'c.txt': 'c\n' });
    const result = await workspace.rebase(mine, onto);
    if (!result.ok) throw new Error('conflict');
    expect(await workspace.readFile(result.commit, 'a.txt')).toBe('one\n2\n3\n4\nfive\n');
    expect(git(user, 'rev-parse', `${result.commit}^1`, `${result.commit}^{tree}`)).toBe(
      `${onto}\n${result.tree}`,
    );
    const shape = '--format=%an %ae %at %cn %ct %B';
    expect(git(user, 'show', '-s', shape, result.commit)).toBe(git(user, 'show', '-s', shape, mine));
  });

  test('names the files in conflict', async () => {
    const onto = await put(tip.commit, { 'a.txt': 'uno\n2\n3\n4\n5\n' });
    expect(await workspace.rebase(mine, onto)).toEqual({ ok: false, conflicts: ['a.txt'] });
  });

  test('leaves out what it did to files that are not its own to carry along', async () => {
    const child = await put(tip.commit, { 'b.txt': 'b\nmine\n', 'wanted.txt': 'w\n', 'new.txt': 'n\n' });
    const onto = await put(tip.commit, { 'b.txt': 'b\ntheirs\n' });
    expect(await workspace.rebase(child, onto)).toEqual({ ok: false, conflicts: ['b.txt'] });
    const result = await workspace.rebase(child, onto, ['b.txt', 'new.txt', 'nowhere/at/all.txt']);
    if (!result.ok) throw new Error('conflict');
    expect(await workspace.readFile(result.commit, 'b.txt')).toBe('b\ntheirs\n');
    expect(await workspace.listFiles(result.commit)).toEqual(['a.txt', 'b.txt', 'wanted.txt']);
  });

  test('onto its own parent gives it back', async () => {
    expect(await workspace.rebase(mine, tip.commit)).toMatchObject({ ok: true, commit: mine });
  });

  test('takes only its own change along when the histories have parted', async () => {
    const parent = await put(tip.commit, { 'unwanted.txt': 'of the old parent\n' });
    const child = await put(parent, { 'wanted.txt': 'w\n' });
    const onto = await put(tip.commit, { 'b.txt': 'rewritten\n' });
    const result = await workspace.rebase(child, onto);
    if (!result.ok) throw new Error('conflict');
    expect(await workspace.listFiles(result.commit)).toEqual(['a.txt', 'b.txt', 'wanted.txt']);
  });
});

describe('composing trees', async () => {
  const user = makeRepo({ 'x/y/z.txt': 'z\n', 'x/k.txt': 'k\n', 'run.sh': 'run\n', top: 'top\n' });
  git(user, 'update-index', '--chmod=+x', 'run.sh');
  git(user, 'commit', '-q', '-m', 'mode');
  const workspace = await open(user);
  const tip = await workspace.tip();

  test('a file keeps its mode, a folder that becomes empty goes, a file gives way to a folder', async () => {
    const tree = await workspace.compose({
      tree: tip.tree,
      take: [{ from: tip.commit, paths: ['x/k.txt', 'absent/file.txt'] }],
      put: [
        { path: 'run.sh', text: 'changed\n' },
        { path: 'top/below', text: 'b\n' },
      ],
    });
    expect(git(user, 'ls-tree', '-r', '--format=%(objectmode) %(path)', tree).split('\n')).toEqual([
      '100755 run.sh',
      '100644 top/below',
      '100644 x/k.txt',
      '100644 x/y/z.txt',
    ]);
    const empty = await workspace.compose({ tree: tip.tree, put: [{ path: 'n', text: '' }] });
    const without = await workspace.compose({
      tree: tip.tree,
      take: [{ from: empty, paths: ['x/y/z.txt', 'n'] }],
    });
    expect(await workspace.listFiles(without)).toEqual(['n', 'run.sh', 'top', 'x/k.txt', 'x/y/z.txt']);
    expect(await workspace.compose({ tree: without, take: [{ from: tip.commit, paths: ['n'] }] })).toBe(
      tip.tree,
    );
    await expect(
      workspace.compose({ tree: tip.tree, put: [{ path: '../out', text: 'x' }] }),
    ).rejects.toThrow();
    await expect(
      workspace.compose({ tree: tip.tree, put: [{ path: 'a/.git/config', text: 'x' }] }),
    ).rejects.toThrow();
  });

  test('any files put in place give the tree that git makes of them on disk', async () => {
    const name = fc.constantFrom('a', 'b', 'x', 'y', 'a.b', 'a-b', 'ä', 'top ');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map(parts => `${parts.join('/')}.txt`);
    const files = fc.dictionary(path, fc.string(), { minKeys: 1, maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(files, async put => {
        const { dir } = await workspace.prepare(0, tip.commit);
        write(dir, put);
        const { tree } = await workspace.snapshot(0);
        const list = Object.entries(put).map(([path, text]) => ({ path, text }));
        expect(await workspace.compose({ tree: tip.tree, put: list })).toBe(tree);
        const paths = Object.keys(put);
        expect(await workspace.compose({ tree, take: [{ from: tip.commit, paths }] })).toBe(tip.tree);
        for (const [path, text] of Object.entries(put))
          expect(readFileSync(join(dir, path), 'utf8')).toBe(text);
      }),
      { numRuns: 15 },
    );
  });
});
