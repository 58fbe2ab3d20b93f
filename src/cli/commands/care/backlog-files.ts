import { exportBacklog, FORMATS, importBacklog } from '../../../app/care/convert-backlog.ts';
import { getCount } from '../../../core/base/text.ts';
import { aside, defineCommand } from '../../command/define-command.ts';
import { argument, choice, must, text, yes } from '../../command/flags.ts';

export const importTasks = defineCommand({
  name: 'import',
  group: 'setting up',
  on: 'folder',
  summary: 'Convert the task list of another tool into the backlog.',
  args: { path: argument('harness-tasks.json, tasks.json, features.json, or a folder of Markdown plans') },
  flags: { dryRun: yes('print the backlog; write nothing') },
  examples: ['harness import harness-tasks.json --dry-run'],
  run: (where, input, { io }) => importBacklog(where, { ...input, cwd: io.cwd }),
  render: ({ tasks, done, written, notes, text: backlog, next }) => [
    ...notes.map(note => aside(`note: ${note}`)),
    ...(backlog === undefined
      ? [`${getCount(tasks, 'task')}, ${done} of them done → ${written}`, `next: ${next}`]
      : [backlog.trimEnd()]),
  ],
});

export const exportTasks = defineCommand({
  name: 'export',
  group: 'setting up',
  summary: 'Write the backlog in the format of another tool.',
  flags: {
    format: must(choice('<name>', 'which', FORMATS)),
    out: must(text('<dir>', 'the folder to write into; files there are never overwritten')),
  },
  examples: ['harness export --format plans --out plans'],
  run: (project, input, { io }) => exportBacklog(project, { ...input, cwd: io.cwd }),
  render: ({ tasks, written }) => [`${getCount(tasks, 'task')} → ${written.join(', ')}`],
});
