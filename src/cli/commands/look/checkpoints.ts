import { type CheckpointView, readCheckpoints } from '../../../app/look/checkpoints.ts';
import { getShellQuoted } from '../../../core/base/shell-quoted.ts';
import { defineCommand } from '../../command/define-command.ts';
import { optional, text, yes } from '../../command/flags.ts';

export const checkpoints = defineCommand({
  name: 'checkpoints',
  group: 'looking',
  summary: 'List what can be returned to: the state before each attempt, and what the attempt left.',
  args: { id: optional('of one attempt, such as 12-1') },
  flags: {
    branch: text('<name>', 'make a branch of it; no branch of yours is moved'),
    work: yes('with --branch: what the attempt left, instead of what it began from'),
  },
  examples: ['harness checkpoints', 'harness checkpoints 12-1 --branch before-12'],
  run: (project, input) => readCheckpoints(project, input),
  render: ({ checkpoints: found, branch }) => {
    if (found.length === 0) return ['no checkpoints yet: the first attempt makes one', 'next: harness run'];
    const lines = found.flatMap(getLines);
    if (branch === null)
      return [...lines, `next: harness checkpoints ${getShellQuoted(found[0]?.id ?? '')} --branch <name>`];
    const { name, commit } = branch;
    const quoted = getShellQuoted(name);
    return [...lines, `branch ${name} is at ${commit.slice(0, 10)}`, `next: git switch ${quoted}`];
  },
});

function getLines({ id, session, outcome, start, steps, work }: CheckpointView): string[] {
  const kept = work === null ? '' : `, work ${work.slice(0, 10)}`;
  return [
    `${id}  session ${session}, ${outcome ?? 'under way'}: began at ${start.commit.slice(0, 10)}${kept}`,
    ...steps.map(({ step, total, description }) => `  step ${step}/${total}: ${description}`),
  ];
}
