import { chmodSync, existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beginLog } from '../../adapters/artifacts/logs.ts';
import { createStateDir } from '../../adapters/artifacts/state-dir.ts';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { getBaseEnv } from '../../adapters/git/repo/git-env.ts';
import { type GitDirs, readIfThere } from '../../adapters/git/repo/git-files.ts';
import { openRepo } from '../../adapters/git/repo/repo.ts';
import { runGit } from '../../adapters/git/repo/run-git.ts';
import { isPlanFolder } from '../../backlog/codec.ts';
import { createFeaturesJson } from '../../backlog/edit/add-task.ts';
import { AGENT_SCRIPT, getAgentScript, type ScriptKind } from '../../config/agent-script.ts';
import type { DetectedProject } from '../../config/detect/detection.ts';
import { detectAround } from '../../config/detect/folder.ts';
import { getAdvice, getChosenAgent, renderConfig, type Seen } from '../../config/detect/render-config.ts';
import type { TakenUp } from '../../config/detect/taken-up.ts';
import { findConfigFile } from '../../config/find-config.ts';
import { loadConfig, parseConfig } from '../../config/load.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { getCommitLine } from '../../core/shell/commit-line.ts';
import { findMissingProgram } from '../doctor/commands.ts';
import { checkGit } from '../doctor/machine.ts';
import { tryProject } from '../doctor/try-project.ts';
import { createProject } from '../project/create-project.ts';
import { refuseForeign } from '../project/landed/own-files.ts';
import { createRepoReader, findGitDirs, type Where } from '../project/open-checkout.ts';
import { createSilentTrial, getWatch, type Watch, type WatchTrial } from '../project/watch.ts';

import { findTakenUp, getBacklogProblems, getIgnoredFlags, getOwnSettings, getTookUp } from './take-up.ts';
import { listUncommitted } from './test-file.ts';

export { SCRIPT_KINDS } from '../../config/agent-script.ts';

interface Plan {
  readonly gitDirs: GitDirs;
  /** Null when there is a config already, which then is what counts. */
  readonly detected: DetectedProject | null;
  /** What was seen of its commands; null when they were not tried. */
  readonly seen: Seen | null;
  readonly configFile: string;
  readonly project: string;
  readonly backlogPath: string;
  readonly stateDir: string;
  readonly write: readonly { readonly path: string; readonly text: string }[];
  readonly kept: readonly string[];
  readonly takenUp: TakenUp;
  /** What was there before and is used from now on, or why it is not. */
  readonly tookUp: readonly string[];
  /** What is wrong with the backlog that is there. */
  readonly problems: readonly string[];
  /** What is missing on this machine: for the person who looks, not for the configuration. */
  readonly missing: readonly string[];
}

export interface SetUpInput extends Watch {
  /** Says what would be written, and writes nothing. */
  readonly dryRun?: boolean;
  readonly agent?: string;
  /** What starts the agent, where that has to be said. */
  readonly command?: string;
  /** Writes a script that starts it. */
  readonly script?: ScriptKind;
  /** False: what was found out is written untried. */
  readonly run?: boolean;
  readonly watchTrial?: WatchTrial;
}

/** Writes what is missing, overwrites nothing, commits nothing. */
export async function setUp(where: Where, given: SetUpInput = {}): Promise<SetUpResult> {
  const input = withScript(given);
  const gitDirs = await findGitDirs(where);
  await refuseUnusable(where.cwd);
  refuseCommandless(input);
  const plan = await getPlan(gitDirs, where, input);
  const isNew = !existsSync(join(plan.stateDir, '.gitignore'));
  if (!input.dryRun) {
    for (const { path, text } of plan.write) writeAtomic(join(gitDirs.root, path), text, { durable: true });
    if (plan.write.some(({ path }) => path === AGENT_SCRIPT))
      chmodSync(join(gitDirs.root, AGENT_SCRIPT), 0o755);
    createStateDir(plan.stateDir);
    beginLog(plan.stateDir, plan.project, Date.now());
  }
  return getResult(plan, isNew, input.dryRun ?? false);
}

