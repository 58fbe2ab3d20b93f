import type { EventLevel } from './facts.ts';

import type { Gates } from './gates.ts';

import { ROLES, type Role, type RoleModel } from './role.ts';
import type { RunnerKind } from './testing.ts';

/** The settings the core and the steps decide by, resolved from the config once per run. */
export interface Policy {
  readonly project: string;
  readonly baseBranch: string;
  /** `base` moves the base branch, `branch` always lands on harness/landed. */
  readonly land: 'base' | 'branch';
  readonly backlogPath: string;
  /** Where plans go once they have landed; null where they stay. */
  readonly completedDir: string | null;
  readonly notesPath: string;
  readonly configPath: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly maxAttempts: number;
  readonly maxInterruptions: number;
  /** Sessions in a row that leave a task half done before a person is asked. */
  readonly maxStuckSessions: number;
  /** A task with more steps is too big for one session. */
  readonly maxVerificationSteps: number;
  /** Where a person is asked although work could go on. */
  readonly escalation: { readonly onRejected: 'ask' | 'go-on'; readonly onLarge: 'ask' | 'go-on' };
  readonly maxFeaturesPerSession: number;
  readonly queue: QueuePolicy;
  readonly limits: LimitsPolicy;
  readonly projectGates: GateRules;
  /** How often rejected work goes back to the same agent before the attempt ends. */
  readonly feedbackRounds: number;
  /** How often reviewers may find something in one attempt before a person is asked. */
  readonly maxReviewPasses: number;
  readonly sessionTimeoutMs: number;
  readonly testTimeoutMs: number;
  readonly commandTimeoutMs: number;
  readonly exclusive: boolean;
  readonly protectedGlobs: readonly string[];
  /** Files of the project that start an agent or a reviewer; each attempt begins with the base's. */
  readonly agentScripts: readonly string[];
  /** Who may write a task's test file: nobody once it exists, or the coder at any time. */
  readonly testsBy: 'approved' | 'separate-author' | 'coder';
  /** What follows when product code asks whether it is under test. */
  readonly testAware: 'reject' | 'warn' | 'off';
  /** What follows when something is found that no test looks for. */
  readonly gates: Gates;
  /** How many broken variants of a change are tried at most, and for how long in all. */
  readonly mutation: { readonly mutants: number; readonly budgetMs: number };
  /** How long proofs of landed tasks outside the suite may take, and after how many landings all of them are due. */
  readonly regression: { readonly budgetMs: number; readonly interval: number };
  /** Whether somebody else reads a test before it counts: where the coder wrote it, always, or never. */
  readonly review: 'auto' | 'always' | 'off';
  /** Whether an agent that tells what it does must be seen running the tests. */
  readonly requireEvidence: boolean;
  readonly requireTestFile: boolean;
  readonly testing: TestingPolicy;
  /** How often a test that disagrees with an earlier run is run again on each side before that is believed. */
  readonly reruns: number;
  readonly environment: EnvironmentPolicy;
  readonly lintCommand: string | null;
  /** A worse lint result is a warning (the default) or a rejection. */
  readonly lintBlocks: boolean;
  readonly typeCheckCommand: string | null;
  readonly typeCheckBlocks: boolean;
  readonly buildCommand: string | null;
  /** Null without an end-to-end suite of its own. */
  readonly e2e: EndToEndPolicy | null;
  /** Null without an application to start. */
  readonly visual: VisualPolicy | null;
  readonly preflight: PreflightPolicy;
  /** Tokens of the whole project at which it is told that there are so many. */
  readonly ceilingTokens: number | null;
  readonly budget: { readonly perSessionUsd: number; readonly perTaskUsd: number; readonly totalUsd: number };
  readonly checkpoints: { readonly perTask: number; readonly maxAgeMs: number };
  readonly maxFileLines: number;
  readonly logging: LogRules;
  /** A file that grows beyond that is a rejection, or a warning. */
  readonly sizeBlocks: boolean;
  /** Tried in this order, after the one of the role; the next when one cannot be had. */
  readonly providers: readonly string[];
  readonly models: Readonly<Record<Role, RoleModel>>;
  /** What agents are told, as templates; a project's own in the place of ours. */
  readonly prompts: Prompts;
  readonly monitor: MonitorRules;
  readonly rateLimits: RateLimitRules;
  readonly cutOff: CutOffRules;
  readonly files: FileRules;
  /** The project's own MCP servers, offered to agents that can use them. */
  readonly mcpServers: Readonly<
    Record<
      string,
      {
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
      }
    >
  >;
}

