import { validateBacklog } from '../../../app/project/validate-backlog.ts';
import { EXIT_CODES } from '../../../core/base/failure.ts';
import { getCount } from '../../../core/base/text.ts';
import { aside, defineCommand } from '../../command/define-command.ts';
import { optional } from '../../command/flags.ts';

export const validate = defineCommand({
  name: 'validate',
  group: 'the rest',
  on: 'folder',
  summary: 'Check a backlog of any format as it lies on disk.',
  args: {
    path: optional('a task list, or a folder of Markdown plans; the backlog of the project when not given'),
  },
  examples: ['harness validate .harness/tasks.json'],
  run: (where, input, { io }) => validateBacklog(where, { ...input, cwd: io.cwd }),
  exitCode: ({ ok }) => (ok ? 0 : EXIT_CODES.backlog),
  render: ({ ok, file, tasks, done, errors, warnings }, { style }) => [
    ...warnings.map(warning => aside(`warning: ${warning}`)),
    ...errors.flatMap(({ field, message, fix }) => [
      `${style.bad('error')}  ${[field, message].filter(Boolean).join(' ')}`,
      style.dim(`       fix: ${fix}`),
    ]),
    ok
      ? `${style.good('valid')}  ${file}: ${getCount(tasks, 'task')}, ${done} done`
      : `${file}: ${getCount(errors.length, 'error')}, ${getCount(warnings.length, 'warning')}`,
  ],
});
