import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlanFolder } from '../../backlog/codec.ts';
import { TEST_GLOBS } from '../../config/protected-globs.ts';
import { EXIT_CODES, HarnessError } from '../../core/base/failure.ts';
import { matchesAny } from '../../core/base/glob.ts';
import { redactTexts } from '../../core/base/redact.ts';
import { numberPlan, type Plan } from '../../core/decide/plan.ts';
import type { HarnessEvent } from '../../core/events/event.ts';
import { Journal } from '../../loop/journal.ts';
import type { PlannerWish } from '../../planning/planner-prompt.ts';
import { runPlanner } from '../../planning/run-planner.ts';
import { isNew } from '../../planning/setup-files.ts';
import type { BacklogTask, Ports, Reporter } from '../../ports/index.ts';
import { beforeAgents } from '../project/before-agents.ts';
import { openPorts } from '../project/open-ports.ts';
import type { Planning } from './open-planning.ts';
import { getKindProblems, getPlanPath, getPlanRules, type SavedPlan, writeSavedPlan } from './saved-plan.ts';

export interface ProposeRequest {
  readonly kind: SavedPlan['kind'];
  readonly wish: PlannerWish;
  readonly replaces: string | null;
  readonly agent: string | null;
  /** What starts it, in a new project. */
  readonly command?: string | null;
  /** The tasks that are there, as the commit says on which the plan would stand. */
  readonly tasks: readonly BacklogTask[];
  /** How many new ones there may be at most; null without a limit. */
  readonly maxTasks?: number | null;
  /** Whether the record allows it. */
  readonly refuse?: (journal: Journal) => void;
}

/** Asks the planner and keeps its plan where it can be looked at, edited and taken; a bad one too, with the reasons. */
export async function proposePlan(
  planning: Planning,
  request: ProposeRequest,
  watch: Watched,
): Promise<SavedPlan> {
  const { stateDir } = planning.project;
  const answer = await askPlanner(planning, request, watch);
  const { problems, rounds } = answer;
  const plan = isPlanFolder(planning.project.policy.backlogPath)
    ? numberPlan(
        answer.plan,
        request.tasks.map(({ def }) => def.id),
      )
    : answer.plan;
  const { kind, replaces, agent, command = null } = request;
  const saved = { kind, replaces, agent, command, problems, plan };
  writeSavedPlan(stateDir, saved);
  if (problems.length > 0) throw getBadPlanError(stateDir, problems, rounds);
  return saved;
}

interface Watched {
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** The planner's last answer and what is wrong with it; nothing is kept of it. Closes the project. */
export async function askPlanner(
  planning: Planning,
  request: ProposeRequest,
  { reporter, signal }: Watched,
): Promise<{ readonly plan: Plan; readonly problems: readonly string[]; readonly rounds: number }> {
  const { project } = planning;
  await beforeAgents(project, reporter);
  const ports = await openPorts(project, { reporter });
  const cwd = mkdtempSync(join(tmpdir(), 'harness-plan-'));
  try {
    const journal = createJournal(ports);
    await journal.refresh();
    request.refuse?.(journal);
    const maxTasks = request.maxTasks ?? null;
    const own = getPlanRules(project, request.tasks, request.replaces);
    const rules = maxTasks === null ? own : { ...own, maxTasks };
    const files = await planning.reader.listFiles();
    const isEmpty = isNew(planning.detected);
    const brief = {
      project: project.policy.project,
      rules,
      wish: request.wish,
      files: isEmpty && planning.isUnborn ? [] : files,
      isTest: (path: string) => matchesAny(path, TEST_GLOBS),
      testCommand: project.policy.testing.full,
      runner: project.policy.testing.runner,
      tasks: request.tasks.map(({ def, passes }) => ({ id: def.id, title: def.title, passes })),
    };
    const ctx = {
      ports,
      policy: project.policy,
      journal,
      cwd,
      signal,
      name: ports.random.token(),
    };
    const needsLanguage = request.kind === 'init' && isEmpty && !planning.hasConfig;
    const { plan, problems, rounds } = await runPlanner(ctx, brief, answer =>
      getKindProblems(answer, request, needsLanguage),
    );
    if (plan === null) throw getNoPlanError(problems, join(project.stateDir, 'sessions'), ctx.name);
    return { plan, problems, rounds };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new HarnessError('cancelled', 'planning was cancelled; nothing was changed', {
      fix: 'ask again when you are ready; what was spent is in harness status',
    });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
    await project.close();
  }
}

function createJournal(ports: Ports): Journal {
  const { redact } = ports;
  const clean = redact ? (events: readonly HarnessEvent[]) => redactTexts(events, redact) : undefined;
  return new Journal(
    ports.store,
    async (events, state) => {
      for (const event of events) ports.reporter.event(event);
      await ports.artifacts.project({ state, events });
    },
    clean,
  );
}

function getNoPlanError(problems: readonly string[], dir: string, name: string): HarnessError {
  const transcripts = join(dir, `planner-${name}-*.jsonl`);
  return new HarnessError('unproven', `the planner gave no plan: ${problems.join('; ')}`, {
    fix: `see what the planner said (${transcripts}), or name another agent with --agent`,
  });
}

function getBadPlanError(stateDir: string, problems: readonly string[], rounds: number): HarnessError {
  const file = getPlanPath(stateDir);
  return new HarnessError(
    'unproven',
    `after ${rounds} answers the plan still breaks the rules:\n${problems.map(one => `  - ${one}`).join('\n')}`,
    {
      file,
      fix: `edit ${file} and take it with "harness plan --accept", or plan again (exit ${EXIT_CODES.unproven})`,
    },
  );
}
