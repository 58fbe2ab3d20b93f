import { join, relative } from 'node:path';
import { type AddInput, type AddResult, addTaskToBacklog } from '../../../app/plan/add-task.ts';
import { getShellQuoted } from '../../../core/base/shell-quoted.ts';
import { getCommitLine } from '../../../core/shell/commit-line.ts';
import { aside, defineCommand } from '../../command/define-command.ts';
import { argument, choice, ids, no, repeated, text, yes } from '../../command/flags.ts';
import { withReporter } from '../../render/watch.ts';
import { askText, askYes, canAsk } from '../people/ask.ts';

export const add = defineCommand({
  name: 'add',
  group: 'main',
  summary: 'Add a task to the backlog.',
  on: 'checkout',
  args: { title: argument('what can be done once it works, in one sentence') },
  flags: {
    testFile: text('<path>', 'the file whose tests prove it'),
    validation: text('<command>', 'a command that must exit 0, instead of or beside the test file'),
    dependsOn: ids('<ids>', 'tasks that have to land first, as 1,2'),
    priority: text('<P0..P9>', 'P0 is the most urgent; default: P2'),
    step: repeated('<text>', 'one thing that has to be true in the end (repeat it)'),
    mayChange: repeated('<glob>', 'protected files that this task is allowed to change (repeat it)'),
    newTest: yes('the test file is still to be written, by whoever does the task'),
    plan: no('leave a task without a test open, instead of asking a planner for one'),
    commit: yes('commit the backlog, and the test file with it'),
    category: text('<name>', 'a word to group by'),
    phase: text(
      '<name>',
      'the phase it belongs to: in tasks.json architecture, uiux, engineering or qa, and its id begins so',
    ),
    size: choice('<size>', 'how much work it is', ['small', 'medium', 'large']),
  },
  examples: ['harness add "Totals include tax" --test-file test/tax.test.js --depends-on 1,2'],
  run: async (checkout, input, { io, json }) => {
    const confirm: AddInput['confirm'] = async paths =>
      !json && canAsk(io) && (await askYes(`Commit ${paths.join(', ')} now, so that it can run?`));
    const given = { ...input, confirm, ...(!json && canAsk(io) ? { askProof } : {}) };
    const result = await withReporter(
      io,
      json,
      watch => addTaskToBacklog(checkout, { ...given, ...watch }),
      'nothing was added',
    );
    return { ...result, next: result.commit === null ? getNextLine(result, io.cwd) : 'harness run' };
  },
  render: ({ added, commit, note, warnings, paths, next }, { style }) => [
    `${style.good('added')} task ${added.id}: ${added.title}`,
    ...warnings.map(warning => aside(`note: ${warning}`)),
    ...(note === null ? [] : [aside(`note: ${note}`)]),
    commit === null
      ? 'It can run once it is committed (harness add --commit does that, too)'
      : `${style.good('committed')} ${paths.join(', ')} as ${commit.slice(0, 10)}`,
    style.dim(`next: ${next}`),
  ],
});

/** One line says which: a path is a test file, anything longer a command. */
async function askProof(): Promise<Pick<AddInput, 'testFile' | 'validation'>> {
  const typed = await askText(
    'What proves it: a test file, or a command that must exit 0? (empty: decide later)',
  );
  if (typed === '') return {};
  return /\s/.test(typed) || !/[./]/.test(typed) ? { validation: typed } : { testFile: typed };
}

/** To be pasted where the person stands. */
function getNextLine({ root, paths, message }: AddResult, cwd: string): string {
  const isInside = `${cwd}/`.startsWith(`${root}/`);
  const git = isInside ? 'git' : `git -C ${getShellQuoted(root)}`;
  return getCommitLine(
    paths.map(path => (isInside ? relative(cwd, join(root, path)) : path)),
    message,
    git,
  );
}
