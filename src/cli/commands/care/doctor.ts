import { type Diagnosis, examine } from '../../../app/doctor/examine.ts';
import { getCount } from '../../../core/base/text.ts';
import { defineCommand } from '../../command/define-command.ts';
import { yes } from '../../command/flags.ts';
import { withTrialWatcher } from '../../render/watch.ts';
import type { Style } from '../../terminal/style.ts';

export const doctor = defineCommand({
  name: 'doctor',
  group: 'main',
  on: 'folder',
  summary: 'Check that everything a run needs is there.',
  flags: {
    sandbox: yes('tell what tests and agents do not see of this machine, and why'),
    trial: yes('run the configured commands in a fresh tree, as init does'),
    fix: yes('the same, and change what gave no result to what did'),
  },
  examples: ['harness doctor --trial'],
  run: (where, input, { io }) => examine(where, { ...input, watch: act => withTrialWatcher(io, act) }),
  exitCode: ({ ok }) => (ok ? 0 : 1),
  render: (diagnosis, { style }) => getLines(diagnosis, style),
});

function getLines({ checks }: Diagnosis, style: Style): readonly string[] {
  const failed = checks.filter(({ status }) => status === 'fail').length;
  const warned = checks.filter(({ status }) => status === 'warn').length;
  const next = failed > 0 ? 'fix the errors, then harness doctor' : 'harness run --dry-run';
  return [
    ...checks.flatMap(check => getCheckLines(check, style)),
    `\n${checks.length - failed - warned} ok, ${getCount(warned, 'warning')}, ${getCount(failed, 'error')}`,
    style.dim(`next: ${next}`),
  ];
}

function getCheckLines(
  { name, status, detail, fix }: Diagnosis['checks'][number],
  style: Style,
): readonly string[] {
  const paint = { ok: style.good, warn: style.warn, fail: style.bad }[status];
  const text = detail.replaceAll('\n', `\n${' '.repeat(19)}`);
  const line = `${paint(status.padEnd(4))}  ${name.padEnd(12)} ${text}`;
  if (!fix || status === 'ok') return [line];
  const way = fix.replaceAll('\n', `\n${' '.repeat(24)}`);
  return [line, style.dim(`${' '.repeat(19)}fix: ${way}`)];
}