/** A script is any program, and the one that is started. */
function withScript(input: SetUpInput): SetUpInput {
  if (input.script === undefined) return input;
  if (input.agent === undefined && input.command === undefined)
    return { ...input, agent: 'command', command: `./${AGENT_SCRIPT}` };
  const fix = `harness init --script ${input.script}`;
  throw new HarnessError('usage', '--script already says what the agent is', { field: '--script', fix });
}

/** An agent that is any program has to be told which one. */
export function refuseCommandless({
  agent,
  command,
}: {
  readonly agent?: string;
  readonly command?: string;
}): void {
  const needs = agent === 'command' || agent === 'acp';
  if (needs === (command !== undefined && command.trim() !== '')) return;
  const why = needs
    ? `--agent ${agent} needs to be told what to start`
    : 'only --agent command or acp has it';
  const fix = `harness init --agent ${needs ? agent : 'command'} --command "./agent.sh"`;
  throw new HarnessError('usage', `--command: ${why}`, { field: '--command', fix });
}

/** A repository without a commit is fine here; one that git itself refuses is not. */
async function refuseUnusable(cwd: string): Promise<void> {
  const result = await runGit(['rev-parse', '--is-inside-work-tree'], { cwd, env: getBaseEnv() });
  const { status } = await checkGit(cwd);
  if (status !== 'ok' || result.code !== 0 || result.stdout.toString().trim() !== 'true') await openRepo(cwd);
}

async function getPlan(gitDirs: GitDirs, where: Where, options: SetUpInput): Promise<Plan> {
  const { root, mainRoot } = gitDirs;
  const existing = findConfigFile(root);
  const { detected, seen } =
    existing === null ? await findOut(root, where, options) : { detected: null, seen: null };
  const configFile = existing ?? '.harness.yaml';
  const takenUp = await findTakenUp(root);
  const chosen = { ...getChosenAgent(options.agent, options.command), ...getOwnSettings(root, takenUp) };
  const configText = detected === null ? null : renderConfig(detected, chosen, seen ?? {});
  const config =
    configText === null
      ? (await loadConfig(root, where.env)).config
      : parseConfig(configText, configFile, {});
  await refuseForeign(gitDirs, config, configFile);
  const backlogPath = config.paths.features;
  const hasBacklog = existsSync(join(root, backlogPath));
  const used = configText === null ? { ...takenUp, init: null, reset: null } : takenUp;
  // An empty one beside the one that is used would be what runs.
  const needsBacklog = !hasBacklog && takenUp.backlog === null;
  const hasScript = existsSync(join(root, AGENT_SCRIPT));
  return {
    gitDirs,
    detected,
    seen,
    configFile,
    project: config.project.name,
    backlogPath,
    stateDir: join(mainRoot, config.paths.state_dir),
    write: [
      ...(configText === null ? [] : [{ path: configFile, text: configText }]),
      ...(!needsBacklog ? [] : [{ path: backlogPath, text: createFeaturesJson(config.project.name) }]),
      ...(options.script === undefined || hasScript
        ? []
        : [{ path: AGENT_SCRIPT, text: getAgentScript(options.script) }]),
    ],
    takenUp: used,
    tookUp: [
      ...(configText === null ? getIgnoredFlags(options, { config, configFile }) : []),
      ...getTookUp(used, { config, configFile, isNew: configText !== null }),
    ],
    problems: hasBacklog ? getBacklogProblems(gitDirs, config) : [],
    missing: detected === null ? [] : getMissing(detected, root),
    kept: [
      ...(configText === null ? [configFile] : []),
      ...(hasBacklog ? [backlogPath] : []),
      ...(options.script && hasScript ? [AGENT_SCRIPT] : []),
    ],
  };
}

