import { judgeRelease, type ReleaseResult } from '../../../app/gates/release.ts';
import { EXIT_CODES } from '../../../core/base/failure.ts';
import { getReleaseSummary } from '../../../core/gates/release-page.ts';
import { type Aside, aside, defineCommand } from '../../command/define-command.ts';
import { text } from '../../command/flags.ts';
import { withReporter } from '../../render/watch.ts';
import type { Style } from '../../terminal/style.ts';

export const release = defineCommand({
  name: 'release',
  group: 'judging',
  summary: 'Ask whether every criterion is proven, and the product installs and starts.',
  flags: {
    spec: text('<file>', 'the acceptance file, or its specification; release_gate.spec_path when not given'),
  },
  examples: ['harness release --spec docs/spec.md'],
  run: (project, input, { io, json }) =>
    withReporter(io, json, watch => judgeRelease(project, { ...input, ...watch })),
  render: (result, { style }) => getLines(result, style),
  exitCode: ({ ready, awaitsPerson }) => (ready ? 0 : awaitsPerson ? EXIT_CODES.human : EXIT_CODES.unproven),
});

function getLines(result: ReleaseResult, style: Style): readonly (string | Aside)[] {
  const { criteria, environment, product, knownIssues, ready, awaitsPerson, report } = result;
  const summary = getReleaseSummary(result);
  return [
    ...criteria.map(({ status, ok, tag, line, why }) => {
      const paint = ok ? style.good : status === 'by-person' ? style.warn : style.bad;
      return `${paint(status)} ${tag} (line ${line})${why ? `: ${why}` : ''}`;
    }),
    ...environment.flatMap(({ name, status }) =>
      status === 'set' ? [] : [style.bad(`missing: ${name}, neither in .env.example nor set here`)],
    ),
    ...product.steps.flatMap(({ what, ok, detail }) => (ok ? [] : [style.bad(`${what}: ${detail}`)])),
    ...(product.status === 'nothing-to-start'
      ? [style.warn('nothing was started: no bin, no main and no dev_server.command says how')]
      : []),
    ...knownIssues.map(what => style.warn(`known: ${what}`)),
    ready
      ? style.good(summary)
      : awaitsPerson
        ? style.warn(`${summary}: only a person is missing`)
        : style.bad(summary),
    aside(`report: ${report}`),
  ];
}
