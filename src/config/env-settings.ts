import type { Env } from './expand-env.ts';

/** Variables that stand for a setting, whatever the file says: for one run, or one machine. */
export const ENV_SETTINGS: readonly (readonly [name: string, setting: string])[] = [
  ['HARNESS_AGENT_PROVIDER', 'agent.provider'],
  ['HARNESS_AGENT_MODEL', 'models.default.model'],
  ['HARNESS_AGENT_MAX_REVIEW_PASSES', 'agent.max_review_passes'],
  ['HARNESS_MODEL_CLIENT_PROVIDER', 'models.planner.provider'],
  ['HARNESS_MODEL_CLIENT_MODEL', 'models.planner.model'],
  ['HARNESS_PLAN_DIR', 'plan.dir'],
  ['HARNESS_COMPLETED_DIR', 'plan.completed_dir'],
  ['HARNESS_CONTEXT_DIR', 'plan.context_dir'],
  ['HARNESS_STATE_DIR', 'paths.state_dir'],
  ['HARNESS_STORE_URL', 'store.url'],
  ['HARNESS_BASE_BRANCH', 'git.base_branch'],
  ['BUDGET_CEILING_TOKENS', 'costs.ceiling_tokens'],
];

/** Those that are set; an empty one counts as absent. */
export function listEnvSettings(
  env: Env,
): readonly (readonly [name: string, setting: string, value: string])[] {
  return ENV_SETTINGS.flatMap(([name, setting]) => {
    const value = env[name];
    return value ? [[name, setting, value] as const] : [];
  });
}
