import { readNext, readStatus } from '../../../app/look/read-status.ts';
import { defineCommand } from '../../command/define-command.ts';
import { yes } from '../../command/flags.ts';
import { renderNext, renderStatus } from '../../render/status-text.ts';

/** The long way: the index is brought in step first. `render/hot.ts` answers where it is in step. */
export const status = defineCommand({
  name: 'status',
  group: 'main',
  summary: 'Show the project at a glance.',
  flags: { all: yes('list every task') },
  examples: ['harness status --json'],
  run: readStatus,
  render: (view, { style }) => [renderStatus(view, style)],
});

export const next = defineCommand({
  name: 'next',
  group: 'working',
  summary: 'Show the task that run would take, and why.',
  examples: ['harness next'],
  run: readNext,
  render: (view, { style }) => [renderNext(view, style)],
});
