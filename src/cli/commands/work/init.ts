import { chmodSync, existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createStateDir } from '../../../adapters/artifacts/state-dir.ts';
import { writeAtomic } from '../../../adapters/artifacts/write-atomic.ts';
import { getBaseEnv } from '../../../adapters/git/repo/git-env.ts';
import type { GitPlaces } from '../../../adapters/git/repo/git-files.ts';
import { readIfThere } from '../../../adapters/git/repo/git-files.ts';
import { openRepo } from '../../../adapters/git/repo/repo.ts';
import { runGit } from '../../../adapters/git/repo/run-git.ts';
import { findMissingProgram } from '../../../app/doctor/commands.ts';
import { checkGit } from '../../../app/doctor/machine.ts';
import { findPlaces, getWhere, type Where } from '../../../app/project/open-checkout.ts';
import { createRepoReader } from '../../../app/project/repo-reader.ts';
import { refuseCommandless } from '../../../app/run/refuse-commandless.ts';
import { createFeaturesJson } from '../../../backlog/edit/add-task.ts';
import { AGENT_SCRIPT, getAgentScript } from '../../../config/agent-script.ts';
import type { DetectedProject } from '../../../config/detect/detection.ts';
import { detectAround } from '../../../config/detect/folder.ts';
import { getAdvice, getChosenAgent, renderConfig, type Seen } from '../../../config/detect/render-config.ts';
import { findConfigFile } from '../../../config/find-config.ts';
import { loadConfig, parseConfig } from '../../../config/load.ts';
import { HarnessError } from '../../../core/base/failure.ts';
import { withTrialWatcher } from '../../render/watch.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';
import type { InitOptions } from './init-spec.ts';

interface Plan {
  readonly places: GitPlaces;
  /** Null when there is a config already, which then is what counts. */
  readonly detected: DetectedProject | null;
  /** What was seen of its commands; null when they were not tried. */
  readonly seen: Seen | null;
  readonly configFile: string;
  readonly backlogPath: string;
  readonly stateDir: string;
  readonly write: readonly { readonly path: string; readonly text: string }[];
  readonly kept: readonly string[];
  /** What is missing on this machine: for the person who looks, not for the configuration. */
  readonly missing: readonly string[];
}

/** `harness init`: writes what is missing, overwrites nothing, commits nothing; with a spec, what a planner makes of it. */
export async function init(io: Io, given: InitOptions): Promise<void> {
  if (given.spec !== undefined) return (await import('./init-spec.ts')).initFromSpec(io, given);
  const options = withScript(given);
  const where = getWhere(io, options.repo);
  const places = await findPlaces(where);
  await refuseUnusable(where.cwd);
  refuseCommandless(options);
  const plan = await getPlan(io, places, where, options);
  const isNew = !existsSync(join(plan.stateDir, '.gitignore'));
  if (!options.dryRun) {
    for (const { path, text } of plan.write) writeAtomic(join(places.root, path), text, { durable: true });
    if (plan.write.some(({ path }) => path === AGENT_SCRIPT))
      chmodSync(join(places.root, AGENT_SCRIPT), 0o755);
    createStateDir(plan.stateDir);
  }
  if (options.json) io.out(JSON.stringify(getReport(plan, isNew, options.dryRun ?? false)));
  else io.out(render(plan, isNew, options.dryRun ?? false, io));
}

/** A script is any program, and the one that is started. */
function withScript(options: InitOptions): InitOptions {
  if (options.script === undefined) return options;
  if (options.agent === undefined && options.command === undefined)
    return { ...options, agent: 'command', command: `./${AGENT_SCRIPT}` };
  const fix = `harness init --script ${options.script}`;
  throw new HarnessError('usage', '--script already says what the agent is', { field: '--script', fix });
}

/** A repository without a commit is fine here; one that git itself refuses is not. */
async function refuseUnusable(cwd: string): Promise<void> {
  const result = await runGit(['rev-parse', '--is-inside-work-tree'], { cwd, env: getBaseEnv() });
  const { status } = await checkGit(cwd);
  if (status !== 'ok' || result.code !== 0 || result.stdout.toString().trim() !== 'true') await openRepo(cwd);
}

