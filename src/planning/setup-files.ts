import { createFeaturesJson } from '../backlog/add-task.ts';
import { type DetectedProject, detectProject, type RepoReader } from '../config/detect.ts';
import { renderConfig } from '../config/render-config.ts';
import type { Plan } from '../core/plan.ts';
import { getEnvironmentScripts } from './environment-scripts.ts';
import type { PlanFile } from './plan-file.ts';
import { getFirstProgress } from './progress-entry.ts';
import { getScaffold } from './scaffold.ts';

export interface SetupRequest {
  readonly plan: Plan;
  /** The folder of the project, for its name. */
  readonly root: string;
  /** What is there already: none of it is written over. */
  readonly repo: RepoReader;
  readonly hasConfig: boolean;
  readonly provider: string;
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
  const plain = await detectProject(request.root, repo);
  const scaffold =
    plain.language === 'unknown' && plain.full === null
      ? getScaffold(plan.language ?? 'other', plan.project ?? plain.name).filter(isMissing)
      : [];
  const found = await detectProject(request.root, withFiles(repo, scaffold));
  const detected = { ...found, name: plan.project ?? found.name };
  const scripts = getEnvironmentScripts(detected).filter(isMissing);
  const has = (path: string): boolean =>
    existing.has(path) || scripts.some(({ path: other }) => other === path);
  const config = renderConfig(detected, { provider, ...(has('init.sh') ? ENVIRONMENT : {}) });
  const before = await repo.readFile('.gitignore');
  const ignored = before ?? scaffold.find(({ path }) => path === '.gitignore')?.text ?? '';
  const files = [
    ...scaffold.filter(({ path }) => path !== '.gitignore'),
    ...(hasConfig ? [] : [{ path: '.harness.yaml', text: config }]),
    ...scripts,
    ...[
      { path: paths.progress, text: getFirstProgress(detected.name, plan, atMs) },
      { path: paths.features, text: createFeaturesJson(detected.name) },
    ].filter(isMissing),
    ...getIgnore(ignored, before, paths.state_dir),
  ];
  return { detected, files };
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
  const line = `${stateDir.replace(/\/+$/, '')}/`;
  const has = text.split(/\r?\n/).some(entry => [line, `/${line}`, line.slice(0, -1)].includes(entry.trim()));
  const next = has ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  return next === (before ?? '') ? [] : [{ path: '.gitignore', text: next }];
}
