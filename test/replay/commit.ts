import type { Project } from '../honest/project.ts';

type Git = Project['git'];

/** One file that a commit changed. */
export interface Changed {
  readonly path: string;
  readonly isGone: boolean;
  readonly addedLines: number;
}

/** A real commit, taken apart into what its author asked for and what they did. */
export interface Commit {
  readonly id: string;
  readonly parent: string;
  readonly subject: string;
  /** Tests and what lies beside them, and what only the owner of a repository changes: part of the base. */
  readonly given: readonly Changed[];
  /** What the agent plays. */
  readonly source: readonly Changed[];
  /** The test file that the task names; null where no test file was changed. */
  readonly testFile: string | null;
  /** Test files beside it that its author changed, too: what they ask for is part of the task. */
  readonly otherTests: readonly string[];
}

const TESTS =
  /(^|\/)(tests?|specs?|__tests__|__snapshots__|testdata|test_data|fixtures)\/|(^|\/)(tests?|spec)\.\w+$|[._-](tests?|spec|test-d)\.\w+$|(^|\/)(test_\w+|conftest)\.py$/i;

/** Locked versions and pipelines are the owner's, and no task's. */
const OWNERS =
  /^\.github\/|^\.(travis|gitlab-ci|appveyor)\.yml$|^\.circleci\/|(^|\/)(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|uv\.lock|Cargo\.lock|go\.sum|bun\.lockb?)$/;

const CODE = /\.([cm]?[jt]sx?|py|go|rs|java|kt|rb|php|exs?|cs|sh|coffee)$/;
/** Files in folders of tests that others read. */
const HELPERS = /(^|\/)(__snapshots__|testdata|test_data|fixtures|support|helpers?|utils?|lib|data)\//i;
const NAMED = /(^|[/._-])(tests?|spec)\.\w+$|(^|\/)test_\w+\.py$|(^|\/)\w+(Test|Spec)s?\.\w+$/;

export const isGiven = (path: string): boolean => TESTS.test(path) || OWNERS.test(path);

/** Takes a commit apart; renames are told as a file that came and one that went. */
export async function readCommit(git: Git, word: string): Promise<Commit> {
  const id = await git('rev-parse', '--verify', `${word}^{commit}`);
  const parent = await git('rev-parse', '--verify', `${id}^1`);
  const range = ['-r', '-z', '--no-renames', parent, id];
  const status = (await git('diff-tree', '--name-status', ...range)).split('\0');
  const counts = (await git('diff-tree', '--numstat', ...range)).split('\0');
  const added = new Map(counts.map(line => line.split('\t')).map(([n, , path]) => [path, Number(n) || 0]));
  const changed = status.flatMap((word, at): readonly Changed[] => {
    const path = status[at + 1];
    if (at % 2 === 1 || !path) return [];
    return [{ path, isGone: word === 'D', addedLines: added.get(path) ?? 0 }];
  });
  const given = changed.filter(({ path }) => isGiven(path));
  return {
    ...{ id, parent, given },
    subject: await git('log', '-1', '--format=%s', id),
    source: changed.filter(({ path }) => !isGiven(path)),
    ...getTests(given),
  };
}

function getTests(given: readonly Changed[]): Pick<Commit, 'testFile' | 'otherTests'> {
  const [testFile = null, ...otherTests] = rankTestFiles(given);
  return { testFile, otherTests };
}

/** Those that look most like files that a runner collects, the one with most new lines first. */
export function rankTestFiles(given: readonly Changed[]): readonly string[] {
  const tests = given.filter(
    ({ path, isGone }) => !isGone && CODE.test(path) && TESTS.test(path) && !OWNERS.test(path),
  );
  const named = tests.filter(({ path }) => NAMED.test(path));
  const plain = tests.filter(({ path }) => !HELPERS.test(path));
  const [likely = []] = [named, plain, tests].filter(some => some.length > 0);
  return [...likely].sort((a, b) => b.addedLines - a.addedLines).map(({ path }) => path);
}

/** Brings a checkout to the commit before, with the tests of this one; nothing is committed. */
export async function placeBase(git: Git, { id, parent, given }: Commit): Promise<void> {
  await git('read-tree', '--reset', '-u', parent);
  await git('clean', '-fdq');
  const [gone, there] = [given.filter(({ isGone }) => isGone), given.filter(({ isGone }) => !isGone)];
  if (there.length > 0) await git('checkout', '-q', id, '--', ...there.map(({ path }) => path));
  if (gone.length > 0) await git('rm', '-q', '-f', '--', ...gone.map(({ path }) => path));
}
