import { statSync } from 'node:fs';
import { join } from 'node:path';
import { HarnessError } from '../../core/base/failure.ts';
import { getShellQuoted } from '../../core/base/shell-quoted.ts';
import { getShortRef } from '../../core/base/short-ref.ts';
import { findMeantPath } from '../../core/base/tree-path.ts';
import type { TaskDef } from '../../core/model/task.ts';
import type { Workspace } from '../../ports/index.ts';
import { checkAgents } from '../doctor/agents.ts';
import { readBacklogAtTip } from '../project/backlog-at-tip.ts';
import type { Project } from '../project/open-project.ts';

/** What `doctor` would refuse, before an attempt is begun for it: no task pays for what nobody could do. */
export function createGate(project: Project, workspace: Workspace): (task: TaskDef) => Promise<void> {
  let agents: Promise<void> | null = null;
  return async task => {
    agents ??= refuseAgents(project, workspace);
    await agents;
    await refuseTestFile(project, workspace, task);
  };
}

async function refuseAgents(project: Project, workspace: Workspace): Promise<void> {
  const { ref, commit } = await workspace.tip();
  // Of a remote's branch there may be no name here, or one that is behind.
  const base = project.repo.remote === null ? getShortRef(ref) : commit.slice(0, 12);
  const found = await checkAgents(project, base);
  const failed = found.find(({ status }) => status === 'fail');
  if (!failed) return;
  const { detail: message, fix = 'harness doctor' } = failed;
  throw new HarnessError('config', message, { file: project.configFile, field: 'agent', fix });
}

/** The same of every open task, for a run that nobody may be watching when it comes to them. */
export async function refuseTestFiles(project: Project, workspace: Workspace): Promise<void> {
  const { text, tip } = await readBacklogAtTip(project);
  if (text === null || tip === null) return;
  const open = project.backlog.parse(text).tasks.filter(({ passes }) => !passes);
  for (const { def } of open) await refuseTestFile(project, workspace, def);
}

/** A test that only the checkout has would be written anew by whom it should judge. */
async function refuseTestFile(
  { root, policy }: Project,
  workspace: Workspace,
  { id, testFile: path }: TaskDef,
): Promise<void> {
  if (path === null) return;
  const { commit, ref } = await workspace.tip();
  if ((await workspace.blobId(commit, path)) !== null) return;
  const branch = getShortRef(ref);
  if (isFile(join(root, path))) {
    const file = getShellQuoted(path);
    const message = `${path} of task ${id} is in your checkout and not committed on ${branch}: the agent would write another in its place`;
    const fix = `git add ${file} && git commit -m "Approve the test of task ${id}"   (or remove it, and the agent writes the test)`;
    throw new HarnessError('repo', message, { file: path, fix });
  }
  const meant = findMeantPath(path, await workspace.listFiles(commit));
  if (meant === null) return;
  const message = `${path} of task ${id} is not there, and ${meant} is`;
  const fix = `name ${meant} as the test_file of task ${id} in ${policy.backlogPath} and commit it`;
  throw new HarnessError('backlog', message, { file: policy.backlogPath, field: 'test_file', fix });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
