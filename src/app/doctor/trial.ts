import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import type { DetectedProject } from '../../config/detect/detection.ts';
import { detectAround } from '../../config/detect/folder.ts';
import { HarnessError } from '../../core/base/failure.ts';
import { createRepoReader } from '../project/open-checkout.ts';
import type { Project } from '../project/open-project.ts';
import type { TrialWatcher } from '../project/watch.ts';
import type { Checkup } from './finding.ts';
import { type TriedProject, tryProject } from './try-project.ts';

/** The settings that a trial is about: where each is in the file, and in what was tried. */
const SETTINGS = [
  { name: 'install', path: ['environment', 'install'], key: 'install', seen: 'install' },
  { name: 'suite', path: ['testing', 'full'], key: 'full', seen: 'full' },
  { name: 'runner', path: ['testing', 'runner'], key: 'runner', seen: null },
  { name: 'report', path: ['testing', 'report'], key: 'report', seen: null },
  { name: 'one file', path: ['testing', 'feature'], key: 'feature', seen: 'alone' },
  { name: 'lint', path: ['quality', 'lint_command'], key: 'lint', seen: 'lint' },
  { name: 'types', path: ['testing', 'sanity', 'type_check'], key: 'typeCheck', seen: 'typeCheck' },
  { name: 'build', path: ['testing', 'sanity', 'build'], key: 'build', seen: 'build' },
] as const;

/** Tries the configured commands as `init` does; what gives no result is held against what would. */
export async function examineByTrial(
  project: Project,
  fixes: boolean,
  watched: { readonly watcher: TrialWatcher; readonly signal: AbortSignal },
): Promise<Checkup[]> {
  const { root } = project;
  const found = await detectAround(root, '', createRepoReader(root));
  const configured = getConfigured(project, found);
  const open = async (detected: DetectedProject) => withCommands(project, detected);
  const tried = await tryProject(configured, open, { ...watched, keepsRed: true });
  const changes = SETTINGS.filter(({ key }) => (tried.detected[key] ?? null) !== (configured[key] ?? null));
  if (fixes && changes.length > 0) writeChanges(project, tried, changes);
  return SETTINGS.flatMap(setting => getCheckup(setting, configured, tried, fixes));
}

type Setting = (typeof SETTINGS)[number];

/** What is in force, with what detection would propose as the next to try. */
function getConfigured({ policy }: Project, found: DetectedProject): DetectedProject {
  const { testing, environment, lintCommand, typeCheckCommand, buildCommand } = policy;
  const { full, runner, report, feature = null, install } = found;
  const own = {
    full: testing.full,
    runner: testing.runner,
    report: testing.reportPath,
    feature: testing.feature,
  };
  const installs = [...(install === null ? [] : [install]), ...(found.otherInstalls ?? [])];
  const ways = [...(full === null ? [] : [{ full, runner, report, feature }]), ...(found.otherWays ?? [])];
  return {
    ...found,
    ...(own.full === null && full !== null ? { full, runner, report, feature } : own),
    install: environment.install,
    otherInstalls: environment.install === null ? [] : installs.filter(line => line !== environment.install),
    otherWays: ways.filter(way => way.full !== own.full || way.runner !== own.runner),
    ...{ lint: lintCommand, typeCheck: typeCheckCommand, build: buildCommand },
  };
}

function withCommands(project: Project, detected: DetectedProject): Project {
  const { full, runner, report, feature = null, install } = detected;
  const { policy } = project;
  const environment = { ...policy.environment, install };
  return {
    ...project,
    policy: { ...policy, environment, testing: { full, runner, feature, reportPath: report } },
  };
}

function getCheckup(
  { name, path, key, seen }: Setting,
  configured: DetectedProject,
  tried: TriedProject,
  fixes: boolean,
): readonly Checkup[] {
  const [was, is] = [configured[key] ?? null, tried.detected[key] ?? null];
  const what = seen === null ? undefined : tried.seen[seen];
  if (was === is) {
    if (was === null || seen === null) return [];
    const status = key === 'full' && !/^[1-9]\d* tests?\b|^exit 0/.test(what ?? '') ? 'warn' : 'ok';
    return [{ name, status, detail: what === undefined ? String(was) : `${was}: ${what}` }];
  }
  const field = path.join('.');
  const change = is === null ? `leave ${field} out` : `set ${field} to: ${is}`;
  const why = tried.seen.leftOut?.find(line => line.includes(` ${was} is left out`)) ?? `${was}: no result`;
  if (fixes) return [{ name, status: 'warn', detail: `${why}\nchanged: ${change}` }];
  return [{ name, status: 'fail', detail: why, fix: `${change}\nor let harness doctor --fix do it` }];
}

/** Changes these settings and no other byte that a person wrote; the file has to be YAML for that. */
function writeChanges(
  { root, configFile }: Project,
  { detected, seen }: TriedProject,
  changes: readonly Setting[],
): void {
  if (!/\.ya?ml$/.test(configFile)) {
    throw new HarnessError('config', `${configFile} is not YAML: --fix cannot change it`, {
      file: configFile,
      fix: 'harness doctor --trial says what to change',
    });
  }
  const document = parseDocument(readFileSync(join(root, configFile), 'utf8'));
  for (const { path, key, seen: name } of changes) {
    const value = detected[key] ?? null;
    const comment = name === null ? undefined : seen[name];
    if (value === null) document.deleteIn(path);
    else {
      const node = document.createNode(String(value).replaceAll('${', () => '$${'));
      document.setIn(path, Object.assign(node, comment === undefined ? {} : { comment: ` ${comment}` }));
    }
  }
  writeAtomic(join(root, configFile), document.toString({ lineWidth: 0 }), { durable: true });
}
