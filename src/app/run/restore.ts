import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import { openRepo, type RepoFacts } from '../../adapters/git/repo/repo.ts';
import { isPlanFolder } from '../../backlog/codec.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { parseConfig } from '../../config/load.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { findLastGood, getDamage } from '../project/last-good.ts';
import { findGitDirs, openCheckout, type Where } from '../project/open-checkout.ts';

export interface RestoreResult {
  readonly dryRun: boolean;
  readonly restored: readonly Restored[];
}

export interface Restored {
  readonly file: string;
  /** What is wrong with it. */
  readonly why: string;
  /** A commit, or the name of an earlier copy. */
  readonly from: string;
  /** Where the damaged one is kept. */
  readonly backup: string;
}

/** Puts files of the checkout back that steer the harness and cannot be read; on request alone, and nothing is lost. */
export async function restoreFiles(
  where: Where,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<RestoreResult> {
  const { root } = await findGitDirs(where);
  const repo = await openRepo(where.cwd);
  const restored: Restored[] = [];
  const restore = async (file: string, read: (text: string) => unknown) => {
    const one = await restoreFile({ repo, root, dryRun }, file, read);
    if (one) restored.push(one);
  };
  const config = findConfigFile(root);
  if (config !== null && !config.endsWith('.ts'))
    await restore(config, text => parseConfig(text, config, where.env));
  // Only a configuration that can be read says where the backlog is.
  if (dryRun && restored.length > 0) return { dryRun, restored };
  const { backlogPath, backlog, close } = await openCheckout(where);
  await close();
  if (!isPlanFolder(backlogPath)) await restore(backlogPath, text => backlog.parse(text));
  return { dryRun, restored };
}

interface Place {
  readonly repo: RepoFacts;
  readonly root: string;
  readonly dryRun: boolean;
}

async function restoreFile(
  { repo, root, dryRun }: Place,
  file: string,
  read: (text: string) => unknown,
): Promise<Restored | null> {
  const path = join(root, file);
  const damaged = readIfThere(path);
  const damage = damaged === null ? null : getDamage(damaged, read);
  if (damaged !== null && damage === null) return null;
  const good = await findGood(repo, { root, file }, read);
  if (good === null) {
    // Missing, and nowhere to be had: there never was one.
    if (damage === null) return null;
    const fix = damage.details.fix ?? `repair ${file} by hand`;
    throw new HarnessError(
      damage.code,
      `${damage.message}\nNo version of ${file} that can be read is in its last commits or beside it.`,
      {
        ...damage.details,
        fix,
      },
    );
  }
  const backup = getFreeName(root, `${file}.bak`);
  if (!dryRun) {
    if (damaged !== null) writeAtomic(join(root, backup), damaged, { durable: true });
    writeAtomic(path, good.text, { durable: true });
  }
  return { file, why: damage?.message ?? `${file} is missing`, from: good.from, backup };
}

/** What is committed is what people agreed on; a copy beside the file comes after it. */
async function findGood(
  repo: RepoFacts,
  { root, file }: { readonly root: string; readonly file: string },
  read: (text: string) => unknown,
): Promise<{ readonly from: string; readonly text: string } | null> {
  const committed = await findLastGood(repo, { commit: 'HEAD', path: file }, read);
  if (committed) return { from: `commit ${committed.commit.slice(0, 10)}`, text: committed.text };
  const copy = readIfThere(join(root, `${file}.bak`));
  return copy !== null && getDamage(copy, read) === null ? { from: `${file}.bak`, text: copy } : null;
}

/** An earlier copy is somebody's: it stays. */
function getFreeName(root: string, name: string): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}${n}`;
    if (!existsSync(join(root, free))) return free;
  }
}