async function getPlan(io: Io, places: GitPlaces, where: Where, options: InitOptions): Promise<Plan> {
  const { root, mainRoot } = places;
  const existing = findConfigFile(root);
  const { detected, seen } =
    existing === null ? await findOut(io, root, where, options) : { detected: null, seen: null };
  const configFile = existing ?? '.harness.yaml';
  const chosen = getChosenAgent(options.agent, options.command);
  const configText = detected === null ? null : renderConfig(detected, chosen, seen ?? {});
  const config =
    configText === null
      ? (await loadConfig(root, where.env)).config
      : parseConfig(configText, configFile, {});
  const backlogPath = config.paths.features;
  const hasBacklog = existsSync(join(root, backlogPath));
  const hasScript = existsSync(join(root, AGENT_SCRIPT));
  return {
    places,
    detected,
    seen,
    configFile,
    backlogPath,
    stateDir: join(mainRoot, config.paths.state_dir),
    write: [
      ...(configText === null ? [] : [{ path: configFile, text: configText }]),
      ...(hasBacklog ? [] : [{ path: backlogPath, text: createFeaturesJson(config.project.name) }]),
      ...(options.script === undefined || hasScript
        ? []
        : [{ path: AGENT_SCRIPT, text: getAgentScript(options.script) }]),
    ],
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
  io: Io,
  root: string,
  where: Where,
  options: InitOptions,
): Promise<{ readonly detected: DetectedProject; readonly seen: Seen | null }> {
  const found = await detectAround(root, getFolder(root, where.cwd), createRepoReader(root));
  const isUnborn =
    (await runGit(['rev-parse', '-q', '--verify', 'HEAD'], { cwd: root, env: getBaseEnv() })).code !== 0;
  if (options.run === false || options.dryRun || isUnborn) return { detected: found, seen: null };
  const { tryProject } = await import('../../../app/doctor/try-project.ts');
  const { createProject } = await import('../../../app/project/create-project.ts');
  const open = (detected: DetectedProject) => createProject(where, detected, {});
  return withTrialWatcher(io, watched => tryProject(found, open, { ...watched, triesNetwork: true }));
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
      notes: [...detected.notes, ...plan.missing, ...getAdvice(detected, plan.seen ?? {})],
      seen: plan.seen,
    },
    next: getNextSteps(plan),
  };
}

function render(plan: Plan, isNew: boolean, dryRun: boolean, io: Io): string {
  const style = createStyle(io.colourOut);
  const { write, kept, detected } = plan;
  const lines: string[] = [];
  if (detected) lines.push(...getDetectedLines(detected, plan), '');
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

function getDetectedLines(detected: DetectedProject, { missing, seen }: Plan): string[] {
  const { language, packageManager, full, runner, lint, install } = detected;
  const notes = [...detected.notes.filter(() => full !== null), ...getAdvice(detected, seen ?? {})];
  const tell = (command: string, what: string | undefined) => `${command}${what ? ` (${what})` : ''}`;
  const found =
    language === 'unknown' ? 'not recognised' : [language, packageManager].filter(Boolean).join(', ');
  return [
    `Language: ${found}`,
    `Install:  ${tell(install ?? 'nothing to install', seen?.install)}`,
    `Tests:    ${full === null ? 'no command found: set testing.full in .harness.yaml' : tell(full, seen?.full ?? `read as ${runner}`)}`,
    ...(detected.testNetwork === undefined ? [] : ['Network:  none for the tests, which pass without']),
    `Lint:     ${tell(lint ?? 'none found', seen?.lint)}`,
    ...(detected.typeCheck ? [`Types:    ${tell(detected.typeCheck, seen?.typeCheck)}`] : []),
    ...(detected.build ? [`Build:    ${tell(detected.build, seen?.build)}`] : []),
    ...notes.map(note => `Note:     ${note}`),
    ...(seen?.leftOut ?? []).map(line => `Left out: ${line.replace(' is left out', '')}`),
    ...missing.map(note => `Missing:  ${note}`),
  ];
}

function getNextSteps({ configFile, backlogPath, detected, places, write }: Plan): string[] {
  const scripts = write.some(({ path }) => path === AGENT_SCRIPT) ? [AGENT_SCRIPT] : [];
  const isEmpty = !readIfThere(join(places.root, backlogPath))?.includes('"id"');
  return [
    ...(detected && detected.full === null
      ? [`edit ${configFile}: set testing.full to what runs your tests`]
      : []),
    `git add ${[configFile, backlogPath, ...scripts].join(' ')} && git commit -m "Set up Harness"`,
    isEmpty ? 'harness add "what should be built" --test-file <path>' : 'harness run --dry-run',
  ];
}
