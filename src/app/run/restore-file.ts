import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import type { RepoFacts } from '../../adapters/git/repo/repo.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { findLastGood, getDamage } from '../project/last-good.ts';
import { getLinked, getMode, replaceFile } from './replace-file.ts';

export interface Restored {
  /** The file itself, where a link led to it. */
  readonly file: string;
  /** What is wrong with it. */
  readonly why: string;
  /** A commit, or the name of an earlier copy. */
  readonly from: string;
  /** Where the damaged one is kept. */
  readonly backup: string;
}

export interface Place {
  readonly repo: RepoFacts;
  readonly root: string;
  /** Git's own folder of this checkout. */
  readonly gitDir: string;
  readonly dryRun: boolean;
}

/** Puts one file back as it was when it could last be read; null where it can be read, or never was there. */
export async function restoreFile(
  { repo, root, gitDir, dryRun }: Place,
  named: string,
  read: (text: string) => unknown,
): Promise<Restored | null> {
  const path = getLinked(join(root, named));
  const file = path.startsWith(`${root}/`) ? relative(root, path) : named;
  const damaged = readIfThere(path);
  const damage = damaged === null ? null : getDamage(damaged, read);
  if (damaged !== null && damage === null) return null;
  const good = await findGood(repo, { root, files: [...new Set([file, named])] }, read);
  if (good === null) {
    // Missing, and nowhere to be had: there never was one.
    if (damage === null) return null;
    throw getNoneError(damage, named);
  }
  const backup = getFreeName(root, `${file}.bak`);
  if (!dryRun) {
    const how = { draftDir: gitDir, mode: getMode(path) };
    if (damaged !== null) replaceFile(join(root, backup), damaged, how);
    replaceFile(path, good.text, how);
  }
  return { file, why: damage?.message ?? `${file} is missing`, from: good.from, backup };
}

function getNoneError({ code, message, details }: HarnessError, file: string): HarnessError {
  const fix = details.fix ?? `repair ${file} by hand`;
  const none = `No version of ${file} that can be read is in its last commits or beside it.`;
  return new HarnessError(code, `${message}\n${none}`, { ...details, fix });
}

/** What is committed is what people agreed on; a copy beside the file comes after it. */
async function findGood(
  repo: RepoFacts,
  { root, files }: { readonly root: string; readonly files: readonly string[] },
  read: (text: string) => unknown,
): Promise<{ readonly from: string; readonly text: string } | null> {
  for (const path of files) {
    const committed = await findLastGood(repo, { commit: 'HEAD', path }, read);
    if (committed) return { from: `commit ${committed.commit.slice(0, 10)}`, text: committed.text };
  }
  for (const file of files) {
    const copy = readIfThere(join(root, `${file}.bak`));
    if (copy !== null && getDamage(copy, read) === null) return { from: `${file}.bak`, text: copy };
  }
  return null;
}

/** An earlier copy is somebody's: it stays. */
function getFreeName(root: string, name: string): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}${n}`;
    if (!existsSync(join(root, free))) return free;
  }
}
