import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type GitPlaces, readIfThere, readRefFile } from '../../adapters/git/repo/git-files.ts';
import { LANDED_REF } from '../../adapters/git/repo/locks.ts';

/** What the index was brought up to date with, so that the next command can see that it still is. */
export interface HotRecord {
  readonly format: 1;
  readonly configFile: string;
  readonly configText: string;
  readonly headText: string;
  readonly baseRef: string;
  readonly base: string;
  readonly landed: string | null;
  readonly backlogPath: string;
  readonly backlogStamp: string | null;
  /** The commit whose backlog the index holds. */
  readonly backlogCommit: string | null;
  readonly facts: ViewFacts;
}

/** What an answer needs besides the index: a pure consequence of everything above. */
export interface ViewFacts {
  readonly project: string;
  readonly budget: {
    readonly perTaskUsd: number | null;
    readonly totalUsd: number | null;
    readonly maxInterruptions: number;
  };
  /** What the person should know before the next run, a line each. */
  readonly hints: readonly string[];
}

const CONFIG_FILES = ['.harness.yaml', '.harness.yml', 'harness.config.json', 'harness.config.ts'];
/** The file systems' clocks tick in steps: a stamp this young may hide a second write. */
const TICK_MS = 50;

/** One record per checkout: linked worktrees have their own config and HEAD. */
export function getHotKey(root: string): string {
  return `hot:${root}`;
}

/** Where the state probably is, from the config's text; a record found there proves it. */
export function readLikelyStateDir(
  places: GitPlaces,
): { stateDir: string; file: string; text: string } | null {
  const found = CONFIG_FILES.filter(name => existsSync(join(places.root, name)));
  const [file] = found;
  if (file === undefined || found.length > 1 || !isPlainConfig(file)) return null;
  const text = readIfThere(join(places.root, file)) ?? '';
  const named = /["']?state_dir["']?\s*:\s*["']?([\w./-]+)/.exec(text)?.[1];
  return { stateDir: join(places.mainRoot, named ?? '.harness'), file, text };
}

/** A config that says the same whenever it has the same text: no program, no environment. */
export function isPlainConfig(file: string, text = ''): boolean {
  return !file.endsWith('.ts') && !text.includes('${');
}

/** Whether everything the record was made from is as it was; anything unusual is a no. */
export function isCurrent(
  record: HotRecord,
  places: GitPlaces,
  config: { file: string; text: string },
): boolean {
  const { root, gitDir, commonDir } = places;
  return (
    record.format === 1 &&
    record.configFile === config.file &&
    record.configText === config.text &&
    record.headText === readIfThere(join(gitDir, 'HEAD')) &&
    !existsSync(join(commonDir, 'reftable')) &&
    readRefFile(commonDir, record.baseRef) === record.base &&
    readRefFile(commonDir, LANDED_REF) === record.landed &&
    readStamp(join(root, record.backlogPath)) === record.backlogStamp &&
    isOwn(gitDir)
  );
}

/** Size and time of a file; null when it is not there. */
export function readStamp(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.size}:${stat.mtimeMs}` : null;
}

/** Whether a file was written so recently that its stamp could stay the same when it is written again. */
export function isRacy(stamp: string | null, nowMs: number): boolean {
  if (stamp === null) return false;
  const mtimeMs = Number(stamp.split(':')[1]);
  return nowMs - mtimeMs < (Number.isInteger(mtimeMs / 1_000) ? 2_000 : TICK_MS);
}

/** Git refuses a repository of somebody else, so it is git that has to be asked. */
function isOwn(gitDir: string): boolean {
  const uid = process.getuid?.();
  return uid === undefined || statSync(realpathSync(gitDir)).uid === uid;
}
