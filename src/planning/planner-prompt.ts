import type { Plan, PlanRules } from '../core/decide/plan.ts';
import { type GivenFile, getContextFilesText } from '../core/model/context-file.ts';
import type { Policy } from '../core/model/policy.ts';
import { getPrompt } from '../core/prompt/prompt.ts';

/** What a planner is asked, and what it has to know for that. */
export interface PlannerBrief {
  readonly project: string;
  readonly rules: PlanRules;
  /** What is wanted, in a person's words. */
  readonly wish: PlannerWish;
  /** Paths of the project; empty for one that has nothing yet. */
  readonly files: readonly string[];
  readonly isTest: (path: string) => boolean;
  readonly testCommand: string | null;
  readonly runner: string;
  readonly tasks: readonly KnownTask[];
  /** What people left for planners. */
  readonly contextFiles?: readonly GivenFile[];
}

export type PlannerWish =
  | { readonly kind: 'spec'; readonly text: string }
  | { readonly kind: 'one'; readonly text: string }
  | { readonly kind: 'split'; readonly task: KnownTask; readonly steps: readonly string[] };

export interface KnownTask {
  readonly id: string;
  readonly title: string;
  readonly passes: boolean;
}

/** A plan that was not good enough, and why. */
export interface Returned {
  readonly plan: Plan | null;
  readonly problems: readonly string[];
}

/** The rules first, which never change, then the project, then the wish, and last what was wrong before. */
export function getPlannerPrompt(policy: Policy, brief: PlannerBrief, returned: Returned | null): string {
  const { project, rules } = brief;
  const parts = [
    getProjectPart(brief),
    getBacklogPart(brief),
    getContextFilesText(brief.contextFiles ?? [], 'planner'),
    getWishPart(brief.wish),
    rules.maxTasks === undefined ? null : `At most ${rules.maxTasks} tasks, the ones that come first.`,
    returned && getReturnedPart(returned),
  ];
  return getPrompt(policy, 'planner', parts.filter(Boolean).join('\n\n'), {
    project,
    maxSteps: String(rules.maxSteps),
    maxFiles: String(rules.maxFiles),
  });
}

const MAX_PATHS = 120;
const MAX_TASKS = 200;

function getProjectPart({ files, isTest, testCommand, runner }: PlannerBrief): string {
  if (files.length === 0) {
    return '## The project\n\nThere is nothing yet. Choose what fits best and say it in `language`: node (its own test runner, no packages), python (pytest), go, rust or other.';
  }
  const tests = files.filter(isTest);
  return [
    '## The project',
    '',
    `${files.length} files, ${tests.length} of them tests or their helpers.`,
    testCommand === null ? 'No test command is known.' : `Tests run with \`${testCommand}\` (${runner}).`,
    '',
    '```',
    ...getTree(files),
    '```',
  ].join('\n');
}

/** Every path where they are few, else folders with how much is in them. */
export function getTree(files: readonly string[]): readonly string[] {
  if (files.length <= MAX_PATHS) return [...files].sort();
  for (let depth = 6; depth > 0; depth--) {
    const folders = new Map<string, number>();
    for (const file of files) {
      const parts = file.split('/');
      const place = parts.length <= depth ? file : `${parts.slice(0, depth).join('/')}/`;
      folders.set(place, (folders.get(place) ?? 0) + 1);
    }
    if (folders.size > MAX_PATHS && depth > 1) continue;
    const lines = [...folders].sort().map(([place, n]) => (place.endsWith('/') ? `${place} (${n})` : place));
    const left = lines.length - MAX_PATHS;
    return left > 0 ? [...lines.slice(0, MAX_PATHS), `… and ${left} more`] : lines;
  }
  return [];
}

function getBacklogPart({ tasks, rules }: PlannerBrief): string | null {
  if (tasks.length === 0) return null;
  const shown = tasks.slice(-MAX_TASKS);
  const left = tasks.length - shown.length;
  return [
    '## Tasks that are there already',
    '',
    'They stay as they are. New tasks have other ids and other test files, and may depend on these.',
    '',
    ...(left > 0 ? [`- ${left} older ones, all with smaller ids`] : []),
    ...shown.map(({ id, title, passes }) => `- ${id}: ${title}${passes ? ' (done)' : ''}`),
    '',
    `Test files that are taken: ${rules.knownTestFiles.slice(-MAX_TASKS).join(', ') || 'none'}`,
  ].join('\n');
}

function getWishPart(wish: PlannerWish): string {
  switch (wish.kind) {
    case 'spec':
      return `## The specification\n\n${wish.text.trim()}`;
    case 'one':
      return `## What is wanted\n\nExactly one task for this:\n\n${wish.text.trim()}`;
    case 'split':
      return [
        '## What is wanted',
        '',
        `Task ${wish.task.id} is too big: "${wish.task.title}". Put two or more smaller ones in its place, which together do all of it and nothing else. None of them depends on ${wish.task.id}.`,
        ...(wish.steps.length > 0
          ? ['', 'It was to be done when:', ...wish.steps.map(step => `- ${step}`)]
          : []),
      ].join('\n');
  }
}

function getReturnedPart({ plan, problems }: Returned): string {
  return [
    '## Your last plan was sent back',
    '',
    ...problems.slice(0, 50).map(problem => `- ${problem}`),
    '',
    'Put all of this right and answer with the whole plan again.',
    ...(plan ? ['', 'It was:', '', '```json', JSON.stringify(plan), '```'] : []),
  ].join('\n');
}
