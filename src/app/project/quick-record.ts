import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type GitDirs, readIfThere, readRefFile } from '../../adapters/git/repo/git-files.ts';
import { LANDED_REF } from '../../adapters/git/repo/locks.ts';
import { listEnvSettings } from '../../config/env-settings.ts';
import type { Env } from '../../config/expand-env.ts';
import { listConfigFiles } from '../../config/find-config.ts';

/** What `status` and `next` may be answered from, as long as nothing it was made from has changed. */
export interface QuickRecord {
  readonly fingerprint: string;
  readonly baseRef: string;
  readonly backlogPath: string;
  /** The commit whose backlog the index holds. */
  readonly backlogCommit: string | null;
  readonly facts: ViewFacts;
}

/** What an answer needs besides the index: a pure consequence of what the fingerprint is made of. */
export interface ViewFacts {
  readonly project: string;
  readonly budget: {
    readonly perTaskUsd: number | null;
    readonly totalUsd: number | null;
    readonly maxInterruptions: number;
  };
  /** After how many landed tasks the code is tidied; absent in records of an older harness. */
  readonly cleanupInterval?: number | null;
  /** What the person should know before the next run, a line each. */
  readonly hints: readonly string[];
}

/** The text of a configuration and its name. */
export interface ConfigText {
  readonly file: string;
  readonly text: string;
}

/** Everything an answer was made from; `undefined` for a ref that only git can read. */
interface Seen {
  readonly config: ConfigText;
  readonly head: string | null;
  readonly base: string | null | undefined;
  readonly landed: string | null | undefined;
  readonly backlogStamp: string | null;
}

/** One record per checkout: linked worktrees have their own config and HEAD. */
export function getQuickKey(root: string): string {
  return `quick:${root}`;
}

/** The same text for the same things, and for nothing else. */
export function getFingerprint({ config, head, base, landed, backlogStamp }: Seen): string {
  return JSON.stringify([config.file, config.text, head, base ?? null, landed ?? null, backlogStamp]);
}

/** Whether everything the record was made from is as it was; anything unusual is a no. */
export function isCurrent(record: QuickRecord, gitDirs: GitDirs, config: ConfigText): boolean {
  const { root, gitDir, commonDir } = gitDirs;
  const [base, landed] = [readRefFile(commonDir, record.baseRef), readRefFile(commonDir, LANDED_REF)];
  if (base === undefined || landed === undefined || !isOwn(gitDir)) return false;
  const head = readIfThere(join(gitDir, 'HEAD'));
  const backlogStamp = readStamp(join(root, record.backlogPath));
  return record.fingerprint === getFingerprint({ config, head, base, landed, backlogStamp });
}

/** The configuration as it lies there, if it is one that says the same whenever it has the same text. */
export function readConfigText(root: string, env: Env): ConfigText | null {
  // What the environment says is in no record.
  if (listEnvSettings(env).length > 0) return null;
  const [file, ...others] = listConfigFiles(root);
  if (file === undefined || others.length > 0 || file.endsWith('.ts')) return null;
  try {
    return { file, text: readFileSync(join(root, file), 'utf8') };
  } catch {
    return null;
  }
}

/** Where the state probably is, from the config's text; a record found there proves it. */
export function getLikelyStateDir({ mainRoot }: GitDirs, { text }: ConfigText): string {
  const named = /["']?state_dir["']?\s*:\s*["']?([\w./-]+)/.exec(text)?.[1];
  return join(mainRoot, named ?? '.harness');
}

/** Size and time of a file; null when it is not there. */
export function readStamp(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.size}:${stat.mtimeMs}` : null;
}

/** Git refuses a repository of somebody else, so it is git that has to be asked. */
function isOwn(gitDir: string): boolean {
  const uid = process.getuid?.();
  return uid === undefined || statSync(realpathSync(gitDir)).uid === uid;
}
