import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import { checkStoreFile } from '../../adapters/store/store-files.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getCount } from '../../core/base/text.ts';
import { findGitDirs, getWhere, openCheckout, type Where } from '../project/open-checkout.ts';
import { openProject } from '../project/open-project.ts';
import { describeStore } from '../project/store/describe-store.ts';
import { readStatus } from './read-status.ts';

/** Where the project stands, in one line, and the next step. */
export interface Overview {
  readonly state: string;
  readonly next: string;
}

/** Looks, and changes nothing: where nothing was recorded yet, nothing is. */
export async function readOverview(here: Pick<Where, 'cwd' | 'env'>): Promise<Overview> {
  try {
    return await readAround(getWhere(here, here.env.HARNESS_TARGET_REPO || undefined));
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    const { fix = 'harness doctor' } = error.details;
    return { state: error.message.split('\n', 1)[0] ?? '', next: fix.split('\n', 1)[0] ?? '' };
  }
}

async function readAround(where: Where): Promise<Overview> {
  const { root } = await findGitDirs(where);
  if (findConfigFile(root) === null)
    return {
      state: `${root} is not set up`,
      next: 'harness init   (or, to judge what you have changed without any set-up: harness verify --base main)',
    };
  const { stateDir, backlogPath, backlog, config } = await openCheckout(where);
  const isShared = config.store.url !== null;
  if (isShared ? await hasSharedEvents(where) : existsSync(stateDir) && checkStoreFile(stateDir))
    return readRecorded(where);
  const text = readIfThere(join(root, backlogPath));
  const open = text === null ? 0 : backlog.parse(text).tasks.length;
  const { name } = config.project;
  if (open === 0)
    return { state: `${name}: no task yet`, next: 'harness add "what should be built" --test-file <path>' };
  return {
    state: `${name}: ${getCount(open, 'task')}, and nothing has run yet`,
    next: 'harness doctor, then harness run',
  };
}

/** Whether any clone has recorded something there; asked without making the project in the database. */
async function hasSharedEvents(where: Where): Promise<boolean> {
  const { config, stateDir, gitDirs } = await openCheckout(where);
  const { events } = await describeStore({ config, stateDir, root: gitDirs.root });
  return events > 0;
}

/** From the same view as `status`. */
async function readRecorded(where: Where): Promise<Overview> {
  const opened = await openProject(where);
  try {
    const { project, counts, total, next, questions, hints, active } = await readStatus(opened, {});
    const parts = [
      getCount(total, 'task'),
      `${counts.landed} landed`,
      ...(active.length > 0 ? [`${active.length} being worked on`] : []),
      ...(questions.length > 0 ? [`${questions.length} waiting for you`] : []),
    ];
    const state = `${project}: ${parts.join(', ')}`;
    if (questions.length > 0) return { state, next: 'harness inbox' };
    if (hints[0] !== undefined) return { state, next: hints[0] };
    if (active.length > 0) return { state, next: 'harness status' };
    if (next) return { state, next: `harness run   (task ${next.id}: ${next.title})` };
    return { state, next: counts.landed === total ? 'harness add "…", or harness report' : 'harness status' };
  } finally {
    await opened.close();
  }
}
