import { createFeaturesJson } from '../backlog/edit/add-task.ts';
import { detectProject } from '../config/detect/detect.ts';
import type { DetectedProject, Detection, RepoReader } from '../config/detect/detection.ts';
import { getChosenAgent, renderConfig } from '../config/detect/render-config.ts';
import { getUtcMinute } from '../core/base/utc-minute.ts';
import { MANIFEST_FILES } from '../core/code/manifest.ts';
import { PLAN_LANGUAGES, type Plan } from '../core/decide/plan.ts';
import { NOTES_LINE, NOTES_RULE } from '../core/prompt/progress-notes.ts';
import { getRelativeProgram } from '../core/shell/command-line.ts';
import { getScaffold, type PlanFile } from './scaffold.ts';

export interface SetupRequest {
  readonly plan: Plan;
  /** The folder of the project, for its name. */
  readonly root: string;
  /** What is there already: none of it is written over. */
  readonly repo: RepoReader;
  readonly hasConfig: boolean;
  /** Nothing has ever been committed: what a project is told by has to come with the first commit. */
  readonly isUnborn: boolean;
  readonly provider: string;
  /** What starts it, where that has to be said; a program of the folder comes with the first commit. */
  readonly command?: string | null;
  readonly paths: { readonly features: string; readonly progress: string; readonly state_dir: string };
  readonly atMs: number;
}

export interface Setup {
  readonly detected: DetectedProject;
  readonly files: readonly PlanFile[];
}

/** Everything but the tasks that a planned project begins with; only what is missing, except one line in .gitignore. */
export async function getSetup(request: SetupRequest): Promise<Setup> {
  const { plan, repo, hasConfig, provider, paths, atMs } = request;
  const existing = new Set(await repo.listFiles());
  const isMissing = ({ path }: PlanFile): boolean => !existing.has(path);
  const scaffold = await getFirstFiles(request);
  const found = await detectProject(request.root, withFiles(repo, scaffold));
  const detected = { ...withTests(found), name: plan.project ?? found.name };
  const scripts = getEnvironmentScripts(detected).filter(isMissing);
  const has = (path: string): boolean =>
    existing.has(path) || scripts.some(({ path: other }) => other === path);
  const agent = getChosenAgent(provider, request.command);
  const config = renderConfig(detected, { ...agent, ...(has('init.sh') ? ENVIRONMENT : {}) });
  const before = await repo.readFile('.gitignore');
  const ignored = scaffold.find(({ path }) => path === '.gitignore')?.text ?? before ?? '';
  const files = [
    ...scaffold.filter(({ path }) => path !== '.gitignore'),
    ...(hasConfig ? [] : [{ path: '.harness.yaml', text: config }]),
    ...scripts,
    ...(await getProgram(request)),
    ...[
      { path: paths.progress, text: getFirstProgress(detected.name, plan, atMs) },
      {
        path: paths.features,
        text: createFeaturesJson(detected.name, new Date(atMs).toISOString().replace(/\.\d{3}Z$/, 'Z')),
      },
    ].filter(isMissing),
    ...getIgnore(ignored, request.isUnborn ? null : before, paths.state_dir),
  ];
  return { detected, files };
}

/** The scaffold of a new project; in a folder without a commit also the manifest that packages were installed with. */
async function getFirstFiles({ plan, root, repo, isUnborn }: SetupRequest): Promise<readonly PlanFile[]> {
  const existing = new Set(await repo.listFiles());
  const plain = await detectNew(root, repo, isUnborn);
  const language = isNew(plain) ? (plan.language ?? 'other') : plain.language;
  const name = plan.project ?? plain.name;
  if (!isUnborn) {
    const files = isNew(plain) ? getScaffold(plan.language ?? 'other', name) : [];
    return files.filter(({ path }) => !existing.has(path));
  }
  const manifest = await repo.readFile('package.json');
  const files = getScaffold(PLAN_LANGUAGES.find(known => known === language) ?? 'other', name, manifest);
  const wanted = files.find(({ path }) => path === '.gitignore')?.text ?? '';
  const before = (await repo.readFile('.gitignore')) ?? '';
  const more = manifest === null ? [] : ['node_modules/'];
  const ignore = [...wanted.split('\n').filter(Boolean), ...more].reduce(withLine, before);
  const locks = language === 'node' ? MANIFEST_FILES.slice(1).filter(path => existing.has(path)) : [];
  return [
    ...files.filter(({ path }) => path === 'package.json' || !existing.has(path)).filter(isOther),
    ...(ignore === '' ? [] : [{ path: '.gitignore', text: ignore }]),
    ...(await Promise.all(locks.map(async path => ({ path, text: (await repo.readFile(path)) ?? '' })))),
  ];
}

const isOther = ({ path }: PlanFile): boolean => path !== '.gitignore';

/** Whether nothing says yet what the project is made of. */
export function isNew({ language, full }: Pick<DetectedProject, 'language' | 'full'>): boolean {
  return language === 'unknown' && full === null;
}

