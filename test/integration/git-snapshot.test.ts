import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SlotLost } from '../../src/core/decide/slot.ts';
import { git, makeRepo, makeTempDir, open, write } from '../support/git-fixture.ts';

const FILES = {
  'src/a.txt': 'a\n',
  'src/keep.txt': 'keep\n',
  'b.txt': 'b\n',
  '.gitignore': 'ignored/\n*.log\n',
  'tracked.log': 'tracked though ignored\n',
};

type Trick = readonly [name: string, play: (dir: string) => void, changes: readonly string[]];

const TRICKS: readonly Trick[] = [
  [
    'skip-worktree does not hide an edit',
    dir => {
      git(dir, 'update-index', '--skip-worktree', 'b.txt');
      write(dir, { 'b.txt': 'changed\n' });
    },
    ['modified b.txt 100644'],
  ],
  [
    'assume-unchanged does not hide an edit',
    dir => {
      git(dir, 'update-index', '--assume-unchanged', 'b.txt');
      write(dir, { 'b.txt': 'changed\n' });
    },
    ['modified b.txt 100644'],
  ],
  [
    'info/exclude does not hide a file',
    dir => write(dir, { '.git/info/exclude': 'secret.txt\n', 'secret.txt': 'x' }),
    ['added secret.txt 100644'],
  ],
  [
    'core.excludesFile does not hide a file',
    dir => {
      const list = join(makeTempDir(), 'list');
      writeFileSync(list, '*.txt\n');
      git(dir, 'config', 'core.excludesFile', list);
      write(dir, { 'new.txt': 'x' });
    },
    ['added new.txt 100644'],
  ],
  [
    'a nested repository with a commit is plain files',
    dir => {
      write(dir, { 'nested/in.txt': 'in\n', 'nested/deep/x.txt': 'x\n', 'nested/no.log': 'ignored' });
      for (const path of ['nested/deep', 'nested']) {
        git(join(dir, path), 'init', '-q');
        git(join(dir, path), 'commit', '-q', '--allow-empty', '-m', 'inner');
      }
    },
    ['added nested/deep/x.txt 100644', 'added nested/in.txt 100644'],
  ],
  [
    'a nested repository without a commit is plain files',
    dir => {
      write(dir, { 'nested/in.txt': 'in\n', 'other.txt': 'o\n' });
      git(join(dir, 'nested'), 'init', '-q');
    },
    ['added nested/in.txt 100644', 'added other.txt 100644'],
  ],
  [
    'a repository made around tracked files hides nothing',
    dir => {
      git(join(dir, 'src'), 'init', '-q');
      git(join(dir, 'src'), 'commit', '-q', '--allow-empty', '-m', 'inner');
      write(dir, { 'src/a.txt': 'changed\n', 'src/new.txt': 'n\n' });
    },
    ['modified src/a.txt 100644', 'added src/new.txt 100644'],
  ],
  [
    'a filter cannot store other bytes than those on disk',
    dir => {
      git(dir, 'config', 'filter.lie.clean', 'cat /dev/null');
      write(dir, { '.gitattributes': '*.txt filter=lie\n', 'b.txt': 'changed\n' });
    },
    ['added .gitattributes 100644', 'modified b.txt 100644'],
  ],
  [
    'hooks and monitors of the agent do not run',
    dir => {
      const trap = `#!/bin/sh\ntouch '${dir}/../trapped'\n`;
      write(dir, {
        '.git/hooks/post-index-change': trap,
        '.git/hooks/pre-commit': trap,
        '.git/trap': trap,
        'b.txt': 'changed\n',
      });
      for (const name of ['hooks/post-index-change', 'hooks/pre-commit', 'trap'])
        chmodSync(join(dir, '.git', name), 0o755);
      git(dir, 'config', 'core.fsmonitor', join(dir, '.git/trap'));
      rmSync(join(dir, '../trapped'), { force: true });
    },
    ['modified b.txt 100644'],
  ],
  [
    'a link out of the tree is a link, and what is behind it stays out',
    dir => symlinkSync('/etc', join(dir, 'etc')),
    ['added etc 120000'],
  ],
  [
    'a folder replaced by a link is files gone and a link added',
    dir => {
      const elsewhere = makeTempDir();
      write(elsewhere, { 'a.txt': 'a\n', 'keep.txt': 'keep\n' });
      rmSync(join(dir, 'src'), { recursive: true });
      symlinkSync(elsewhere, join(dir, 'src'));
    },
    ['added src 120000', 'deleted src/a.txt 000000', 'deleted src/keep.txt 000000'],
  ],
  [
    'a .git replaced by a file changes nothing',
    dir => {
      rmSync(join(dir, '.git'), { recursive: true });
      write(dir, { '.git': 'gitdir: /nowhere\n', 'b.txt': 'changed\n' });
    },
    ['modified b.txt 100644'],
  ],
  [
    'a .git that is gone changes nothing',
    dir => {
      rmSync(join(dir, '.git'), { recursive: true });
      rmSync(join(dir, 'b.txt'));
    },
    ['deleted b.txt 000000'],
  ],
  [
    'what the agent committed and then undid on disk does not count',
    dir => {
      write(dir, { 'b.txt': 'changed\n' });
      git(dir, 'commit', '-q', '-am', 'work');
      write(dir, { 'b.txt': 'b\n', 'c.txt': 'c\n' });
    },
    ['added c.txt 100644'],
  ],
  [
    'files nobody may read are read all the same',
    dir => {
      write(dir, { 'src/a.txt': 'changed\n', 'locked/in.txt': 'in\n' });
      chmodSync(join(dir, 'src/a.txt'), 0o200);
      chmodSync(join(dir, 'locked'), 0o500);
    },
    ['added locked/in.txt 100644', 'modified src/a.txt 100644'],
  ],
  [
    'the .gitignore files of the tree count, and tracked files count in spite of them',
    dir => write(dir, { 'ignored/x': 'x', 'a.log': 'x', 'tracked.log': 'changed\n', 'b.txt': 'b\n' }),
    ['modified tracked.log 100644'],
  ],
];