/** What the project is made of, and what came of trying it where something is committed. */
async function findOut(
  root: string,
  where: Where,
  options: SetUpInput,
): Promise<{ readonly detected: DetectedProject; readonly seen: Seen | null }> {
  const found = await detectAround(root, getFolder(root, where.cwd), createRepoReader(root));
  const isUnborn =
    (await runGit(['rev-parse', '-q', '--verify', 'HEAD'], { cwd: root, env: getBaseEnv() })).code !== 0;
  if (options.run === false || options.dryRun || isUnborn) return { detected: found, seen: null };
  const open = (detected: DetectedProject) => createProject(where, detected, {});
  const { watchTrial = createSilentTrial(getWatch(options).signal) } = options;
  return watchTrial(watched => tryProject(found, open, { ...watched, triesNetwork: true }));
}

/** Where in the checkout somebody stands. */
function getFolder(root: string, cwd: string): string {
  const folder = relative(realpathSync(root), realpathSync(cwd));
  return folder.startsWith('..') ? '' : folder.replaceAll('\\', '/');
}

/** Programs that the proposed commands start and that are not there. */
function getMissing({ full, install, lint }: DetectedProject, root: string): readonly string[] {
  const names = [install, full, lint].flatMap(line =>
    line === null ? [] : (findMissingProgram(line, root) ?? []),
  );
  return [...new Set(names)].map(name => `${name} is not installed here: install it before harness run`);
}

export type SetUpResult = Awaited<ReturnType<typeof getResult>>;

async function getResult(plan: Plan, isNew: boolean, dryRun: boolean) {
  const { detected, write, kept, stateDir, gitDirs, missing } = plan;
  const seen = plan.seen ?? {};
  return {
    dryRun,
    changed: !dryRun && (write.length > 0 || isNew),
    isNew,
    root: gitDirs.root,
    written: write.map(file => (dryRun ? file : file.path)),
    kept,
    tookUp: plan.tookUp,
    problems: plan.problems,
    stateDir: relative(gitDirs.root, stateDir) || '.',
    detected: detected && {
      language: detected.language,
      packageManager: detected.packageManager,
      runner: detected.full === null ? null : detected.runner,
      test: detected.full,
      testNetwork: detected.testNetwork ?? null,
      install: detected.install,
      lint: detected.lint,
      typeCheck: detected.typeCheck ?? null,
      build: detected.build ?? null,
      notes: [...detected.notes, ...missing, ...getAdvice(detected, seen)],
      missing,
      advice: getAdvice(detected, seen),
      seen: plan.seen,
    },
    next: await getNextSteps(plan, dryRun),
  };
}

async function getNextSteps(plan: Plan, dryRun: boolean): Promise<string[]> {
  const { configFile, backlogPath, detected, gitDirs, write, takenUp } = plan;
  const { init, reset } = takenUp;
  const scripts = [
    ...(write.some(({ path }) => path === AGENT_SCRIPT) ? [AGENT_SCRIPT] : []),
    ...(init === null ? [] : [init]),
    ...(reset === null ? [] : [reset]),
  ];
  const isFolder = isPlanFolder(backlogPath) && takenUp.backlog === backlogPath;
  const isEmpty = !isFolder && !readIfThere(join(gitDirs.root, backlogPath))?.includes('"id"');
  const backlog =
    existsSync(join(gitDirs.root, backlogPath)) || takenUp.backlog === null ? [backlogPath] : [];
  const files = [configFile, ...backlog, ...scripts];
  const open = dryRun ? files : await listUncommitted(gitDirs.root, files);
  return [
    ...(detected && detected.full === null
      ? [`edit ${configFile}: set testing.full to what runs your tests`]
      : []),
    ...(plan.problems.length > 0 ? ['harness validate'] : []),
    ...(open.length === 0 ? [] : [getCommitLine(files, 'Set up Harness')]),
    isEmpty ? 'harness add "what should be built" --test-file <path>' : 'harness run --dry-run',
  ];
}
