import { extname } from 'node:path';
import { HarnessError } from '../core/base/failure.ts';
import { getAcceptancePaths } from '../core/gates/spec-paths.ts';
import type {
  EndToEndPolicy,
  EnvironmentPolicy,
  LimitsPolicy,
  MonitorRules,
  Policy,
  Prompts,
  TestingPolicy,
  VisualPolicy,
} from '../core/model/policy.ts';
import { getProviderFacts } from '../core/model/provider.ts';
import { getReporting } from '../core/testing/reporting.ts';
import { getRunnerOf } from '../core/testing/runners.ts';
import { getFirstFolder } from '../core/testing/test-command.ts';
import { DEFAULT_PROMPTS } from '../prompts/default-prompts.ts';
import { getCommandFiles, LOCKFILES, PROTECTED_GLOBS } from './protected-globs.ts';
import { getFileRules } from './sections/agent.ts';
import { getBudget } from './sections/costs.ts';
import { getPreflight } from './sections/environment.ts';
import { toMs } from './sections/fields.ts';
import { getLeaseRules, getTaskRules } from './sections/limits.ts';
import { getModels, getUsualProvider } from './sections/models.ts';
import { getGateRules } from './sections/plan.ts';
import type { Config } from './sections/schema.ts';
import { getCutOffRules, getLogRules, getWatchRules } from './sections/session.ts';
import { getEntryRules, getProofRules, getQualityRules } from './sections/testing.ts';

/** What only the repository knows. */
export interface PolicyFacts {
  readonly baseBranch: string;
  /** Where the config was found; the usual name when not said. */
  readonly configPath?: string;
  /** Files that the configuration loads when it is a program. */
  readonly configFiles?: readonly string[];
  /** Templates that the project has written itself. */
  readonly prompts?: Partial<Prompts>;
}

/**
 * The settings as the core and the steps want them: resolved, in their units, nothing optional. What a section
 * can say alone it says itself (`sections/`); here is what takes several, or the repository.
 */
export function getPolicy(config: Config, facts: PolicyFacts): Policy {
  const { agent, costs, paths, testing, verification } = config;
  const configPath = facts.configPath ?? '.harness.yaml';
  const timeoutSeconds = config.session.timeout_minutes * 60;
  return {
    ...getTaskRules(config.attempts, config.escalation, config.checkpoints),
    ...getLeaseRules(config.lease),
    ...getEntryRules(config.features),
    ...getProofRules(verification),
    ...getQualityRules(config.quality, testing),
    projectGates: getGateRules(config),
    budget: getBudget(costs),
    maxReviewPasses: agent.max_review_passes,
    ceilingTokens: costs.ceiling_tokens,
    preflight: getPreflight(config.preflight),
    logging: getLogRules(config.logging),
    project: config.project.name,
    baseBranch: config.git.base_branch ?? facts.baseBranch,
    land: getLand(config, configPath),
    backlogPath: paths.features,
    completedDir: getCompletedDir(config),
    notesPath: paths.progress,
    configPath,
    ...{ limits: getLimits(config), queue: getQueue(config) },
    sessionTimeoutMs: toMs(Math.min(timeoutSeconds, agent.timeout_seconds ?? Number.POSITIVE_INFINITY)),
    testTimeoutMs: toMs(testing.timeout_seconds),
    commandTimeoutMs: toMs(config.environment.timeout_seconds),
    exclusive: isExclusive(config),
    protectedGlobs: [...getProtectedGlobs(config, configPath), ...(facts.configFiles ?? [])],
    agentScripts: getCommandFiles(agent.command ?? ''),
    testing: getTesting(config),
    reruns: testing.reruns,
    environment: getEnvironment(config),
    buildCommand: verification.gates.build === 'off' ? null : testing.sanity.build,
    e2e: getEndToEnd(config),
    visual: getVisual(config),
    providers: [...new Set([getProvider(config), ...agent.fallback])],
    models: getModels(config),
    prompts: { ...DEFAULT_PROMPTS, ...facts.prompts },
    monitor: getMonitorRules(config),
    rateLimits: { backoffMs: agent.rate_limit_backoff_ms, maxRetries: agent.max_rate_limit_retries },
    files: getFileRules(config.tools),
    cutOff: getCutOffRules(config.session, config.context),
    mcpServers: getMcpServers(config),
  };
}

/** A project without an agent can be looked at; whatever would start one refuses first. */
function getProvider({ agent, models }: Config): string {
  return agent.provider ?? getUsualProvider({ agent, models }) ?? 'scripted';
}

function getLimits({ session_config, convergence, quality }: Config): LimitsPolicy {
  return {
    workers: session_config.workers,
    tasksPerRun: session_config.max_tasks_per_session,
    sessions: session_config.max_sessions,
    attemptsWithoutLanding: convergence.max_iterations,
    staleRounds: convergence.stale_rounds,
    cleanupInterval: quality.cleanup_interval,
    maintains: session_config.all_done === 'maintain',
    healthMs: toMs(session_config.health_minutes * 60),
  };
}

