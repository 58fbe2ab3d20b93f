import { resolve } from 'node:path';
import { type CaptureResult, captureSpec } from '../../../app/plan/capture-spec.ts';
import { planSpec } from '../../../app/plan/plan-work.ts';
import { getLeftLine } from '../../../core/site/site-spec.ts';
import { defineCommand } from '../../command/define-command.ts';
import { argument, count, no, repeated, text, yes } from '../../command/flags.ts';
import { withTrialWatcher } from '../../render/watch.ts';
import { getPlanLines, plannerFlags, runPlanning } from './plan.ts';

export const capture = defineCommand({
  name: 'capture',
  group: 'setting up',
  summary: 'Turn what a site shows into a document, and plan from it.',
  on: 'folder',
  args: { url: argument('the page to begin with') },
  flags: {
    name: text('<name>', 'what the document is called; after the site when not said'),
    maxPages: count('<n>', 'how many pages are looked at; 5 at most'),
    viewport: repeated('<size>', 'a size to look at it in, as 390x844; repeat it'),
    notes: text('<text>', 'what matters in it, for the planner'),
    plan: no('only write the document'),
    force: yes('replace a document of that name'),
    allowPrivate: text('<host>', 'the one host, with its port, that may have a private address'),
    yes: plannerFlags.yes,
    agent: plannerFlags.agent,
  },
  examples: ['harness capture https://example.com --notes "only the price list"'],
  run: async (where, { yes: isTaken, agent, ...input }, terminal) => {
    const { io, json } = terminal;
    const captured = await withTrialWatcher(io, async ({ watcher, signal }) => {
      const end = watcher.begin(`a browser at ${input.url}`);
      return captureSpec(where, { ...input, signal }).finally(end);
    });
    if (!json) io.out(getCaptureLines(captured).join('\n'));
    if (!input.plan) return { ...captured, plan: null };
    const asked = { ...(isTaken ? { yes: true } : {}), ...(agent ? { agent } : {}) };
    const spec = resolve(captured.root, captured.spec);
    const plan = await runPlanning(terminal, asked, given => planSpec(where, { ...given, spec }));
    return { ...captured, plan };
  },
  render: ({ plan, spec }, { style }) =>
    plan === null ? [style.dim(`next: harness plan --spec ${spec}`)] : getPlanLines(plan, { style }),
});

function getCaptureLines({ spec, pages, screenshots, left }: CaptureResult): readonly string[] {
  return [
    `wrote ${spec}: ${pages.length} pages, ${screenshots.length} screenshots beside it`,
    ...pages.map(url => `  ${url}`),
    ...(left.length > 0 ? ['left out:', ...left.map(one => `  ${getLeftLine(one)}`)] : []),
  ];
}
