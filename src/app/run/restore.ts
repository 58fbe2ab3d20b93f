import { openRepo } from '../../adapters/git/repo/repo.ts';
import { isPlanFolder } from '../../backlog/codec.ts';
import { readBundle, writeBundle } from '../../backlog/folder-workspace.ts';
import { BacklogError, type Problem } from '../../backlog/read/problem.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { parseConfig } from '../../config/load.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Backlog } from '../../ports/index.ts';
import { getDamage } from '../project/last-good.ts';
import { findGitDirs, openCheckout, type Where } from '../project/open-checkout.ts';
import { readPlansOnDisk } from '../project/plans-on-disk.ts';
import { type Restored, restoreFile } from './restore-file.ts';

export interface RestoreResult {
  readonly dryRun: boolean;
  readonly restored: readonly Restored[];
}

/** Puts files of the checkout back that steer the harness and cannot be read; on request alone, and nothing is lost. */
export async function restoreFiles(
  where: Where,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<RestoreResult> {
  const { root, gitDir } = await findGitDirs(where);
  const repo = await openRepo(where.cwd);
  const restored: Restored[] = [];
  const restore = async (file: string, read: (text: string) => unknown) => {
    const one = await restoreFile({ repo, root, gitDir, dryRun }, file, read);
    if (one) restored.push(one);
  };
  const config = findConfigFile(root);
  if (config !== null && !config.endsWith('.ts'))
    await restore(config, text => parseConfig(text, config, where.env));
  // Only a configuration that can be read says where the backlog is.
  if (dryRun && restored.length > 0) return { dryRun, restored };
  const { backlogPath, completedDir, backlog, close } = await openCheckout(where);
  await close();
  if (!isPlanFolder(backlogPath)) {
    await restore(backlogPath, text => backlog.parse(text));
    return { dryRun, restored };
  }
  const { text } = readPlansOnDisk(root, { folder: backlogPath, completed: completedDir });
  for (const name of getDamagedPlans(backlog, text))
    await restore(`${backlogPath}/${name}`, plan => readPlan(backlog, text, { name, plan }));
  return { dryRun, restored };
}

/** Plans that cannot be read by themselves; what one says of another is no damage. */
function getDamagedPlans(backlog: Backlog, text: string): readonly string[] {
  const damage = getDamage(text, plans => backlog.parse(plans));
  const problems = damage instanceof BacklogError ? damage.problems : [];
  return Object.keys(readBundle(text)).filter(name => problems.some(problem => isOf(problem, name)));
}

/** Refuses a plan as it would be refused among the others. */
function readPlan(
  backlog: Backlog,
  text: string,
  { name, plan }: { readonly name: string; readonly plan: string },
): void {
  const damage = getDamage(writeBundle({ ...readBundle(text), [name]: plan }), all => backlog.parse(all));
  const own = damage instanceof BacklogError ? damage.problems.filter(problem => isOf(problem, name)) : [];
  const [first] = own;
  if (!first || damage === null) return;
  const message = own.map(problem => `${problem.field} ${problem.message}`).join('\n');
  throw new HarnessError(damage.code, message, { ...damage.details, field: first.field, fix: first.fix });
}

function isOf({ field }: Problem, name: string): boolean {
  return field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`);
}
