import * as z from 'zod';
import type { PreflightPolicy } from '../../core/model/policy.ts';
import { count, optionalCommand, optionalText, seconds, texts } from './fields.ts';

/** How the project is brought up and down. */
export const environment = z
  .strictObject({
    install: optionalCommand().describe(
      'Installs dependencies in a fresh tree; run again only when a lockfile changes.',
    ),
    init: optionalCommand().describe(
      'Starts the development environment before a session; `harness-init.sh`, where that is committed and nothing is set.',
    ),
    reset: optionalCommand().describe('Brings a broken environment back to a clean state.'),
    health_check: optionalCommand().describe('Exits 0 when the environment is ready for work.'),
    stop: optionalCommand().describe('Shuts the environment down once a run is over, however it ended.'),
    env: texts()
      .default([])
      .describe(
        'Names of environment variables that these commands, agents and tests see besides those of the toolchain.',
      ),
    accept_unfilled: z
      .array(z.string())
      .default([])
      .describe(
        'Files behind filters (Git LFS …) and submodules, as globs, that may be missing where work is judged. ' +
          'Their tests then guard nothing, and every such proof says so on its first line.',
      ),
    timeout_seconds: seconds()
      .default(600)
      .describe('Longest time one of these commands, or the linter, may take.'),
  })
  .prefault({})
  .describe('Commands that prepare, check and stop the environment the project runs in.');

const checks = z
  .strictObject({
    working_directory: z.boolean().default(true).describe('Checks that the command runs in the project.'),
    harness_files: z.boolean().default(true).describe('Checks that the configuration and backlog are there.'),
    git_state: z.boolean().default(true).describe('Checks that the repository can be worked on.'),
    environment: z.boolean().default(true).describe('Runs `environment.init` and the health check.'),
    baseline_tests: z.boolean().default(true).describe('Runs the test suite before the agent starts.'),
    lint: z
      .enum(['warn', 'stop', 'off'])
      .default('warn')
      .describe('What follows when the linter finds fault with the base before any work.'),
    budget: z.boolean().default(true).describe('Checks that money is left for a session.'),
  })
  .prefault({})
  .describe('Which checks run.');

const onFailure = z
  .strictObject({
    auto_reset: z
      .boolean()
      .default(true)
      .describe('Whether `environment.reset` is tried when `environment.init` or the health check fails.'),
    max_reset_attempts: count(0).default(2).describe('How many resets are tried before giving up.'),
  })
  .prefault({})
  .describe('What happens when the environment does not come up.');

/** What must be right before an agent is started. */
export const preflight = z
  .strictObject({ checks, on_failure: onFailure })
  .prefault({})
  .describe('Checks made before an agent costs anything.');

/** The server a reviewer looks at. */
export const devServer = z
  .strictObject({
    url: optionalText().describe(
      'Address at which the running application answers, as `http://localhost:HARNESS_PORT`.',
    ),
    command: optionalCommand().describe(
      'Starts the application for a look at its screens and for `e2e.command`, on the port in `HARNESS_PORT` (and `PORT`).',
    ),
  })
  .prefault({})
  .describe('The running application, for end-to-end tests and for a look at its screens.');

/** The checks before a session, as the core wants them. */
export function getPreflight({ checks, on_failure }: z.output<typeof preflight>): PreflightPolicy {
  return {
    workingDirectory: checks.working_directory,
    harnessFiles: checks.harness_files,
    gitState: checks.git_state,
    environment: checks.environment,
    baselineTests: checks.baseline_tests,
    lint: checks.lint,
    budget: checks.budget,
    autoReset: on_failure.auto_reset,
    maxResetAttempts: on_failure.max_reset_attempts,
  };
}