/** What is asked of the project as a whole, and what by. */
export interface GateRules {
  /** Folders of the product; all when empty. */
  readonly appPaths: readonly string[];
  readonly fidelity: {
    readonly specPath: string | null;
    /** Null where no run asks by itself. */
    readonly everyLandings: number | null;
    readonly threshold: number;
  };
  readonly release: { readonly specPath: string | null };
}

/** How proven work of several workers reaches the branch. */
export interface QueuePolicy {
  /** `merge`: what was judged lands as it was judged, in batches; `linear`: it is put onto the tip and proven again. */
  readonly history: 'merge' | 'linear';
  /** At most so many land together. */
  readonly batch: number;
  /** So many are not kept waiting for more. */
  readonly company: number;
  /** Nor is one that has waited so long. */
  readonly waitMs: number;
}

/** What makes every run come to an end; null where only the work itself does. */
export interface LimitsPolicy {
  readonly tasksPerRun: number | null;
  /** Agents at once in one run. */
  readonly workers: number | 'auto';
  /** Over the whole life of the project. */
  readonly sessions: number | null;
  /** Attempts of one run that landed nothing. */
  readonly attemptsWithoutLanding: number;
  /** How often everything that is ready may come to the same end again. */
  readonly staleRounds: number;
  /** Landed tasks between two clean-ups; 0 for none. */
  readonly cleanupInterval: number;
  /** Whether a run stays when everything is done. */
  readonly maintains: boolean;
  /** The least time between two looks at everything while it does. */
  readonly healthMs: number;
}

/** The end-to-end suite that the work has to pass before anybody reads it. */
export interface EndToEndPolicy {
  /** With a report switched on, where the runner is known. */
  readonly command: string;
  readonly runner: RunnerKind;
  readonly artifactDirs: readonly string[];
  /** Null where the tests start what they need. */
  readonly application: { readonly command: string; readonly url: string; readonly readyMs: number } | null;
}

/** How the application is looked at. */
export interface VisualPolicy {
  /** `required`: without a browser nothing is proven; `auto`: then nobody looks. */
  readonly mode: 'auto' | 'required' | 'off';
  readonly command: string;
  readonly url: string;
  readonly pages: readonly string[];
  readonly viewports: readonly { readonly width: number; readonly height: number }[];
  readonly readyMs: number;
}

export interface TestingPolicy {
  readonly runner: RunnerKind;
  /** Runs everything; null when the project has no suite and only task validations count. */
  readonly full: string | null;
  /** Parts of it that an agent may run by themselves. */
  readonly unit?: string | null;
  readonly e2e?: string | null;
  /** Runs one file; `{file}` is replaced. Derived from `full` when not configured. */
  readonly feature: string | null;
  /** Where a command that writes its own JUnit or TAP report puts it, relative to the tree. */
  readonly reportPath: string | null;
}

export interface EnvironmentPolicy {
  /** Installs dependencies in a fresh tree; run again only when a lockfile changes. */
  readonly install: string | null;
  readonly init: string | null;
  readonly reset: string | null;
  readonly healthCheck: string | null;
  readonly stop: string | null;
  readonly lockfiles: readonly string[];
  /** Files behind filters and submodules that trees may be judged without; proofs say so. */
  readonly acceptUnfilled: readonly string[];
}

export interface PreflightPolicy {
  readonly workingDirectory: boolean;
  readonly harnessFiles: boolean;
  readonly gitState: boolean;
  readonly environment: boolean;
  readonly baselineTests: boolean;
  /** Whether a base that the linter finds fault with is told of, or not worked on. */
  readonly lint: 'warn' | 'stop' | 'off';
  readonly budget: boolean;
  readonly autoReset: boolean;
  readonly maxResetAttempts: number;
}

