import { relative } from 'node:path';
import { migrateRecords, readVersions } from '../../../app/care/records.ts';
import { resetTasks } from '../../../app/people/decisions.ts';
import { defineCommand } from '../../command/define-command.ts';
import { no, several, text, yes } from '../../command/flags.ts';

export const version = defineCommand({
  name: 'version',
  group: 'the rest',
  on: 'folder',
  summary: "Show the versions of this Harness and of the project's records.",
  examples: ['harness version'],
  run: readVersions,
  render: versions => [
    `Harness version: ${versions.version}`,
    `Schema version: ${versions.schema}`,
    `Project state schema: ${versions.projectSchema ?? 'none'}`,
    `Status: ${versions.status}`,
    ...(versions.status.startsWith('Migration needed')
      ? ["\nRun 'harness migrate' to upgrade, or 'harness run' does it by itself."]
      : []),
  ],
});

export const migrate = defineCommand({
  name: 'migrate',
  group: 'setting up',
  on: 'checkout',
  summary: 'Upgrade the records of the project to the format of this version.',
  flags: { backup: no('do not copy them aside first') },
  examples: ['harness migrate'],
  run: (checkout, input, { io }) =>
    migrateRecords(checkout, { ...input, warn: warning => io.err(`warning: ${warning}`) }),
  render: ({ from, to, backup }, { cwd }) => {
    if (from === null) return ['There are no records yet: nothing to migrate.'];
    if (from === to) return [`Up to date: schema v${from}.`];
    return [
      ...(backup ? [`Backed up to ${relative(cwd, backup)}`] : []),
      `Migrated schema v${from} → v${to}.`,
    ];
  },
});

export const reset = defineCommand({
  name: 'reset',
  group: 'working',
  summary: 'Give failed or blocked tasks fresh attempts.',
  args: { tasks: several('ids of the tasks') },
  flags: {
    all: yes('every task that failed or waits'),
    reason: text('<text>', 'the reason, for the record'),
  },
  examples: ['harness reset 3 --reason "the service is back"'],
  run: resetTasks,
  render: ({ reset: ids }) => [
    ids.length > 0 ? `reset: ${ids.join(', ')}` : 'nothing to reset: no task failed or waits',
    'next: harness run',
  ],
});
