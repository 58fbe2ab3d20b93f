import { join } from 'node:path';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import { getHints } from '../project/get-hints.ts';
import { findPlaces } from '../project/open-checkout.ts';
import type { Project } from '../project/open-project.ts';
import type { Checkup } from './finding.ts';

type Finding = Omit<Checkup, 'name'>;

/** The repository's state; an operation in progress keeps its branch from being moved, not us from working. */
export async function checkRepo(cwd: string, project: Project | null): Promise<Finding> {
  if (project === null) return { status: 'ok', detail: (await findPlaces({ cwd, env: {} })).root };
  const { root, baseBranch, notes } = project.repo;
  const detail = `${root}, base branch ${baseBranch}`;
  if (notes.length === 0) return { status: 'ok', detail };
  return {
    status: 'warn',
    detail: [detail, ...notes].join('\n'),
    fix: 'finish or abort what is in progress when you can',
  };
}

/** The committed backlog, and how far the one in the checkout is from it. */
export async function checkBacklog(project: Project): Promise<Finding> {
  const { backlogPath } = project.policy;
  const backlog = await readBacklogAtTip(project);
  const hints = getHints(project, backlog, readIfThere(join(project.root, backlogPath)));
  const text = backlog.text ?? backlog.baseText;
  if (text === null) return { status: 'fail', detail: hints[0] ?? '', fix: `commit ${backlogPath}` };
  const { tasks, warnings } = project.backlog.parse(text);
  const open = tasks.filter(task => !task.passes).length;
  const detail = [`${backlogPath}: ${tasks.length} tasks, ${open} open`, ...hints, ...warnings].join('\n');
  return { status: hints.length + warnings.length > 0 ? 'warn' : 'ok', detail };
}
