import type { BacklogAtTip } from './backlog-at-tip.ts';
import type { Project } from './open-project.ts';

/** What a person should know before the next run, from the branches and the backlog in their checkout. */
export function getHints(project: Project, backlog: BacklogAtTip, fileText: string | null): string[] {
  const { backlogPath, baseBranch } = project.policy;
  const hints: string[] = [];
  if (backlog.tip === null) {
    hints.push(
      `${baseBranch} and harness/landed have diverged: the next run merges them, or says where they conflict`,
    );
  } else if (backlog.text === null) {
    const fix =
      fileText === null ? 'harness init' : `git add ${backlogPath} && git commit -m "Add the backlog"`;
    hints.push(`${backlogPath} is not committed on ${baseBranch}, so there is nothing to run: ${fix}`);
  } else if (fileText !== null && !isSame(fileText, backlog.text) && !isSame(fileText, backlog.baseText)) {
    hints.push(
      `${backlogPath} here differs from the one on ${baseBranch}; only what is committed runs: git add ${backlogPath} && git commit -m "Update the backlog"`,
    );
  }
  if (backlog.tip?.isLandedAhead)
    hints.push(
      `finished work is on harness/landed: take it with git merge --ff-only --no-overwrite-ignore harness/landed`,
    );
  return hints;
}

function isSame(a: string, b: string | null): boolean {
  return a === b || a.replaceAll('\r\n', '\n') === b?.replaceAll('\r\n', '\n');
}
