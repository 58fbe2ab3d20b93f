import type { Command } from 'commander';
import { readOverview } from '../../../app/look/read-overview.ts';
import { readNext, readStatus, readTasks, type TasksView } from '../../../app/look/read-status.ts';
import { drawGraph } from '../../../core/views/draw-graph.ts';
import { defineCommand } from '../../command/define-command.ts';
import { yes } from '../../command/flags.ts';
import { getNextExitCode, renderNext, renderStatus } from '../../render/status-text.ts';
import type { Io } from '../../terminal/io.ts';
import { createStyle } from '../../terminal/style.ts';

/** The long way: the index is brought in step first. `render/quick-status.ts` answers where it is in step. */
export const status = defineCommand({
  name: 'status',
  group: 'main',
  summary: 'Show the project at a glance.',
  flags: { all: yes('list every task') },
  examples: ['harness status --json'],
  run: readStatus,
  render: (view, { style }) => [renderStatus(view, style)],
});

export const tasks = defineCommand({
  name: 'tasks',
  group: 'looking',
  summary: 'Draw the graph of the tasks with their states and what each waits for.',
  examples: ['harness tasks'],
  run: readTasks,
  render: view => getTaskLines(view),
});

function getTaskLines({ tasks: all, loose, next }: TasksView): readonly string[] {
  return [
    ...(all.length === 0 ? ['The backlog is empty.'] : []),
    ...drawGraph(all.map(task => ({ ...task, mark: `[${task.status}]`.padEnd(9) }))).split('\n'),
    ...(loose.length > 0 ? ['', `wait for each other: ${loose.join(', ')}`] : []),
    `next: ${next === null ? 'harness next' : `harness run   (task ${next})`}`,
  ];
}

export const next = defineCommand({
  name: 'next',
  group: 'working',
  summary: 'Show the task that run would take, and why.',
  examples: ['harness next'],
  run: readNext,
  render: (view, { style }) => [renderNext(view, style)],
  exitCode: getNextExitCode,
});

/** `harness` alone: one screen with what matters, where the project stands, and the next step. */
export async function showOverview(io: Io, program: Command): Promise<void> {
  const style = createStyle(io.colourOut);
  const { state, next } = await readOverview(io);
  io.out(`${style.bold('harness')}: lands only what it has proven itself\n`);
  io.out(`${state}\n${style.good(`next: ${next}`)}\n`);
  for (const line of getCommandLines(program)) io.out(line);
  io.out(style.dim('\nharness help <command> has every flag with an example'));
}

/** The main ones, each with a line, and the others by what they are for. */
export function getCommandLines(program: Command): readonly string[] {
  const groups = new Map<string, Command[]>();
  for (const command of program.createHelp().visibleCommands(program)) {
    const group = command.helpGroup() || 'the rest:';
    groups.set(group, [...(groups.get(group) ?? []), command]);
  }
  const [[, main] = ['', []], ...topics] = groups;
  const width = Math.max(...topics.map(([topic]) => topic.length));
  return [
    ...main.map(command => `  ${command.name().padEnd(8)}  ${command.description()}`),
    '',
    ...topics.map(([topic, all]) => `  ${topic.padEnd(width)}  ${all.map(one => one.name()).join(', ')}`),
  ];
}
