import { isObject } from '../../core/base/json.ts';
import type { Problem } from './problem.ts';

type Path = readonly string[];
type Tree = Record<string, unknown>;

/** Other spellings that mean the same setting, so that configs of either style load unchanged. */
export const ALIASES: readonly (readonly [alias: string, setting: string])[] = [
  ['planDir', 'plan.dir'],
  ['completedDir', 'plan.completed_dir'],
  ['contextDir', 'plan.context_dir'],
  ['appPaths', 'plan.app_paths'],
  ['stateDir', 'paths.state_dir'],
  ['baseBranch', 'git.base_branch'],
  ['e2e.artifactDirs', 'e2e.artifact_dirs'],
  ['devServer.url', 'dev_server.url'],
  ['devServer.command', 'dev_server.command'],
  ['budget.ceilingTokens', 'costs.ceiling_tokens'],
  ['devServer.readyTimeoutSec', 'tools.visual_verification.ready_seconds'],
  ['fidelity.everyNPlans', 'fidelity.every_n_plans'],
  ['fidelity.specPath', 'fidelity.spec_path'],
  ['releaseGate.specPath', 'release_gate.spec_path'],
  ['agent.model', 'models.default.model'],
  ['agent.reasoningEffort', 'models.default.effort'],
  ['modelClient.provider', 'models.planner.provider'],
  ['modelClient.model', 'models.planner.model'],
  ['agent.maxReviewPasses', 'agent.max_review_passes'],
  ['rateLimitBackoffMs', 'agent.rate_limit_backoff_ms'],
  ['maxRateLimitRetries', 'agent.max_rate_limit_retries'],
  ['github.repo', 'project.github_repo'],
  ['testing.sanity.unit', 'testing.unit'],
  ['testing.sanity.e2e', 'testing.e2e'],
];

/** Settings that come from elsewhere than the file: each wins over it, or fills a gap in it. */
export function putSettings(
  value: Tree,
  settings: readonly (readonly [setting: string, value: unknown])[],
  when: 'always' | 'absent',
): Tree {
  const result = structuredClone(value);
  for (const [setting, given] of settings) {
    const path = setting.split('.');
    if (when === 'always' || !hasIn(result, path)) putIn(result, path, given);
  }
  return result;
}

/** Moves every aliased value to its one place; `spelling` tells where a person wrote it. */
export function resolveAliases(value: Tree): {
  readonly value: Tree;
  readonly problems: readonly Problem[];
  readonly spelling: ReadonlyMap<string, string>;
} {
  const result = structuredClone(value);
  const problems: Problem[] = [];
  const spelling = new Map<string, string>();
  for (const [alias, setting] of ALIASES) {
    const found = takeIn(result, alias.split('.'));
    if (found === undefined) continue;
    if (hasIn(result, setting.split('.'))) {
      problems.push({
        field: alias,
        message: `says the same as ${setting}, which is also set`,
        fix: `Keep one of ${alias} and ${setting}.`,
      });
    } else if (putIn(result, setting.split('.'), found)) {
      spelling.set(setting, alias);
    }
  }
  return { value: result, problems, spelling };
}

function takeIn(tree: Tree, path: Path): unknown {
  const [key = '', ...rest] = path;
  if (!Object.hasOwn(tree, key)) return undefined;
  const child = tree[key];
  if (rest.length === 0) {
    delete tree[key];
    return child;
  }
  if (!isObject(child)) return undefined;
  const found = takeIn(child, rest);
  if (found !== undefined && Object.keys(child).length === 0) delete tree[key];
  return found;
}

function hasIn(tree: Tree, path: Path): boolean {
  const [key = '', ...rest] = path;
  if (!Object.hasOwn(tree, key)) return false;
  const child = tree[key];
  return rest.length === 0 || (isObject(child) && hasIn(child, rest));
}

/** False when something that is no section is in the way; the schema reports that. */
function putIn(tree: Tree, path: Path, value: unknown): boolean {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    tree[key] = value;
    return true;
  }
  tree[key] ??= {};
  const child = tree[key];
  return isObject(child) && putIn(child, rest, value);
}