/** Settings of a server reach it as JSON in its environment; they differ from server to server. */
function getMcpServers({ tools }: Config): Policy['mcpServers'] {
  const enabled = Object.entries(tools.mcp_servers).filter(([, server]) => server.enabled);
  return Object.fromEntries(
    enabled.map(([name, { command, args, config: settings }]) => [
      name,
      {
        command,
        args,
        env: Object.keys(settings).length > 0 ? { MCP_CONFIG: JSON.stringify(settings) } : {},
      },
    ]),
  );
}

/** Agents with an SDK speak as they work; a program may be silent until it is done. */
function getMonitorRules({ agent, context, progress, session }: Config): MonitorRules {
  const speaks = getProviderFacts(agent.provider ?? 'scripted').sdk !== null;
  return {
    ...getWatchRules(context, progress, session),
    firstEventMs: toMs(agent.first_event_seconds ?? (speaks ? 120 : Number.POSITIVE_INFINITY)),
    idleMs: toMs(agent.idle_seconds ?? (speaks ? 900 : Number.POSITIVE_INFINITY)),
  };
}

/** Hosts that share a remote share the work, unless somebody says otherwise. */
function isExclusive({ session_config: { concurrency_mode }, git }: Config): boolean {
  return (concurrency_mode ?? (git.remote === null ? 'exclusive' : 'concurrent')) === 'exclusive';
}

function getQueue({ git: { history, queue } }: Config): Policy['queue'] {
  const { batch, company, wait_seconds } = queue;
  return { history, batch, company, waitMs: wait_seconds * 1_000 };
}

function getLand({ git }: Config, file: string): Policy['land'] {
  if (git.land === 'branch' && git.remote !== null) {
    const message = `${file}: git.land "branch" keeps work in this clone, where the other hosts of git.remote "${git.remote}" never see it`;
    const fix =
      'Take git.land out, and name the branch to collect on as git.base_branch; or take git.remote out.';
    throw new HarnessError('config', message, { file, field: 'git.land', fix });
  }
  if (git.land !== 'pr') return git.land;
  throw new HarnessError('config', `${file}: git.land "pr" is not available yet: pull requests come later`, {
    file,
    field: 'git.land',
    fix: 'Set git.land to base or branch.',
  });
}

/** What a proof's own commands open is learnt by watching them; these are started by us, and by nobody's proof. */
function getProtectedGlobs(config: Config, configPath: string): readonly string[] {
  const { environment, verification, paths, fidelity, release_gate } = config;
  const { install, init, reset, health_check, stop } = environment;
  // An agent's program may be the reviewer's, too.
  const own = [install, init, reset, health_check, stop, config.agent.command, config.e2e.command];
  const commands = own.filter(command => command !== null);
  // Whoever is measured by it does not write it.
  const specs = [fidelity.spec_path, release_gate.spec_path].filter(path => path !== null);
  return [
    ...new Set([
      ...PROTECTED_GLOBS,
      configPath,
      `${paths.state_dir}/**`,
      `${paths.prompts}/**`,
      ...commands.flatMap(getCommandFiles).map(path => `/${path}`),
      ...specs.flatMap(path => [path, ...getAcceptancePaths(path)]).map(path => `/${path}`),
      ...verification.protected,
    ]),
  ];
}

function getVisual({ dev_server, tools }: Config): VisualPolicy | null {
  const { command, url } = dev_server;
  if (command === null || url === null) return null;
  const { mode, pages, viewports, ready_seconds } = tools.visual_verification;
  return { mode, command, url, pages, viewports, readyMs: toMs(ready_seconds) };
}

function getEndToEnd({ e2e, dev_server, tools }: Config): EndToEndPolicy | null {
  if (e2e.command === null) return null;
  const { command, url } = dev_server;
  const readyMs = toMs(tools.visual_verification.ready_seconds);
  const application = command === null || url === null ? null : { command, url, readyMs };
  return { ...getReporting(e2e.command), artifactDirs: e2e.artifact_dirs, application };
}

function getTesting({ testing }: Config): TestingPolicy {
  return {
    runner: testing.runner ?? getRunnerOf(testing.full ?? testing.feature, testing.report),
    full: testing.full,
    unit: testing.unit,
    e2e: testing.e2e,
    feature: testing.feature,
    reportPath: testing.report,
  };
}

function getEnvironment({ environment, testing }: Config): EnvironmentPolicy {
  return {
    install: environment.install,
    init: environment.init,
    reset: environment.reset,
    healthCheck: environment.health_check ?? testing.sanity.health,
    stop: environment.stop,
    lockfiles: getLockfiles(environment.install ?? ''),
    acceptUnfilled: environment.accept_unfilled,
  };
}

/** Those of the root, and of the folder that the install goes to. */
function getLockfiles(install: string): readonly string[] {
  const folder = getFirstFolder(install);
  return folder === null ? LOCKFILES : [...LOCKFILES, ...LOCKFILES.map(name => `${folder}/${name}`)];
}

/** Only a folder of plans has one beside it, whichever of the two settings names that folder. */
export function getCompletedDir({ paths, plan }: Config): string | null {
  const hasPlans = plan.dir === paths.features || (plan.dir === null && extname(paths.features) === '');
  return hasPlans ? plan.completed_dir : null;
}