describe('a snapshot is what is on disk', async () => {
  const workspace = await open(makeRepo(FILES));
  const tip = await workspace.tip();

  test.each(TRICKS)('%s', async (_, play, expected) => {
    const { dir } = await workspace.prepare(0, tip.commit);
    expect(git(dir, 'status', '--porcelain')).toBe('');
    play(dir);
    const { tree } = await workspace.snapshot(0);
    const changes = await workspace.changes(tip.commit, tree);
    expect(changes.map(change => `${change.kind} ${change.path} ${change.mode}`).sort()).toEqual(
      [...expected].sort(),
    );
    expect(existsSync(join(dir, '../trapped'))).toBe(false);
  });

  test('after every trick, preparing the slot again gives exactly the commit', async () => {
    for (const [, play] of TRICKS) {
      const { dir } = await workspace.prepare(0, tip.commit);
      play(dir);
    }
    const { dir } = await workspace.prepare(0, tip.commit);
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
    expect(git(dir, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(dir, 'src/.git'))).toBe(false);
    expect(readFileSync('/etc/hosts', 'utf8')).not.toBe('');
  });
});

describe('snapshots of one slot', async () => {
  const workspace = await open(makeRepo(FILES));
  const tip = await workspace.tip();

  test('a tracked, ignored file that went and came back is not lost', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    rmSync(join(dir, 'tracked.log'));
    expect((await workspace.snapshot(0)).tree).not.toBe(tip.tree);
    write(dir, { 'tracked.log': 'tracked though ignored\n' });
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
  });

  test('an index of ours that was damaged is rebuilt', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    write(dir, { '../harness.git/index': 'garbage', 'b.txt': 'changed\n' });
    const { tree } = await workspace.snapshot(0);
    expect(await workspace.changes(tip.tree, tree)).toEqual([
      { path: 'b.txt', kind: 'modified', mode: '100644' },
    ]);
  });

  test('a name that git cannot hold is an error that names it', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    mkdirSync(join(dir, '.GIT'));
    write(dir, { '.GIT/x': 'x' });
    await expect(workspace.snapshot(0)).rejects.toMatchObject({
      code: 'unproven',
      details: { file: '.GIT/x' },
    });
    expect((await workspace.prepare(0, tip.commit)).dir).toBe(dir);
    expect((await workspace.snapshot(0)).tree).toBe(tip.tree);
  });

  test('hashes equal the ids that git gives, and a link is never followed', async () => {
    const { dir } = await workspace.prepare(0, tip.commit);
    symlinkSync(join(dir, 'src'), join(dir, 'way'));
    const paths = ['b.txt', 'src/a.txt', 'none.txt', 'way/a.txt', '../harness.git/config', 'src'];
    expect(await workspace.hashes(0, paths)).toEqual({
      'b.txt': await workspace.blobId(tip.commit, 'b.txt'),
      'src/a.txt': await workspace.blobId(tip.commit, 'src/a.txt'),
      'none.txt': null,
      'way/a.txt': null,
      '../harness.git/config': null,
      src: await workspace.blobId(tip.commit, 'src'),
    });
  });
});

test('a slot that another repository at the same place has left is lost, and said to be', async () => {
  const dir = makeRepo();
  const before = await open(dir);
  await before.prepare(1, (await before.tip()).commit);
  await before.snapshot(1);
  rmSync(dir, { recursive: true });
  renameSync(makeRepo({ 'other.txt': 'another project\n' }), dir);
  const lost = (await open(dir)).snapshot(1);
  await expect(lost).rejects.toBeInstanceOf(SlotLost);
  await expect(lost).rejects.toThrow('stands on a commit that is not here');
});
