import { askForCleanup, type CleanupAsked } from '../../../app/people/control.ts';
import { leaveFile } from '../../../app/people/leave-file.ts';
import type { RunResult } from '../../../app/run/run-tasks.ts';
import { CONTEXT_FILE_ROLES } from '../../../core/model/context-file.ts';
import { defineCommand } from '../../command/define-command.ts';
import { argument, by, choice, or, reason, yes } from '../../command/flags.ts';
import { getRunExitCode, getRunLines } from '../../render/run-end.ts';
import { runWatched } from '../work/run.ts';

export const cleanup = defineCommand({
  name: 'cleanup',
  group: 'working',
  summary: 'Clean up the code now; a run under way does it next.',
  flags: { later: yes('only make it the next session, and start nothing'), reason, by },
  examples: ['harness cleanup'],
  run: async (project, input, { io, json }): Promise<CleanupAsked | RunResult> => {
    const asked = await askForCleanup(project, input);
    return asked.task === null ? asked : runWatched(project, { task: asked.task }, { io, json });
  },
  exitCode: result => ('stopped' in result ? getRunExitCode(result) : 0),
  render: result =>
    'stopped' in result
      ? getRunLines(result)
      : [result.recorded ? 'the next session cleans up' : 'already recorded', `next: ${result.next}`],
});

export const drop = defineCommand({
  name: 'drop',
  group: 'working',
  on: 'checkout',
  summary: 'Add a text file to the next prompt of a role, once.',
  args: { file: argument('what it has to know') },
  flags: { role: or(choice('<name>', 'whom it is for', CONTEXT_FILE_ROLES), 'coding') },
  examples: ['harness drop legal-answer.md --role planner'],
  run: (checkout, input, { io }) => leaveFile(checkout, { ...input, cwd: io.cwd }),
  render: ({ file, role, next }) => [
    `${file} waits for the next session with the role ${role}`,
    `next: ${next}`,
  ],
});
