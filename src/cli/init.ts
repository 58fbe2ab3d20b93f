import { existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createStateDir } from '../adapters/artifacts/state-dir.ts';
import { writeAtomic } from '../adapters/artifacts/write-atomic.ts';
import { getBaseEnv } from '../adapters/git/git-env.ts';
import { openRepo } from '../adapters/git/repo.ts';
import { runGit } from '../adapters/git/run-git.ts';
import { createFeaturesJson } from '../backlog/add-task.ts';
import type { DetectedProject } from '../config/detect.ts';
import { detectAround } from '../config/detect-folder.ts';
import { findConfigFile } from '../config/find-config.ts';
import { loadConfig, parseConfig } from '../config/load.ts';
import { getChosenAgent, renderConfig } from '../config/render-config.ts';
import { findMissingProgram } from './doctor-commands.ts';
import type { GitPlaces } from './git-places.ts';
import { readIfThere } from './git-places.ts';
import type { Io } from './io.ts';
import { findPlaces, getWhere, type Where } from './open-checkout.ts';
import type { CommonOptions } from './program.ts';
import { refuseCommandless } from './refuse-commandless.ts';
import { createRepoReader } from './repo-reader.ts';
import { createStyle } from './style.ts';

export interface InitOptions extends CommonOptions {
  readonly dryRun?: boolean;
  readonly spec?: string;
  readonly yes?: boolean;
  readonly agent?: string;
  readonly command?: string;
}

interface Plan {
  readonly places: GitPlaces;
  /** Null when there is a config already, which then is what counts. */
  readonly detected: DetectedProject | null;
  readonly configFile: string;
  readonly backlogPath: string;
  readonly stateDir: string;
  readonly write: readonly { readonly path: string; readonly text: string }[];
  readonly kept: readonly string[];
  /** What is missing on this machine: for the person who looks, not for the configuration. */
  readonly missing: readonly string[];
}

/** `harness init`: writes what is missing, overwrites nothing, commits nothing; with a spec, what a planner makes of it. */
export async function init(io: Io, options: InitOptions): Promise<void> {
  if (options.spec !== undefined) return (await import('./init-spec.ts')).initFromSpec(io, options);
  const where = getWhere(io, options.repo);
  const places = await findPlaces(where);
  await refuseUnusable(where.cwd);
  refuseCommandless(options);
  const plan = await getPlan(places, where, options);
  const isNew = !existsSync(join(plan.stateDir, '.gitignore'));
  if (!options.dryRun) {
    for (const { path, text } of plan.write) writeAtomic(join(places.root, path), text, { durable: true });
    createStateDir(plan.stateDir);
  }
  if (options.json) io.out(JSON.stringify(getReport(plan, isNew, options.dryRun ?? false)));
  else io.out(render(plan, isNew, options.dryRun ?? false, io));
}

/** A repository without a commit is fine here; one that git itself refuses is not. */
async function refuseUnusable(cwd: string): Promise<void> {
  const result = await runGit(['rev-parse', '--is-inside-work-tree'], { cwd, env: getBaseEnv() });
  if (result.code !== 0 || result.stdout.toString().trim() !== 'true') await openRepo(cwd);
}

async function getPlan(places: GitPlaces, { cwd, env }: Where, options: InitOptions): Promise<Plan> {
  const { root, mainRoot } = places;
  const existing = findConfigFile(root);
  const detected =
    existing === null ? await detectAround(root, getFolder(root, cwd), createRepoReader(root)) : null;
  const configFile = existing ?? '.harness.yaml';
  const configText =
    detected === null ? null : renderConfig(detected, getChosenAgent(options.agent, options.command));
  const config =
    configText === null ? (await loadConfig(root, env)).config : parseConfig(configText, configFile, {});
  const backlogPath = config.paths.features;
  const hasBacklog = existsSync(join(root, backlogPath));
  return {
    places,
    detected,
    configFile,
    backlogPath,
    stateDir: join(mainRoot, config.paths.state_dir),
    write: [
      ...(configText === null ? [] : [{ path: configFile, text: configText }]),
      ...(hasBacklog ? [] : [{ path: backlogPath, text: createFeaturesJson(config.project.name) }]),
    ],
    missing: detected === null ? [] : getMissing(detected, root),
    kept: [...(configText === null ? [configFile] : []), ...(hasBacklog ? [backlogPath] : [])],
  };
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

function getReport(plan: Plan, isNew: boolean, dryRun: boolean) {
  const { detected, write, kept, stateDir, places } = plan;
  return {
    dryRun,
    changed: !dryRun && (write.length > 0 || isNew),
    root: places.root,
    written: write.map(file => (dryRun ? file : file.path)),
    kept,
    stateDir: relative(places.root, stateDir) || '.',
    detected: detected && {
      language: detected.language,
      runner: detected.full === null ? null : detected.runner,
      test: detected.full,
      install: detected.install,
      lint: detected.lint,
      typeCheck: detected.typeCheck ?? null,
      build: detected.build ?? null,
      notes: [...detected.notes, ...plan.missing],
    },
    next: getNextSteps(plan),
  };
}

function render(plan: Plan, isNew: boolean, dryRun: boolean, io: Io): string {
  const style = createStyle(io.colourOut);
  const { write, kept, detected } = plan;
  const lines: string[] = [];
  if (detected) lines.push(...getDetectedLines(detected, plan.missing), '');
  for (const { path, text } of write) {
    lines.push(`${dryRun ? 'would write' : style.good('wrote')} ${path}`);
    if (dryRun)
      lines.push(
        ...text
          .trimEnd()
          .split('\n')
          .map(line => `  ${style.dim('│')} ${line}`.trimEnd()),
      );
  }
  for (const path of kept) lines.push(`kept ${path} as it is`);
  if (write.length === 0 && !isNew) lines.push('Nothing to do: this project is set up.');
  if (dryRun) lines.push('', 'No changes made.', style.dim('next: harness init'));
  else lines.push('', 'Next:', ...getNextSteps(plan).map(step => `  ${step}`));
  return lines.join('\n');
}

function getDetectedLines(detected: DetectedProject, missing: readonly string[]): string[] {
  const { language, packageManager, full, runner, lint, install, notes } = detected;
  const found =
    language === 'unknown' ? 'not recognised' : [language, packageManager].filter(Boolean).join(', ');
  return [
    `Language: ${found}`,
    `Install:  ${install ?? 'nothing to install'}`,
    `Tests:    ${full === null ? 'no command found: set testing.full in .harness.yaml' : `${full} (read as ${runner})`}`,
    `Lint:     ${lint ?? 'none found'}`,
    ...(detected.typeCheck ? [`Types:    ${detected.typeCheck}`] : []),
    ...(detected.build ? [`Build:    ${detected.build}`] : []),
    ...notes.filter(() => full !== null).map(note => `Note:     ${note}`),
    ...missing.map(note => `Missing:  ${note}`),
  ];
}

function getNextSteps({ configFile, backlogPath, detected, places }: Plan): string[] {
  const isEmpty = !readIfThere(join(places.root, backlogPath))?.includes('"id"');
  return [
    ...(detected && detected.full === null
      ? [`edit ${configFile}: set testing.full to what runs your tests`]
      : []),
    `git add ${configFile} ${backlogPath} && git commit -m "Set up Harness"`,
    isEmpty ? 'harness add "what should be built" --test-file <path>' : 'harness run --dry-run',
  ];
}
