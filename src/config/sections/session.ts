import * as z from 'zod';
import type { CutOffRules, LogRules, MonitorRules } from '../../core/model/policy.ts';
import { count, minutes, share, text, toMs } from './fields.ts';

const onTimeout = z
  .strictObject({
    auto_commit: z
      .boolean()
      .default(true)
      .describe('Whether unfinished work is kept in a commit and gone on with; false begins afresh.'),
    message_prefix: z
      .string()
      .default('WIP: Session timeout - ')
      .describe('Beginning of that commit’s message.'),
  })
  .prefault({})
  .describe('What happens to unfinished work at the time limit.');

/** How long a session may last. */
export const session = z
  .strictObject({
    timeout_minutes: minutes().default(60).describe('Wall-clock time after which a session is stopped.'),
    timeout_warning_minutes: minutes()
      .nullable()
      .default(null)
      .describe('Time after which the agent is warned; five sixths of the limit (50 of 60) when absent.'),
    on_timeout: onTimeout,
  })
  .prefault({})
  .describe('Time limits of a session.');

/** More agents than any machine has been seen to feed; a slip of the finger costs money. */
export const MOST_WORKERS = 64;

/** How many sessions and workers there may be. */
export const sessionConfig = z
  .strictObject({
    concurrency_mode: z
      .enum(['exclusive', 'concurrent'])
      .nullable()
      .default(null)
      .describe(
        'Whether one worker at a time runs on the project, or several; when absent as a `harness-tasks.json` says, else one, or several where `git.remote` is set.',
      ),
    workers: z
      .union([z.int().min(1).max(MOST_WORKERS), z.literal('auto')])
      .default(1)
      .describe(
        'How many agents one `run --all` sets to work at once, each on a task and in a worktree of its own; `auto` for as many as the machine carries.',
      ),
    max_tasks_per_session: count()
      .nullable()
      .default(null)
      .describe(
        'Landed tasks after which one run stops; when absent as a `harness-tasks.json` says (20), else no limit.',
      ),
    max_sessions: count()
      .nullable()
      .default(null)
      .describe(
        'Sessions after which the project stops for a person; when absent as a `harness-tasks.json` says (50), else no limit.',
      ),
    all_done: z
      .enum(['exit', 'maintain'])
      .default('exit')
      .describe('Whether `run --all` ends when everything is landed, or stays and looks after it.'),
    health_minutes: minutes()
      .default(10)
      .describe('Least time between two looks at the whole suite while a run maintains.'),
  })
  .prefault({})
  .describe('Limits on runs and workers.');

const onLimit = z
  .strictObject({
    auto_commit: z
      .boolean()
      .default(true)
      .describe('Whether unfinished work is kept in a commit and gone on with; false begins afresh.'),
    commit_message_prefix: z
      .string()
      .default('WIP: Context limit - ')
      .describe('Beginning of that commit’s message.'),
    append_to_progress: z
      .boolean()
      .default(true)
      .describe('Whether the progress notes mention it once the task lands.'),
  })
  .prefault({})
  .describe('What happens when the context is full.');

/** What to do as the context window fills. */
export const context = z
  .strictObject({
    warn_threshold: share()
      .default(0.75)
      .describe('Share of the context at which the agent is told to wrap up.'),
    force_threshold: share().default(0.9).describe('Share of the context at which the session is ended.'),
    window_tokens: count().default(200_000).describe('Size of the context window in tokens.'),
    on_limit: onLimit,
  })
  .prefault({})
  .describe('Care for the context window of the agent.');

/** When an agent counts as stuck. */
export const progress = z
  .strictObject({
    check_interval_tokens: count().default(50_000).describe('Tokens between two looks at the progress made.'),
    stuck_warning: text()
      .default('You appear stuck. Consider a different approach.')
      .describe('What an agent without progress is told.'),
    force_stop_after_stuck_checks: count().default(2).describe('Looks without progress that end a session.'),
    max_repeated_errors: count().default(5).describe('Repetitions of one error that count as stuck.'),
  })
  .prefault({})
  .describe('Detection of agents that go in circles.');

/** What is logged and how long it is kept. */
export const logging = z
  .strictObject({
    level: z
      .enum(['critical', 'important', 'routine', 'debug'])
      .default('important')
      .describe('Least important kind of event that is logged, and shown by `harness log` unless asked.'),
    sampling: share()
      .default(0.1)
      .describe('Share of attempts whose routine events are logged although `level` leaves them out.'),
    retention_days: count()
      .default(90)
      .describe(
        'Days that logs and transcripts are kept: routine lines at most 30, debug lines 7, critical ones for good, as is all of `harness-progress.txt`.',
      ),
    max_file_mb: z
      .number()
      .positive()
      .default(20)
      .describe('Size from which a log goes on in a new file, in megabytes.'),
    structured_agent_output: z.boolean().default(true).describe('Whether prefixes in agent output are read.'),
    require_prefixes: z
      .boolean()
      .default(false)
      .describe('Whether a claim by a `command` agent without any prefix in its output counts for nothing.'),
    fallback_tracking: z
      .boolean()
      .default(true)
      .describe(
        'Whether files and processes are looked at while a `command` agent says nothing of what it does.',
      ),
    warn_on_missing_prefixes: z
      .boolean()
      .default(true)
      .describe(
        'Whether a `command` agent without any prefix in its output is noted in the transcript and the log of actions.',
      ),
  })
  .prefault({})
  .describe('Logs and what is read from agent output.');

/** What is logged and how long it is kept, as the core wants it. */
export function getLogRules(logs: z.output<typeof logging>): LogRules {
  return {
    level: logs.level,
    sampling: logs.sampling,
    retentionDays: logs.retention_days,
    maxFileBytes: logs.max_file_mb * 1024 * 1024,
  };
}

type WatchRules = Omit<MonitorRules, 'firstEventMs' | 'idleMs'>;

/** The limits that a session is watched by, as the core wants them; how long it may be silent depends on the agent. */
export function getWatchRules(
  { warn_threshold, force_threshold, window_tokens }: z.output<typeof context>,
  stuck: z.output<typeof progress>,
  { timeout_minutes, timeout_warning_minutes }: z.output<typeof session>,
): WatchRules {
  return {
    contextTokens: window_tokens,
    warnShare: warn_threshold,
    wrapUpShare: force_threshold,
    checkEveryTokens: stuck.check_interval_tokens,
    stopAfterStuckChecks: stuck.force_stop_after_stuck_checks,
    maxRepeatedErrors: stuck.max_repeated_errors,
    stuckWarning: stuck.stuck_warning,
    endAtMs: toMs(timeout_minutes * 60),
    warnAtMs: toMs((timeout_warning_minutes ?? (timeout_minutes * 5) / 6) * 60),
  };
}

/** What becomes of work that was cut off, as the core wants it. */
export function getCutOffRules(
  { on_timeout }: z.output<typeof session>,
  { on_limit }: z.output<typeof context>,
): CutOffRules {
  return {
    timeout: { keeps: on_timeout.auto_commit, prefix: on_timeout.message_prefix },
    context: { keeps: on_limit.auto_commit, prefix: on_limit.commit_message_prefix },
    notesContext: on_limit.append_to_progress,
  };
}
