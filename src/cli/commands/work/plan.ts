import { relative, resolve } from 'node:path';
import {
  addFeature as addFeatureTo,
  type PlanInput,
  planSpec,
  settleSavedPlan,
  splitTask,
} from '../../../app/plan/plan-work.ts';
import type { PlanResult, ShownPlan } from '../../../app/plan/settle-plan.ts';
import { PROVIDER_NAMES } from '../../../core/model/provider.ts';
import { drawGraph } from '../../../core/views/draw-graph.ts';
import { type Aside, aside, defineCommand, type Page, type Terminal } from '../../command/define-command.ts';
import { argument, choice, count, optional, text, yes } from '../../command/flags.ts';
import { withReporter } from '../../render/watch.ts';
import { createStyle } from '../../terminal/style.ts';
import { askYes, canAsk } from '../people/ask.ts';

/** Flags that go with every question to a planner. */
export const plannerFlags = {
  yes: yes('accept the plan without asking'),
  dryRun: yes('show the plan and every file it would write; change nothing'),
  agent: choice('<name>', 'who plans; in a new project also who works', PROVIDER_NAMES),
};

export const plan = defineCommand({
  name: 'plan',
  group: 'setting up',
  summary: 'Show or accept the pending plan, or make one from a document.',
  on: 'folder',
  args: { document: optional('the same as --spec') },
  flags: {
    ...plannerFlags,
    spec: text('<file>', 'what is to be added, as a document'),
    accept: yes('accept the pending plan'),
    preview: yes('the same as --dry-run'),
    maxNewPlans: count('<n>', 'how many tasks it may add at most'),
  },
  examples: ['harness plan --spec payments.md'],
  run: (where, { document: named, preview, ...rest }, terminal) => {
    const { spec = named, ...given } = rest;
    const input = { ...given, ...(preview ? { dryRun: true } : {}) };
    if (spec !== undefined) {
      const document = resolve(terminal.io.cwd, spec);
      return runPlanning(terminal, input, asked => planSpec(where, { ...asked, spec: document }));
    }
    const shown = { yes: input.accept ?? false, dryRun: !input.accept };
    return runPlanning(terminal, { ...input, ...shown }, asked => settleSavedPlan(where, asked));
  },
  render: getPlanLines,
});

export const addFeature = defineCommand({
  name: 'add-feature',
  group: 'setting up',
  summary: 'Let a planner turn a wish into one task.',
  on: 'folder',
  args: { wish: argument('what is wanted, in your own words') },
  flags: plannerFlags,
  examples: ['harness add-feature "Totals include tax"'],
  run: (where, input, terminal) => runPlanning(terminal, input, asked => addFeatureTo(where, asked)),
  render: getPlanLines,
});

export const split = defineCommand({
  name: 'split',
  group: 'setting up',
  summary: 'Let a planner replace a task with smaller ones.',
  on: 'folder',
  args: { task: argument('its id') },
  flags: plannerFlags,
  examples: ['harness split 7'],
  run: (where, input, terminal) => runPlanning(terminal, input, asked => splitTask(where, asked)),
  render: getPlanLines,
});

/** Shows the plan once it is there, and asks whether to take it where somebody is there. */
export async function runPlanning<Input extends { readonly yes?: boolean; readonly dryRun?: boolean }>(
  { io, json }: Terminal,
  input: Input,
  act: (asked: Input & Pick<PlanInput, 'onPlan' | 'confirm' | 'reporter' | 'signal'>) => Promise<PlanResult>,
): Promise<PlanResult> {
  const onPlan = (shown: ShownPlan) => {
    if (!json) io.out(getShownLines(shown, input, createStyle(io.colourOut)).join('\n'));
  };
  const confirm = async () => canAsk(io) && (await askYes('Accept this plan?'));
  const result = await withReporter(io, json, watch => act({ ...input, ...watch, onPlan, confirm }));
  if (result.accepted || result.file === undefined) return result;
  return { ...result, file: relative(io.cwd, result.file) || result.file };
}

function getShownLines(
  { plan: { tasks, summary }, kind, replaces, files }: ShownPlan,
  { yes: isTaken, dryRun }: { readonly yes?: boolean; readonly dryRun?: boolean },
  style: ReturnType<typeof createStyle>,
): readonly string[] {
  const head = kind === 'split' ? `in place of task ${replaces}` : 'to do';
  const drawn = tasks.map(({ id, title, depends_on: dependsOn, size }) => ({
    id,
    title: `${title} (${size})`,
    dependsOn,
  }));
  const getFileLines = (written: string) =>
    written
      .trimEnd()
      .split('\n')
      .map(line => `  ${style.dim('│')} ${line}`.trimEnd());
  return [
    `${style.bold(`${tasks.length} tasks ${head}`)}: ${summary.trim()}\n`,
    drawGraph(drawn),
    '',
    ...files.flatMap(({ path, text: written }) => [
      `${isTaken ? 'writes' : 'would write'} ${path}`,
      ...(dryRun ? getFileLines(written) : []),
    ]),
  ];
}

/** What became of a plan. */
export function getPlanLines(
  result: PlanResult,
  { style }: Pick<Page<unknown>, 'style'>,
): readonly (string | Aside)[] {
  const { plan: settled, next } = result;
  if (settled === null) return ['No pending plan.', `next: ${next}`];
  if (!result.accepted)
    return [
      `\nNothing has been changed. The plan is in ${result.file}; you can edit it there.`,
      style.dim(`next: ${next}`),
    ];
  const { commit, branch, note } = result;
  if (commit === null) return ['This plan was accepted already.', `next: ${next}`];
  return [
    `${style.good('planned')} ${settled.tasks.length} tasks as ${commit.slice(0, 10)} on ${branch}`,
    ...(note ? [aside(`note: ${note}`)] : []),
    style.dim(`next: ${next}`),
  ];
}
