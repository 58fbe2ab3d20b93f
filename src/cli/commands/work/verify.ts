import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Where } from '../../../app/project/open-checkout.ts';
import { withProject } from '../../../app/project/open-project.ts';
import type { WatchTrial } from '../../../app/project/watch.ts';
import {
  type VerifiedChange,
  type VerifyChangeInput,
  verifyChange,
} from '../../../app/prove/verify-change.ts';
import type { Target } from '../../../app/prove/verify-target.ts';
import { type ProofAnswer, type VerifyResult, verifyTask } from '../../../app/prove/verify-task.ts';
import { EXIT_CODES, HarnessError } from '../../../core/base/failure.ts';
import { getShellQuoted } from '../../../core/base/shell-quoted.ts';
import { defineCommand, type Terminal } from '../../command/define-command.ts';
import { optional, repeated, text } from '../../command/flags.ts';
import { getProofHtml } from '../../render/proof-html.ts';
import { withReporter, withTrialWatcher } from '../../render/watch.ts';
import type { Style } from '../../terminal/style.ts';

export const verify = defineCommand({
  name: 'verify',
  group: 'main',
  summary: 'Prove a task again, or judge any change; records nothing.',
  on: 'folder',
  args: { task: optional('its id') },
  flags: {
    base: text('<commit>', 'judge what was changed since this branch or commit, without any set-up'),
    head: text('<commit>', 'with --base: up to this one; default: your checkout as it is'),
    mayChange: repeated('<glob>', 'with --base: protected files that may change (repeat it)'),
    html: text('<file>', 'with --base: write the proof as a page'),
  },
  examples: ['harness verify 12', 'harness verify --base main'],
  run: (where, input, { io, json }): Promise<VerifyResult | VerifiedChange> => {
    const { base, html } = input;
    const task = getTask(input);
    if (base !== undefined) return verifyBase(where, { ...input, base }, { io, json, html });
    const asked = { task, ...(json ? {} : { onTarget: (target: Target) => io.out(getHeadline(target)) }) };
    const goOn = 'nothing is recorded: verify again';
    return withProject(where, project =>
      withReporter(io, json, watch => verifyTask(project, { ...asked, ...watch }), goOn),
    );
  },
  render: (result, { style }) =>
    'headline' in result ? getChangeLines(result, style) : getTaskLines(result, style),
  exitCode: ({ passed }) => (passed ? 0 : EXIT_CODES.unproven),
});

async function verifyBase(
  where: Where,
  input: VerifyChangeInput,
  { io, json, html }: Pick<Terminal, 'io' | 'json'> & { readonly html: string | undefined },
): Promise<VerifiedChange> {
  const watchTrial: WatchTrial = act => withTrialWatcher(io, act);
  const change = { ...input, watchTrial };
  const goOn = 'nothing is kept: verify again';
  const answer = await withReporter(io, json, watch => verifyChange(where, { ...change, ...watch }), goOn);
  if (html === undefined) return answer;
  const { passed, headline, proof } = answer;
  const path = resolve(io.cwd, html);
  writeFileSync(path, getProofHtml({ proof, landed: null, problems: passed ? [] : [headline] }));
  io.err(`Written to ${relative(io.cwd, path)}`);
  return answer;
}

interface Asked {
  readonly task?: string;
  readonly base?: string;
  readonly head?: string;
  readonly html?: string;
}

/** The task that is meant; with a base there is none. */
function getTask({ task, base, head, html }: Asked): string {
  const about = {
    field: '--base',
    fix: 'harness verify --base main --head my-branch, or harness verify 12',
  };
  if (base !== undefined) {
    if (task !== undefined) throw new HarnessError('usage', '--base cannot be combined with a task', about);
    return '';
  }
  if (head !== undefined || html !== undefined)
    throw new HarnessError('usage', '--head and --html need --base', about);
  const fix =
    'harness verify 12   (or, for what is on a branch or in your checkout: harness verify --base main)';
  if (task !== undefined) return task;
  throw new HarnessError('usage', 'missing <task>', { field: '<task>', fix });
}

function getHeadline(target: Target): string {
  const { task, commit } = target;
  const what = {
    landed: `landed as ${commit.slice(0, 10)}; checking it against its parent`,
    attempt: `has not landed; checking the work of its last attempt, ${commit.slice(0, 10)}`,
    tip: `has no commit of its own; running its tests on ${commit.slice(0, 10)}`,
  }[target.kind];
  return `Task ${task.id}: ${task.title}\nIt ${what}.${task.testFile ? `\nTest file: ${task.testFile}` : ''}\n`;
}

function getTaskLines(
  { task, checks, passed, verdict, proof }: VerifyResult,
  style: Style,
): readonly string[] {
  const lines = checks.flatMap(line => {
    const paint = line.status === 'passed' ? style.good : line.status === 'failed' ? style.bad : style.warn;
    return [
      ...line.commands.map(command => style.dim(`$ ${command}`)),
      `${paint(line.status.padEnd(12))} ${line.check}: ${line.summary} ${style.dim(`(${line.durationMs} ms)`)}`,
      ...line.findings.slice(0, 10).map(getFindingLine),
    ];
  });
  return [
    ...lines,
    ...(proof ? getProofLines(proof, style) : []),
    `\nTask ${task}: ${(passed ? style.good : style.bad)(verdict)}`,
    style.dim(`next: ${passed ? 'harness status' : `harness log --task ${getShellQuoted(task)}`}`),
  ];
}

const ANSWERS: Readonly<Record<ProofAnswer['result'], string>> = {
  same: 'the same as when it landed',
  'same-but-flaky': 'the same as when it landed, but for flaky tests',
  different: 'NOT the same as when it landed',
  'not-recorded': 'nothing to compare with: its commit names no proof',
};

function getProofLines({ result, remade, differences, as_recorded }: ProofAnswer, style: Style): string[] {
  const paint = result === 'different' ? style.bad : style.good;
  const more = differences.length - 10;
  return [
    `\n${paint(`proof ${remade.slice(0, 12)}: ${ANSWERS[result]}`)}`,
    ...differences.slice(0, 10).map(difference => `  ${difference}`),
    ...(more > 0 ? [style.dim(`  and ${more} more`)] : []),
    ...as_recorded.map(({ check, status }) =>
      style.dim(`  ${check} (${status}) cannot be asked again: taken as recorded`),
    ),
  ];
}

function getChangeLines(answer: VerifiedChange, style: Style): readonly string[] {
  const { passed, headline, settings, head, base, testFile, checks, red, changedTests } = answer;
  const from = settings.from === 'found out' ? 'as harness init finds them' : settings.from;
  const install = settings.install ? `, after ${settings.install}` : '';
  return [
    (passed ? style.good : style.bad)(headline),
    '',
    `judged:   ${head} against ${base.slice(0, 10)}${testFile === null ? '' : `, by ${testFile}`}`,
    `settings: ${from}: ${settings.tests} (read as ${settings.runner})${install}`,
    '',
    ...checks.flatMap(({ check, status, summary, findings }) => [
      `${status.padEnd(12)} ${check}: ${summary}`,
      ...(status === 'passed' || status === 'skipped' ? [] : findings.slice(0, 10).map(getFindingLine)),
    ]),
    ...red.slice(0, 10).map(id => `red          ${id}`),
    ...changedTests.slice(0, 10).map(id => `given up     ${id}`),
  ];
}

function getFindingLine(finding: string): string {
  return `             ${finding.replaceAll('\n', '\n             ')}`;
}
