import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNotes } from '../../src/adapters/git/landing/notes.ts';
import { openContext } from '../../src/adapters/git/repo/context.ts';
import { openRepo } from '../../src/adapters/git/repo/repo.ts';
import { runGit } from '../../src/adapters/git/repo/run-git.ts';
import { git, makeCandidate, makeRepo, makeTempDir, open } from '../support/git-fixture.ts';

const REF = 'refs/notes/harness-proofs';

async function read(dir: string): Promise<ReadonlyMap<string, string>> {
  return readNotes(openContext(await openRepo(dir), runGit, makeTempDir()));
}

describe('a note on a landed commit', () => {
  it('is what git itself shows under that name', async () => {
    const dir = makeRepo();
    const workspace = await open(dir);
    const commit = await makeCandidate(workspace, { 'x.txt': 'x' });
    await workspace.annotate(commit, '{"a":1}\n');
    expect(git(dir, 'notes', '--ref=harness-proofs', 'show', commit)).toBe('{"a":1}');
    expect(await read(dir)).toEqual(new Map([[commit, '{"a":1}\n']]));
    expect(existsSync(join(dir, '.git/logs', REF))).toBe(false);
  });

  it('added twice is added once, and others stay as they are', async () => {
    const dir = makeRepo();
    git(dir, 'notes', 'add', '-m', 'mine', 'HEAD');
    const before = git(dir, 'rev-parse', 'refs/notes/commits');
    const workspace = await open(dir);
    const [one, two] = [git(dir, 'rev-parse', 'HEAD'), await makeCandidate(workspace, { x: 'x' })];
    await workspace.annotate(one, 'one\n');
    await workspace.annotate(two, 'two\n');
    const tip = git(dir, 'rev-parse', REF);
    await workspace.annotate(one, 'one\n');
    await (await open(dir)).annotate(two, 'two\n');
    expect(git(dir, 'rev-parse', REF)).toBe(tip);
    expect(git(dir, 'rev-parse', 'refs/notes/commits')).toBe(before);
    expect([...(await read(dir)).values()].sort()).toEqual(['one\n', 'two\n']);
  });

  it('is not lost when several are written at once', async () => {
    const dir = makeRepo();
    const workspace = await open(dir);
    const commits = await Promise.all(
      [1, 2, 3, 4].map(n => makeCandidate(workspace, { x: `${n}` }, `T${n}`)),
    );
    await Promise.all(commits.map(commit => workspace.annotate(commit, `${commit}\n`)));
    expect([...(await read(dir)).keys()].sort()).toEqual([...commits].sort());
  });

  it('is found however git has arranged the notes', async () => {
    const dir = makeRepo();
    const head = git(dir, 'rev-parse', 'HEAD');
    git(dir, 'notes', '--ref=harness-proofs', 'add', '-m', 'flat', head);
    expect(await read(dir)).toEqual(new Map([[head, 'flat\n']]));
  });

  it('is written once a lock that a killed run left has been cleared', async () => {
    const dir = makeRepo();
    const workspace = await open(dir);
    const head = git(dir, 'rev-parse', 'HEAD');
    await workspace.annotate(head, 'first\n');
    const lock = join(dir, '.git', `${REF}.lock`);
    writeFileSync(lock, readFileSync(join(dir, '.git', REF)));
    await workspace.recover(true);
    await workspace.annotate(head, 'second\n');
    expect((await read(dir)).get(head)).toBe('second\n');
  });

  it('works in a repository that names objects by sha256', async () => {
    const dir = makeRepo({ 'a.txt': 'a\n' }, '--object-format=sha256');
    const head = git(dir, 'rev-parse', 'HEAD');
    await (await open(dir)).annotate(head, 'x\n');
    expect(git(dir, 'notes', '--ref=harness-proofs', 'show', head)).toBe('x');
  });
});

describe('the files of a tree with their contents', () => {
  it('are those that git lists', async () => {
    const dir = makeRepo({ 'a/b/c.txt': 'c\n', 'a/ü.txt': 'u\n', top: 't\n' });
    const listed = git(dir, '-c', 'core.quotePath=false', 'ls-tree', '-r', 'HEAD').split('\n');
    const expected = listed.map(line => [line.split('\t')[1], line.split(/\s/)[2]]);
    const found = await (await open(dir)).readBlobs(git(dir, 'rev-parse', 'HEAD'));
    expect(Object.entries(found).sort()).toEqual(expected.sort());
  });
});
