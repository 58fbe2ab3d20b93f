import { resolve } from 'node:path';
import { initFromSpec } from '../../../app/plan/init-from-spec.ts';
import { SCRIPT_KINDS, type SetUpResult, setUp } from '../../../app/plan/set-up.ts';
import type { PlanResult } from '../../../app/plan/settle-plan.ts';
import { getWhere } from '../../../app/project/open-checkout.ts';
import { defineCommand } from '../../command/define-command.ts';
import { choice, no, optional, text } from '../../command/flags.ts';
import { withTrialWatcher } from '../../render/watch.ts';
import type { Style } from '../../terminal/style.ts';
import { getPlanLines, plannerFlags, runPlanning } from './plan.ts';

export const init = defineCommand({
  name: 'init',
  group: 'main',
  summary: 'Set up a repository: find how it is tested, and try it.',
  on: 'folder',
  args: { path: optional('the repository; the one around this folder where nothing is said') },
  flags: {
    ...plannerFlags,
    spec: text('<file>', 'what is to be built: a planner makes the backlog, scripts and test stubs'),
    command: text('<line>', 'what starts the agent, for --agent command and acp'),
    run: no('write what was found out without trying it'),
    script: choice('<kind>', 'write an agent.sh that starts it', SCRIPT_KINDS),
  },
  examples: ['harness init --dry-run', 'harness init --spec design.md'],
  run: (here, input, terminal): Promise<SetUpResult | PlanResult> => {
    const { io } = terminal;
    const where = input.path === undefined ? here : getWhere(io, input.path, 'path');
    if (input.spec === undefined)
      return setUp(where, { ...input, watchTrial: act => withTrialWatcher(io, act) });
    const spec = resolve(io.cwd, input.spec);
    return runPlanning(terminal, input, asked => initFromSpec(where, { ...asked, spec }));
  },
  render: (result, page) =>
    'accepted' in result ? getPlanLines(result, page) : getSetUpLines(result, page.style),
});

function getSetUpLines({ detected, dryRun, isNew, ...result }: SetUpResult, style: Style): readonly string[] {
  const { written, kept, tookUp, problems, next } = result;
  const lines = [
    ...(detected ? [...getDetectedLines(detected), ''] : []),
    ...written.flatMap(file =>
      typeof file === 'string' ? `${style.good('wrote')} ${file}` : getFileLines(file, style),
    ),
    ...kept.map(path => `kept ${path} as it is`),
    ...tookUp,
    ...problems.map(line => style.warn(line)),
    ...(written.length === 0 && !isNew ? ['Nothing to do: this project is set up.'] : []),
  ];
  return dryRun
    ? [...lines, '', 'No changes made.', style.dim('next: harness init')]
    : [...lines, '', 'Next:', ...next.map(step => `  ${step}`)];
}

function getFileLines(file: { readonly path: string; readonly text: string }, style: Style): string[] {
  const lines = file.text.trimEnd().split('\n');
  return [`would write ${file.path}`, ...lines.map(line => `  ${style.dim('│')} ${line}`.trimEnd())];
}

function getDetectedLines(detected: NonNullable<SetUpResult['detected']>): string[] {
  const { language, packageManager, test, runner, lint, install, missing, advice, seen } = detected;
  const notes = test === null ? advice : detected.notes.filter(note => !missing.includes(note));
  const describe = (command: string, what: string | undefined) => `${command}${what ? ` (${what})` : ''}`;
  const found =
    language === 'unknown' ? 'not recognised' : [language, packageManager].filter(Boolean).join(', ');
  return [
    `Language: ${found}`,
    `Install:  ${describe(install ?? 'nothing to install', seen?.install)}`,
    `Tests:    ${test === null ? 'no command found: set testing.full in .harness.yaml' : describe(test, seen?.full ?? `read as ${runner}`)}`,
    ...(detected.testNetwork === null ? [] : ['Network:  none for the tests, which pass without']),
    `Lint:     ${describe(lint ?? 'none found', seen?.lint)}`,
    ...(detected.typeCheck ? [`Types:    ${describe(detected.typeCheck, seen?.typeCheck)}`] : []),
    ...(detected.build ? [`Build:    ${describe(detected.build, seen?.build)}`] : []),
    ...notes.map(note => `Note:     ${note}`),
    ...(seen?.leftOut ?? []).map(line => `Left out: ${line.replace(' is left out', '')}`),
    ...missing.map(note => `Missing:  ${note}`),
  ];
}
