import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GitDirs, readIfThere } from '../../adapters/git/repo/git-files.ts';
import { isPlanFolder } from '../../backlog/codec.ts';
import { getTakenUp, HIDDEN_FILES, type TakenUp, UNUSED } from '../../config/detect/taken-up.ts';
import { getCompletedDir } from '../../config/policy.ts';
import type { Config } from '../../config/sections/schema.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getCount } from '../../core/base/text.ts';
import { createBacklog, createRepoReader } from '../project/open-checkout.ts';
import { validateOwn } from '../project/validate-backlog.ts';

/** What another harness has left in a checkout. */
export async function findTakenUp(root: string): Promise<TakenUp> {
  const hidden = HIDDEN_FILES.filter(path => existsSync(join(root, path)));
  return getTakenUp([...new Set([...(await createRepoReader(root).listFiles()), ...hidden])]);
}

/** What is there already, as settings: nothing that says the same is written beside it. */
export function getOwnSettings(root: string, { backlog, completed, init, reset }: TakenUp) {
  return {
    ...(backlog === null || backlog === 'features.json' ? {} : getBacklogSetting(backlog, completed)),
    ...(init === null ? {} : { init: getScriptCommand(root, init) }),
    ...(reset === null ? {} : { reset: getScriptCommand(root, reset) }),
  };
}

function getBacklogSetting(backlog: string, completed: string | null) {
  return isPlanFolder(backlog) ? { plans: { dir: backlog, completed } } : { features: backlog };
}

/** A script that nobody made executable is read by the shell that it asks for. */
function getScriptCommand(root: string, path: string): string {
  const file = join(root, path);
  try {
    accessSync(file, constants.X_OK);
    return `./${path}`;
  } catch {
    return `${/^#!.*\b(bash|zsh)\b/.exec(readIfThere(file) ?? '')?.[1] ?? 'sh'} ${path}`;
  }
}

interface Settings {
  readonly config: Config;
  readonly configFile: string;
}

/** What was there before and is used from now on, or why it is not. */
export function getTookUp(
  takenUp: TakenUp,
  { config, configFile, isNew }: Settings & { readonly isNew: boolean },
): readonly string[] {
  const { backlog, completed, hasCompleted, others, init, reset } = takenUp;
  const { features, progress } = config.paths;
  const isUsed = backlog === features;
  const completedDir = getCompletedDir(config);
  const isNews = isNew && backlog !== 'features.json';
  const beside = [...(isUsed || backlog === null ? [] : [backlog]), ...others];
  return [
    ...(isUsed && isNews ? [`took up ${backlog}: the backlog, in its own format`] : []),
    ...(isNew && completedDir !== null
      ? [`${hasCompleted ? 'took up ' : ''}${completedDir}: where plans go that have landed`]
      : []),
    ...(init === null ? [] : [`took up ${init}: environment.init, run before every attempt`]),
    ...(reset === null ? [] : [`took up ${reset}: environment.reset, for when that fails`]),
    ...beside
      .filter(path => path !== features)
      .map(
        path => `${path} is not used: set paths.features in ${configFile} to it, or harness import ${path}`,
      ),
    ...(isUsed && hasCompleted && completedDir === null
      ? [`${completed} is not used: set plan.completed_dir in ${configFile} to it`]
      : []),
    ...takenUp.unused
      .filter(path => path !== progress)
      .map(path => `${path} is not used: ${UNUSED[path]?.replace('<config>', configFile)}`),
  ];
}

/** An agent that was asked for beside a configuration that is there, which is what counts. */
export function getIgnoredFlags(
  asked: { readonly agent?: string; readonly command?: string },
  { config, configFile }: Settings,
): readonly string[] {
  const { agent: provider, command } = asked;
  const isSame = config.agent.provider === provider && (!command || config.agent.command === command);
  if (!provider || isSame) return [];
  const agent = JSON.stringify({ provider, ...(command ? { command } : {}) }, null, 1).replace(/\n\s*/g, ' ');
  const key = configFile.endsWith('.json') ? '"agent"' : 'agent';
  const flags = command ? `--agent ${provider} --command has` : `--agent ${provider} has`;
  return [`${flags} no effect, since ${configFile} is there: write ${key}: ${agent} into it`];
}

/** Taken up or not: what is wrong with it is said before a run says it. */
export function getBacklogProblems(gitDirs: GitDirs, config: Config): readonly string[] {
  const { features } = config.paths;
  try {
    const own = {
      ...{ gitDirs, backlogPath: features, completedDir: getCompletedDir(config) },
      backlog: createBacklog(config),
    };
    const { errors, warnings } = validateOwn(own, gitDirs.root);
    return [
      ...errors.map(({ field, message, fix }) => `${features}: ${`${field} ${message}`.trim()}. ${fix}`),
      ...(warnings.length > 0 ? [`${features}: ${getCount(warnings.length, 'warning')}`] : []),
    ];
  } catch (error) {
    if (error instanceof HarnessError) return [error.message];
    throw error;
  }
}
