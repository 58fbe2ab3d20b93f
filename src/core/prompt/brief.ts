import { getContextFilesText } from '../model/context-file.ts';
import { isBacklogPath, type Policy, type PromptName } from '../model/policy.ts';
import { getAnswersText } from '../model/question.ts';
import { getBasis } from '../model/task.ts';
import { getSessionOutcome, type State } from '../state/state.ts';
import { getTotal } from '../state/task-moves.ts';
import type { TaskState } from '../state/task-state.ts';
import { getFeatureCommand } from '../testing/test-command.ts';
import { getContinuation, getFeedback, type WipFile } from './continuation.ts';
import { getPrompt } from './prompt.ts';

/** What only the world knows about the work that is to be gone on with. */
export interface BriefFacts {
  readonly wip: readonly WipFile[];
  /** What the session is for. */
  readonly role?: string;
}

export const NO_FACTS: BriefFacts = { wip: [] };

/** The part of a prompt that changes: where the project stands, the task, and what became of it so far. */
export function getBrief(
  state: State,
  task: TaskState,
  policy: Pick<Policy, 'project' | 'backlogPath' | 'completedDir' | 'notesPath' | 'testing'>,
  { wip, role = 'coding' }: BriefFacts = NO_FACTS,
): string {
  return [
    getOrientation(state, task, policy),
    getContinuation(task, state.active.get(task.def.id), wip),
    getAnswersText(task.people),
    getContextFilesText(task.people.contextFiles, role),
  ]
    .filter(section => section !== '')
    .join('\n\n');
}

/** What an agent hears that still has its own session: only what it does not know yet. */
export function getFeedbackPrompt(
  policy: Policy,
  task: TaskState,
  feedback: Parameters<typeof getFeedback>[0],
): string {
  const brief = `**Task ${task.def.id}:** ${task.def.title}\n\n${getFeedback(feedback)}`;
  return getPrompt(policy, 'feedback', brief);
}

const OWN_RULES = ['continuation', 'test-author', 'cleanup', 'architect', 'designer'] as const;

/** Which rules a session works by; a round that has to be explained from the start is a coder's. */
export function getPromptName(kind: string): PromptName {
  return OWN_RULES.find(name => name === kind) ?? 'coding';
}

/**
 * What an agent needs to know to start at once, told instead of read. It holds nothing that grows
 * with the project: a brief for the fiftieth task is as short as for the first.
 */
export function getOrientation(
  state: State,
  task: TaskState,
  policy: Pick<Policy, 'project' | 'backlogPath' | 'completedDir' | 'notesPath' | 'testing'>,
): string {
  return [
    getStateSection(state, policy),
    getLastSessionSection(state),
    getTaskSection(state, task, policy),
    getKeyFilesSection(state, task, policy),
    getDecisionsSection(state),
  ]
    .filter(section => section !== '')
    .join('\n\n');
}

function getStateSection(state: State, { project }: Pick<Policy, 'project'>): string {
  const total = getTotal(state);
  const percent = total === 0 ? 0 : Math.floor((100 * state.counts.landed) / total);
  const lines = [
    '## Current state',
    '',
    `**Project:** ${project}`,
    `**Session:** ${state.sessions}`,
    `**Progress:** ${state.counts.landed}/${total} tasks landed (${percent}%)`,
  ];
  const health = getHealthLine(state);
  return [...lines, ...(health ? [`**Health:** ${health}`] : [])].join('\n');
}

/** What was last measured, as far as anything was. */
function getHealthLine({ suite, quality }: State): string {
  const { baseline } = suite;
  const lint = quality.lint;
  return [
    ...(baseline
      ? [`${baseline.passing.length} tests pass on the base, ${baseline.failing.length} fail`]
      : []),
    ...(lint ? [lint.errors === 0 ? 'no lint errors' : `${lint.errors} lint errors`] : []),
    ...(quality.oversized > 0 ? [`${quality.oversized} files over ${quality.maxFileLines} lines`] : []),
  ].join(', ');
}

function getLastSessionSection(state: State): string {
  const { lastSession, lastLanded } = state.recent;
  if (!lastSession) return '';
  const { session } = lastSession;
  const task = state.tasks.get(lastSession.task);
  const title = task ? ` (${getShort(task.def.title)})` : '';
  const outcome = getSessionOutcome(state, lastSession);
  const commit = lastLanded?.session === session ? ` as commit ${lastLanded.commit.slice(0, 10)}` : '';
  const lines = [
    `## Last session (${session})`,
    '',
    `- Task ${lastSession.task}${title}: ${outcome}${commit}`,
  ];
  if (lastLanded && commit === '')
    lines.push(`- Last landed: task ${lastLanded.task} as ${lastLanded.commit.slice(0, 10)}`);
  return lines.join('\n');
}

