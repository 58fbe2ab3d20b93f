import type { Row } from './behaviour.ts';
import { COMMANDS_A } from './rows/a1-commands.ts';
import { PLUGIN } from './rows/a2-plugin.ts';
import { TASK_FILE } from './rows/a4-task-file.ts';
import { LOCK } from './rows/a5-lock.ts';
import { TOGETHER } from './rows/a6-concurrent.ts';
import { START } from './rows/a7-start.ts';
import { SELECTION } from './rows/a8-selection.ts';
import { TASK } from './rows/a9-task.ts';
import { STOPPING } from './rows/a10-stopping.ts';
import { RECOVERY } from './rows/a11-recovery.ts';
import { ERRORS } from './rows/a12-errors.ts';
import { DAMAGE } from './rows/a13-damage.ts';
import { RESTORE } from './rows/a13-restore.ts';
import { INIT_SCRIPT } from './rows/a14-init-script.ts';
import { TAKEN_UP } from './rows/a14-taken-up.ts';
import { LOG } from './rows/a15-log.ts';
import { OBJECTIVE } from './rows/b1-loop.ts';
import { COMMANDS_C } from './rows/c1-commands.ts';
import { DECISIONS } from './rows/c1-decisions.ts';
import { CONFIGURATION } from './rows/c2-configuration.ts';
import { EXAMPLES } from './rows/c3-examples.ts';
import { FEATURE_RULES } from './rows/c3-features.ts';
import { PROMPTS } from './rows/c4-prompts.ts';
import { ORIENTATION } from './rows/c5-orientation.ts';
import { ACCEPTED } from './rows/c6-accepted.ts';
import { VERIFICATION } from './rows/c6-verification.ts';
import { BASELINE } from './rows/c7-baseline.ts';
import { STUCK } from './rows/c8-stuck.ts';
import { SIZES } from './rows/c9-sizes.ts';
import { CLEANUP } from './rows/c10-cleanup.ts';
import { CONTEXT } from './rows/c11-context.ts';
import { SESSION } from './rows/c12-session.ts';
import { CHECKPOINTS } from './rows/c13-checkpoints.ts';
import { PREFLIGHT } from './rows/c14-preflight.ts';
import { TIMEOUT } from './rows/c15-timeout.ts';
import { TAXONOMY } from './rows/c16-taxonomy.ts';
import { ESCALATIONS } from './rows/c17-escalations.ts';
import { MIRROR } from './rows/c18-mirror.ts';
import { COSTS } from './rows/c19-costs.ts';
import { PREFIXES } from './rows/c20-prefixes.ts';
import { HEALTH } from './rows/c21-health.ts';
import { BY_A_PERSON } from './rows/c24-by-a-person.ts';
import { DEPENDENCIES } from './rows/c25-dependencies.ts';
import { VERSIONS } from './rows/c26-versions.ts';
import { ALL_DONE } from './rows/c27-all-done.ts';
import { MODELS } from './rows/c28-models.ts';
import { TOOLS } from './rows/c29-tools.ts';
import { SPLIT } from './rows/c30-split.ts';
import { LOOP_LATER } from './rows/d-later.ts';
import { LOOP_TASKS_ROWS } from './rows/d1-loop-tasks.ts';
import { PARALLEL } from './rows/d2-parallel.ts';
import { DEAD_LOOPS } from './rows/d4-dead-loops.ts';
import { LOOP_COMMANDS } from './rows/d6-loop-commands.ts';
import { NEXT_STEPS } from './rows/d6-next-steps.ts';
import { VALIDATE } from './rows/d10-validate.ts';
import { ENGINEERING_LATER } from './rows/e-later.ts';
import { RUNNER } from './rows/e1-runner.ts';
import { CONFIG_FILES } from './rows/e2-config-files.ts';
import { INIT_ROWS } from './rows/e2-init.ts';
import { PLANNER } from './rows/e3-planner.ts';
import { PLANS } from './rows/e4-plans.ts';
import { END_TO_END } from './rows/e7-end-to-end.ts';
import { WATCHER } from './rows/e8-watcher.ts';
import { FREEZE } from './rows/e10-budget-freeze.ts';
import { GATES } from './rows/e11-gates.ts';
import { CONTEXT_FILES } from './rows/e13-context.ts';
import { SITE } from './rows/e14-site.ts';
import { REPO } from './rows/e16-repo.ts';
import { NEEDS } from './rows/e18-questions.ts';

const GROUPS: readonly (readonly Row[])[] = [
  COMMANDS_A, //
  STOPPING,
  RECOVERY,
  ERRORS,
  DAMAGE,
  RESTORE,
  INIT_SCRIPT,
  TAKEN_UP,
  LOG,
  PLUGIN,
  TASK_FILE,
  LOCK,
  TOGETHER,
  START,
  SELECTION,
  TASK,
  OBJECTIVE,
  COMMANDS_C,
  DECISIONS,
  CLEANUP,
  CONTEXT,
  SESSION,
  CHECKPOINTS,
  PREFLIGHT,
  TIMEOUT,
  TAXONOMY,
  ESCALATIONS,
  MIRROR,
  COSTS,
  CONFIGURATION,
  PREFIXES,
  HEALTH,
  BY_A_PERSON,
  DEPENDENCIES,
  VERSIONS,
  ALL_DONE,
  MODELS,
  TOOLS,
  EXAMPLES,
  FEATURE_RULES,
  SPLIT,
  PROMPTS,
  ORIENTATION,
  ACCEPTED,
  VERIFICATION,
  BASELINE,
  STUCK,
  SIZES,
  LOOP_LATER,
  LOOP_TASKS_ROWS,
  VALIDATE,
  PARALLEL,
  DEAD_LOOPS,
  LOOP_COMMANDS,
  NEXT_STEPS,
  GATES,
  ENGINEERING_LATER,
  RUNNER,
  FREEZE,
  CONTEXT_FILES,
  SITE,
  REPO,
  NEEDS,
  CONFIG_FILES,
  INIT_ROWS,
  PLANNER,
  PLANS,
  END_TO_END,
  WATCHER,
];

/** Every behaviour, in the order of the tables in docs/coming-from.md; a merge may list a group twice. */
export const ROWS: readonly Row[] = [...new Set(GROUPS)]
  .flat()
  .sort((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
