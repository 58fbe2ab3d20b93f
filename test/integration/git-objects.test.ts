import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readObjectIds, readObjects } from '../../src/adapters/git/objects/objects.ts';
import { openContext } from '../../src/adapters/git/repo/context.ts';
import { openRepo } from '../../src/adapters/git/repo/repo.ts';
import { runGit } from '../../src/adapters/git/repo/run-git.ts';
import { git, makeRepo, makeTempDir, open, SHELL_ENV } from '../support/git-fixture.ts';

async function openObjects(user: string) {
  return openContext(await openRepo(user), runGit, makeTempDir());
}

/** The gits that wait for questions of this process. */
function findServers(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const isOurs =
          readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === `${process.pid}`;
        return isOurs && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('--batch-command')
          ? [Number(name)]
          : [];
      } catch {
        return [];
      }
    });
}

describe('the git that answers questions about objects', async () => {
  const user = makeRepo({ 'a.txt': 'a\n', 'with\nnewline.txt': 'n\n', 'big.bin': 'x'.repeat(3_000_000) });
  const ctx = await openObjects(user);
  const start = git(user, 'rev-parse', 'HEAD');

  test('is one for all questions, many at once', async () => {
    const before = findServers().length;
    const questions = Array.from({ length: 50 }, (_, at) =>
      readObjects(
        ctx,
        at % 2 === 0
          ? [`${start}:a.txt`, `${start}:none`, `${start}:big.bin`]
          : [`${start}:with\nnewline.txt`],
      ),
    );
    for (const [at, found] of (await Promise.all(questions)).entries()) {
      expect(found.map(object => object?.body.length ?? null)).toEqual(
        at % 2 === 0 ? [2, null, 3_000_000] : [2],
      );
    }
    expect(findServers().length).toBe(before + 1);
  });

  test('tells what is there from what is not, whatever the name', async () => {
    const id = git(user, 'rev-parse', `${start}:a.txt`);
    const names = [
      `${start}:a.txt`,
      `${start}:a.txt missing\nHEAD:a.txt`,
      `${start}:x\n`,
      'f'.repeat(40),
      id,
      `${start}:a.txt`,
    ];
    expect(await readObjectIds(ctx, names)).toEqual([id, null, null, null, id, id]);
  });

  test('sees what came after it was started', async () => {
    git(user, 'commit', '-q', '--allow-empty', '-m', 'later');
    git(user, 'gc', '-q', '--prune=now');
    const later = git(user, 'rev-parse', 'HEAD');
    expect(await readObjectIds(ctx, [later, `${start}:a.txt`])).toEqual([later, expect.any(String)]);
  });

  test('is started again when somebody ends it, and the question under way is answered', async () => {
    const under = readObjects(ctx, [`${start}:big.bin`]);
    for (const pid of findServers()) process.kill(pid, 'SIGKILL');
    expect((await under)[0]?.body.length).toBe(3_000_000);
    expect((await readObjects(ctx, [`${start}:a.txt`]))[0]?.body.toString()).toBe('a\n');
  });

  test('does not keep the process that asked from ending', () => {
    const entry = join(import.meta.dirname, '../support/ask-and-leave.ts');
    const env = { ...SHELL_ENV, HARNESS_CACHE_DIR: makeTempDir() };
    const run = ['scripts/run.js', entry.slice(entry.indexOf('test/')), user, start];
    expect(execFileSync(process.execPath, run, { env, encoding: 'utf8', timeout: 8_000 }).trim()).toBe(
      'asked',
    );
  });
});

describe('objects written without git', async () => {
  const user = makeRepo();
  const workspace = await open(user);
  const tip = await workspace.tip();

  test('are those that git would have written', async () => {
    const put = [{ path: 'deep/er/file.txt', text: 'hello\n' }];
    const tree = await workspace.compose({ tree: tip.tree, put });
    const file = join(user, '.git/objects', tree.slice(0, 2), tree.slice(2));
    expect(statSync(file).mode & 0o777).toBe(0o444);
    expect(git(user, 'cat-file', 'blob', `${tree}:deep/er/file.txt`)).toBe('hello');
    expect(git(user, 'fsck', '--strict', '--no-dangling')).toBe('');
  });

  test.each([
    ['Ada', 'ada@example.org', 'Add\n\nbody\n'],
    ['Dr. Jürgen "J." Groß.', ' j@example.org ', 'Über\n\nHarness-Task: 1'],
    ['.,:;', "o'b@x", '\n\nlots of space   \n\n\n'],
  ])('a commit by %s is the same as by git', async (name, email, message) => {
    const repo = makeRepo();
    git(repo, 'config', 'user.name', name);
    git(repo, 'config', 'user.email', email);
    const own = await open(repo);
    const { commit: parent, tree } = await own.tip();
    const made = await own.commit({ tree, parent, message, atMs: 1_700_000_000_000 });
    const [person] = git(repo, 'show', '-s', '--format=%an <%ae>', made).split('\n');
    expect(git(repo, 'fsck', '--strict', '--no-dangling')).toBe('');
    const date = '@1700000000 +0000';
    const env = {
      ...SHELL_ENV,
      ...{
        GIT_AUTHOR_NAME: /\w/.test(name) ? name : 'Harness',
        GIT_AUTHOR_EMAIL: email,
        GIT_AUTHOR_DATE: date,
      },
      ...{
        GIT_COMMITTER_NAME: 'Harness',
        GIT_COMMITTER_EMAIL: 'harness@localhost',
        GIT_COMMITTER_DATE: date,
      },
    };
    const args = ['commit-tree', tree, '-p', parent];
    const input = `${message.trimEnd()}\n`;
    expect(execFileSync('git', args, { cwd: repo, env, input, encoding: 'utf8' }).trim()).toBe(made);
    expect(person).not.toContain('Groß.');
  });
});

describe('differences between trees', async () => {
  const user = makeRepo();
  const workspace = await open(user);
  const tip = await workspace.tip();
  const path = fc
    .array(fc.constantFrom('a', 'b', 'a-b', 'c'), { minLength: 1, maxLength: 3 })
    .map(parts => parts.join('/'));
  const files = fc.dictionary(path, fc.constantFrom('1', '2'), { maxKeys: 8 });

  test('are those that git finds', async () => {
    await fc.assert(
      fc.asyncProperty(files, files, async (before, after) => {
        const [from, to] = [await makeTree(before), await makeTree(after)];
        const lines = git(user, 'diff-tree', '-r', '--no-renames', from, to).split('\n').filter(Boolean);
        const expected = lines.map(line => {
          const [, mode = '', status = '', name = ''] = /^:\d+ (\d+) \w+ \w+ (\w)\t(.*)$/.exec(line) ?? [];
          const kind = status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'modified';
          return { path: name, kind, mode };
        });
        const found = await workspace.changes(from, to);
        const sorted = expected.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
        expect(found).toEqual(sorted);
      }),
      { numRuns: 25 },
    );
  });

  /** Files that lie where others need a directory are left out. */
  async function makeTree(files: Readonly<Record<string, string>>): Promise<string> {
    const paths = Object.keys(files).filter(
      one => !Object.keys(files).some(other => other.startsWith(`${one}/`)),
    );
    const put = paths.map(one => ({ path: one, text: files[one] ?? '' }));
    return put.length === 0 ? tip.tree : workspace.compose({ tree: tip.tree, put });
  }
});