function getTaskSection(state: State, task: TaskState, { testing }: Pick<Policy, 'testing'>): string {
  const { def } = task;
  const lines = ['## Your task', '', `**Task ${def.id}:** ${def.title}`];
  if (def.testFile) lines.push(`**Test file:** ${def.testFile}`);
  if (def.validation) lines.push(`**Validation:** \`${def.validation.command}\``);
  const command = def.testFile ? getFeatureCommand(testing, def.testFile) : null;
  if (command) lines.push(`**Run after your last change:** \`${command}\``);
  if (testing.unit) lines.push(`**Unit tests alone:** \`${testing.unit}\``);
  if (testing.e2e) lines.push(`**End-to-end tests alone:** \`${testing.e2e}\``);
  if (def.dependsOn.length > 0) {
    lines.push(`**Builds on:** ${getDependencyNames(state, def.dependsOn)}`);
  }
  if (getBasis(def) === 'review') lines.push(`**Writes:** ${def.outputs?.join(', ')}, and nothing else`);
  if (def.mayChange.length > 0) lines.push(`**May change:** ${def.mayChange.join(', ')}`);
  return [...lines, ...getJudgedLines(def)].join('\n');
}

/** What done means, to a machine and to whoever looks at it afterwards. */
function getJudgedLines({ verificationSteps, visual, manualChecks }: TaskState['def']): string[] {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length > 0 ? ['', title, ...items.map(item => `- ${item}`)] : [];
  return [
    ...list('Done means:', verificationSteps),
    ...list('To be seen on the page:', visual ?? []),
    ...list('A person will look at:', manualChecks),
  ];
}

const MAX_NAMED_DEPENDENCIES = 3;

function getDependencyNames(state: State, ids: readonly string[]): string {
  const names = ids.slice(0, MAX_NAMED_DEPENDENCIES).map(id => {
    const task = state.tasks.get(id);
    return `${id} (${getShort(task?.def.title ?? 'unknown')})${task?.status === 'landed' ? ' ✓' : ''}`;
  });
  const left = ids.length - names.length;
  return [...names, ...(left > 0 ? [`and ${left} more`] : [])].join('; ');
}

const MAX_KEY_FILES = 6;

/** What the tasks before this one have written: the newest landing first, each file once. */
function getKeyFilesSection(
  state: State,
  { def }: TaskState,
  policy: Pick<Policy, 'backlogPath' | 'completedDir' | 'notesPath'>,
): string {
  const landed = def.dependsOn
    .flatMap(id => state.tasks.get(id)?.landed?.files?.map(path => ({ id, path })) ?? [])
    .reverse()
    .filter(({ path }) => path !== policy.notesPath && !isBacklogPath(policy, path));
  const byPath = new Map<string, string>();
  for (const { id, path } of landed) {
    if (state.quality.fileSizes.has(path) && !byPath.has(path)) byPath.set(path, id);
  }
  if (byPath.size === 0) return '';
  const lines = [...byPath].slice(0, MAX_KEY_FILES).map(([path, id]) => {
    const session = getLandedSession(state.tasks.get(id));
    const when = session === null ? '' : `, session ${session}`;
    return `- ${path} (task ${id}${when}, ${state.quality.fileSizes.get(path)?.lines ?? 0} lines)`;
  });
  return ['## Key files', '', ...lines].join('\n');
}

/** In which session a task landed; null where nobody worked on it here. */
function getLandedSession(task: TaskState | undefined): number | null {
  return task?.history.findLast(({ outcome }) => outcome === 'landed')?.session ?? null;
}

const MAX_DECISIONS = 3;
const MAX_DECISION_CHARS = 160;

function getDecisionsSection({ recent }: State): string {
  const { decisions } = recent;
  if (decisions.length === 0) return '';
  const lines = decisions
    .slice(-MAX_DECISIONS)
    .map(({ session, text }) => `- Session ${session}: ${getShort(text, MAX_DECISION_CHARS)}`);
  return ['## Recent decisions', '', ...lines].join('\n');
}

/** One line that is not too long, whatever somebody wrote. */
function getShort(text: string, maxChars = 80): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
