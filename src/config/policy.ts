import { HarnessError } from '../core/base/failure.ts';
import type {
  EnvironmentPolicy,
  LimitsPolicy,
  MonitorRules,
  Policy,
  PreflightPolicy,
  Prompts,
  TestingPolicy,
  VisualPolicy,
} from '../core/model/policy.ts';
import { getProviderFacts } from '../core/model/provider.ts';
import { getRunnerOf } from '../core/testing/runners.ts';
import { getFirstFolder } from '../core/testing/test-command.ts';
import { DEFAULT_PROMPTS } from '../prompts/default-prompts.ts';
import { getCommandFiles } from './command-files.ts';
import { LOCKFILES, PROTECTED_GLOBS } from './protected-globs.ts';
import { getModels } from './sections/models.ts';
import type { Config } from './sections/schema.ts';

const DAY_MS = 86_400_000;

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

/** The settings as the core and the steps want them: resolved, in their units, nothing optional. */
export function getPolicy(config: Config, facts: PolicyFacts): Policy {
  const { agent, session, paths, costs, quality } = config;
  const configPath = facts.configPath ?? '.harness.yaml';
  const lint = quality.lint_command ?? config.testing.sanity.lint;
  return {
    project: config.project.name,
    baseBranch: config.git.base_branch ?? facts.baseBranch,
    land: getLand(config, configPath),
    backlogPath: paths.features,
    notesPath: paths.progress,
    configPath,
    leaseMs: toMs(config.lease.ttl_seconds),
    heartbeatMs: toMs(config.lease.heartbeat_seconds),
    maxAttempts: config.attempts.max_attempts,
    maxInterruptions: config.attempts.max_interruptions,
    maxStuckSessions: config.features.max_stuck_sessions,
    maxVerificationSteps: config.features.max_verification_steps,
    escalation: { onRejected: config.escalation.on_rejected, onLarge: config.escalation.on_large },
    maxFeaturesPerSession: config.verification.max_features_per_session,
    limits: getLimits(config),
    feedbackRounds: config.verification.feedback_rounds,
    sessionTimeoutMs: toMs(
      Math.min(session.timeout_minutes * 60, agent.timeout_seconds ?? Number.POSITIVE_INFINITY),
    ),
    testTimeoutMs: toMs(config.testing.timeout_seconds),
    commandTimeoutMs: toMs(config.environment.timeout_seconds),
    exclusive: config.session_config.concurrency_mode === 'exclusive',
    protectedGlobs: [...getProtectedGlobs(config, configPath), ...(facts.configFiles ?? [])],
    agentScripts: getCommandFiles(agent.command ?? ''),
    testsBy: config.verification.tests,
    testAware: config.verification.test_aware,
    gates: config.verification.gates,
    mutation: {
      mutants: config.verification.mutants,
      budgetMs: toMs(config.verification.mutation_seconds),
    },
    regression: {
      budgetMs: toMs(config.verification.regression_seconds),
      interval: config.verification.regression_interval,
    },
    review: config.verification.review,
    requireEvidence: config.verification.require_evidence,
    requireTestFile: config.features.require_test_file,
    testing: getTesting(config),
    reruns: config.testing.reruns,
    environment: getEnvironment(config),
    lintCommand: quality.lint_blocks || quality.warn_on_lint_errors ? lint : null,
    lintBlocks: quality.lint_blocks,
    typeCheckCommand: config.testing.sanity.type_check,
    typeCheckBlocks: quality.type_check_blocks,
    buildCommand: config.verification.gates.build === 'off' ? null : config.testing.sanity.build,
    preflight: getPreflight(config),
    budget: {
      perSessionUsd: costs.per_session_usd,
      perTaskUsd: costs.per_feature_usd,
      totalUsd: costs.total_project_usd,
    },
    checkpoints: {
      perTask: config.checkpoints.per_task,
      maxAgeMs: config.checkpoints.max_age_days * DAY_MS,
    },
    maxFileLines: quality.max_file_lines,
    logging: {
      level: config.logging.level,
      sampling: config.logging.sampling,
      retentionDays: config.logging.retention_days,
      maxFileBytes: config.logging.max_file_mb * 1024 * 1024,
    },
    sizeBlocks: quality.size_blocks,
    visual: getVisual(config),
    providers: [...new Set([agent.provider, ...agent.fallback])],
    models: getModels(config),
    prompts: { ...DEFAULT_PROMPTS, ...facts.prompts },
    monitor: getMonitorRules(config),
    mcpServers: getMcpServers(config),
  };
}

function getLimits({ session_config, convergence, quality }: Config): LimitsPolicy {
  return {
    tasksPerRun: session_config.max_tasks_per_session,
    sessions: session_config.max_sessions,
    fruitlessAttempts: convergence.max_iterations,
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
  const speaks = getProviderFacts(agent.provider).sdk !== null;
  const warnMinutes = session.timeout_warning_minutes ?? (session.timeout_minutes * 5) / 6;
  return {
    contextTokens: context.window_tokens,
    warnShare: context.warn_threshold,
    wrapUpShare: context.force_threshold,
    checkEveryTokens: progress.check_interval_tokens,
    stopAfterStuckChecks: progress.force_stop_after_stuck_checks,
    maxRepeatedErrors: progress.max_repeated_errors,
    stuckWarning: progress.stuck_warning,
    firstEventMs: toMs(agent.first_event_seconds ?? (speaks ? 120 : Number.POSITIVE_INFINITY)),
    idleMs: toMs(agent.idle_seconds ?? (speaks ? 900 : Number.POSITIVE_INFINITY)),
    warnAtMs: toMs(warnMinutes * 60),
  };
}

function getLand({ git }: Config, file: string): Policy['land'] {
  if (git.land !== 'pr') return git.land;
  throw new HarnessError('config', `${file}: git.land "pr" is not available yet: pull requests come later`, {
    file,
    field: 'git.land',
    fix: 'Set git.land to base or branch.',
  });
}

/** What a proof's own commands open is learnt by watching them; these are started by us, and by nobody's proof. */
function getProtectedGlobs(config: Config, configPath: string): readonly string[] {
  const { environment, verification, paths } = config;
  const { install, init, reset, health_check, stop } = environment;
  // An agent's program may be the reviewer's, too.
  const own = [install, init, reset, health_check, stop, config.agent.command];
  const commands = own.filter(command => command !== null);
  return [
    ...new Set([
      ...PROTECTED_GLOBS,
      configPath,
      `${paths.state_dir}/**`,
      `${paths.prompts}/**`,
      ...commands.flatMap(getCommandFiles).map(path => `/${path}`),
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

function getTesting({ testing }: Config): TestingPolicy {
  return {
    runner: testing.runner ?? getRunnerOf(testing.full ?? testing.feature, testing.report),
    full: testing.full,
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

function getPreflight({ preflight }: Config): PreflightPolicy {
  const { checks, on_failure } = preflight;
  return {
    workingDirectory: checks.working_directory,
    harnessFiles: checks.harness_files,
    gitState: checks.git_state,
    environment: checks.environment,
    baselineTests: checks.baseline_tests,
    budget: checks.budget,
    autoReset: on_failure.auto_reset,
    maxResetAttempts: on_failure.max_reset_attempts,
  };
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
