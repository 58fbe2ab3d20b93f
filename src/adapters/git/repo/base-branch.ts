import { HarnessError } from '../../../core/base/failure.ts';

export interface BranchFacts {
  readonly configured: string | null;
  readonly headBranch: string | null;
  readonly originHead: string | null;
  readonly defaultBranch: string | null;
  /** Local branches. */
  readonly branches: ReadonlySet<string>;
  /** Remote branches, as `origin/main`. */
  readonly remotes: ReadonlySet<string>;
}

/** The branch that work starts from and lands on: the configured one, else the one checked out. */
export function getBaseBranch(facts: BranchFacts): string {
  if (facts.branches.has('harness')) {
    throw new HarnessError(
      'repo',
      'a branch named "harness" is in the way: git cannot keep harness/landed beside it',
      {
        fix: 'rename it: git branch -m harness old-harness',
      },
    );
  }
  if (facts.branches.size === 0 && facts.configured === null) throw getEmptyError();
  if (facts.configured !== null) return getConfigured(facts, facts.configured);
  const { headBranch } = facts;
  if (headBranch === null) throw getDetachedError(facts);
  if (headBranch.startsWith('harness/')) return getSuggested(facts) ?? headBranch;
  if (!facts.branches.has(headBranch)) throw getEmptyError(headBranch);
  return headBranch;
}

/** The likeliest base when nothing says which: what origin or git itself calls the default. */
function getSuggested(facts: BranchFacts): string | null {
  const candidates = [facts.originHead, facts.defaultBranch, 'main', 'master'];
  return candidates.find(name => name !== null && facts.branches.has(name)) ?? null;
}

function getConfigured(facts: BranchFacts, name: string): string {
  if (facts.branches.has(name)) return name;
  if (facts.branches.size === 0) throw getEmptyError();
  const remote = [...facts.remotes].find(found => found.endsWith(`/${name}`));
  throw new HarnessError('repo', `the base branch "${name}" does not exist`, {
    field: 'git.base_branch',
    fix: remote
      ? `create it: git branch ${name} ${remote}`
      : `create it (git branch ${name}) or name another one: ${getNames(facts)}`,
  });
}

function getEmptyError(branch?: string): HarnessError {
  const what =
    branch === undefined ? 'the repository has no commits yet' : `the branch "${branch}" has no commits yet`;
  return new HarnessError('repo', what, { fix: 'make a first commit: git add -A && git commit -m "Start"' });
}

function getDetachedError(facts: BranchFacts): HarnessError {
  const name = getSuggested(facts) ?? 'main';
  return new HarnessError('repo', 'HEAD is detached and no base branch is configured', {
    field: 'git.base_branch',
    fix: `git switch ${name}, or set the base branch to ${name} in the config`,
  });
}

function getNames(facts: BranchFacts): string {
  const names = [...facts.branches];
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} …` : names.join(', ');
}