/** Whether a path is the backlog, or one of its plans where it is a folder. */
export function isBacklogPath(
  { backlogPath, completedDir }: Pick<Policy, 'backlogPath' | 'completedDir'>,
  path: string,
): boolean {
  if (path === backlogPath || isPlanFile(backlogPath, path)) return true;
  return completedDir !== null && isPlanFile(completedDir, path);
}

/** Whether people write a file and may wonder how long it is: backlog, notes and lockfiles are as long as they have to be. */
export function isMeasured(
  policy: Pick<Policy, 'backlogPath' | 'completedDir' | 'notesPath' | 'environment'>,
  path: string,
): boolean {
  const isNamed = policy.environment.lockfiles.some(name => path === name || path.endsWith(`/${name}`));
  return !isBacklogPath(policy, path) && path !== policy.notesPath && !isNamed && !isLockfile(path);
}

/** Whether a package manager writes the file. */
export function isLockfile(path: string): boolean {
  return /(?:^|\/)(?:[^/]+\.lock|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum)$/.test(
    path,
  );
}

/** Whether a path is a Markdown plan that lies in a folder itself. */
export function isPlanFile(folder: string, path: string): boolean {
  const name = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '/';
  return /^[^/]+\.md$/i.test(name) && !/^readme\.md$/i.test(name);
}

/** The providers of a role in the order they are tried. */
export function getProviders({ models, providers }: Policy, role: Role): readonly string[] {
  return [...new Set([models[role].provider, ...providers])];
}

/** Every provider that any role may come to. */
export function getAllProviders({ models, providers }: Policy): readonly string[] {
  return [...new Set([...providers, ...ROLES.map(role => models[role].provider)])];
}

/** Model and effort mean something to the provider they were chosen for; those it falls back on choose for themselves. */
export function getRoleSettings(
  { models }: Policy,
  role: Role,
  provider: string,
): { readonly model?: string; readonly effort?: string } {
  const { model, effort, ...own } = models[role];
  if (own.provider !== provider) return {};
  return { ...(model ? { model } : {}), ...(effort ? { effort } : {}) };
}

/** What is logged and for how long; the record itself is kept whole for good. */
export interface LogRules {
  /** Everything at least this important is logged. */
  readonly level: EventLevel;
  /** Share of attempts whose routine events are logged although the level leaves them out. */
  readonly sampling: number;
  /** Days that important lines are kept; routine and debug ones are kept for less. */
  readonly retentionDays: number;
  /** Size from which a log goes on in a new file. */
  readonly maxFileBytes: number;
}

/** How a provider is waited for that says to slow down; null leaves it to its own word, or to the harness. */
export interface RateLimitRules {
  readonly backoffMs: number | null;
  /** In a row. */
  readonly maxRetries: number | null;
}

/** What becomes of the work of a session that ran out of time, or of context. */
export interface CutOffRules {
  readonly timeout: { readonly keeps: boolean; readonly prefix: string };
  readonly context: { readonly keeps: boolean; readonly prefix: string };
  /** Whether the progress notes tell of sessions whose context was full. */
  readonly notesContext: boolean;
}

/** What agents may touch of a tree, as folders, files or globs. */
export interface FileRules {
  /** Null for everything. */
  readonly allowed: readonly string[] | null;
  readonly denied: readonly string[];
}

/** The limits a session is watched by. */
export interface MonitorRules {
  readonly contextTokens: number;
  readonly warnShare: number;
  readonly wrapUpShare: number;
  readonly checkEveryTokens: number;
  readonly stopAfterStuckChecks: number;
  readonly maxRepeatedErrors: number;
  readonly stuckWarning: string;
  readonly firstEventMs: number;
  readonly idleMs: number;
  readonly warnAtMs: number;
  /** When the time of a session is up. */
  readonly endAtMs: number;
}

/** Every kind of prompt there is; each has a template of that name. */
export const PROMPT_NAMES = [
  'coding',
  'continuation',
  'feedback',
  'test-author',
  'review',
  'cleanup',
  'planner',
  'summariser',
  'architect',
  'designer',
  'second-reader',
] as const;

export type PromptName = (typeof PROMPT_NAMES)[number];

/** Templates in Markdown, by what they are for. */
export type Prompts = Readonly<Record<PromptName, string>>;