/** What the project is, apart from a manifest in an empty folder that was only made to install an agent. */
export async function detectNew(root: string, repo: RepoReader, isUnborn: boolean): Promise<DetectedProject> {
  const found = await detectProject(root, repo);
  if (!isUnborn || found.language !== 'node' || found.full !== null || found.install !== null) return found;
  const listFiles = async () => (await repo.listFiles()).filter(path => !MANIFEST_FILES.includes(path));
  return { ...(await detectProject(root, { ...repo, listFiles })), name: found.name };
}

/** A project that has no tests yet gets a command for those that the plan brings. */
function withTests(found: DetectedProject): DetectedProject {
  if (found.full !== null) return found;
  if (found.language === 'node') return { ...found, full: 'node --test', runner: 'node', notes: [] };
  if (found.language === 'python')
    return { ...found, full: 'python3 -m pytest', runner: 'pytest', notes: [] };
  return found;
}

/** The agent's own program: a worktree holds only what is committed. */
async function getProgram({ repo, isUnborn, command }: SetupRequest): Promise<readonly PlanFile[]> {
  const path = getRelativeProgram(command ?? '')?.replace(/^\.\//, '');
  const text = isUnborn && path ? await repo.readFile(path) : null;
  return path && text !== null ? [{ path, text, executable: true }] : [];
}

const ENVIRONMENT = { init: './init.sh', reset: './reset.sh' };

function withFiles(repo: RepoReader, files: readonly PlanFile[]): RepoReader {
  const added = new Map(files.map(({ path, text }) => [path, text]));
  return {
    listFiles: async () => [...(await repo.listFiles()), ...added.keys()],
    readFile: async path => added.get(path) ?? repo.readFile(path),
  };
}

function getIgnore(text: string, before: string | null, stateDir: string): readonly PlanFile[] {
  const next = withLine(text, `${stateDir.replace(/\/+$/, '')}/`);
  return next === (before ?? '') ? [] : [{ path: '.gitignore', text: next }];
}

function withLine(text: string, line: string): string {
  const has = text.split(/\r?\n/).some(entry => [line, `/${line}`, line.slice(0, -1)].includes(entry.trim()));
  return has ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

/** The first entry of the progress notes: what was planned, why so, and what comes first. */
function getFirstProgress(project: string, plan: Plan, atMs: number): string {
  const first = plan.tasks.find(task => task.depends_on.length === 0);
  return [
    NOTES_RULE,
    `CLAUDE PROGRESS LOG - ${project}`,
    NOTES_RULE,
    '',
    'What has been done, newest last. The harness tells each agent what it needs to know of it.',
    '',
    NOTES_LINE,
    `SESSION 0 - ${getUtcMinute(atMs)}`,
    NOTES_LINE,
    '',
    'FEATURE: none (planning)',
    '',
    'WHAT I DID:',
    `- Planned ${plan.tasks.length} tasks from the specification`,
    '- Set up the configuration, the backlog, init.sh and reset.sh',
    '',
    'DECISIONS:',
    ...plan.summary
      .split(/\n+/)
      .map(line => line.trim())
      .filter(line => line !== '')
      .map(line => `- ${line}`),
    '',
    'CURRENT STATE:',
    '- Nothing is built yet; every task has its test still to pass',
    '',
    `NEXT: Feature #${first?.id ?? plan.tasks[0]?.id} (${first?.title ?? plan.tasks[0]?.title})`,
    '',
  ].join('\n');
}

/** `init.sh` and `reset.sh` for what the project is made of. Both can be run again and again. */
export function getEnvironmentScripts({ language, install }: Detection): readonly PlanFile[] {
  const up = [...getUp(language, install), 'echo "The project is ready for work."'];
  const clean = CLEAN[language] ?? [];
  return [
    script('init.sh', 'Brings the project up for work; does nothing that has been done already.', up),
    script('reset.sh', 'Throws away what can be made again, then brings the project up.', [
      ...clean,
      'exec ./init.sh',
    ]),
  ];
}

function script(path: string, what: string, lines: readonly string[]): PlanFile {
  const head = ['#!/usr/bin/env bash', `# ${what}`, 'set -euo pipefail', 'cd "$(dirname "$0")"', ''];
  return { path, text: `${[...head, ...lines].join('\n')}\n`, executable: true };
}

function getUp(language: string, install: string | null): readonly string[] {
  const needs = NEEDS[language] ?? [];
  if (install === null) return needs;
  const once = language === 'node' ? ['if [ ! -d node_modules ]; then', `  ${install}`, 'fi'] : [install];
  return [...needs, ...once];
}

/** A missing tool is said at once, by name. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  node: ['command -v node > /dev/null || { echo "node is missing" >&2; exit 1; }'],
  python: ['command -v python3 > /dev/null || { echo "python3 is missing" >&2; exit 1; }'],
  go: ['command -v go > /dev/null || { echo "go is missing" >&2; exit 1; }'],
  rust: ['command -v cargo > /dev/null || { echo "cargo is missing" >&2; exit 1; }'],
};

const CLEAN: Readonly<Record<string, readonly string[]>> = {
  node: ['rm -rf -- coverage', 'if [ -f package-lock.json ]; then', '  rm -rf -- node_modules', 'fi'],
  python: [
    'rm -rf -- .pytest_cache .ruff_cache',
    "find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf -- {} +",
  ],
  go: ['go clean -testcache'],
  rust: ['rm -rf -- target'],
};
