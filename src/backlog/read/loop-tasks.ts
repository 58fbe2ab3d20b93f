import type { Dialect } from './entry-fields.ts';
import { getEntryReader } from './entry-fields.ts';
import { getStatusFlag, readStatus } from './status-flag.ts';

const STATUSES = {
  done: ['done', 'completed'],
  open: ['pending', 'ready', 'in_progress', 'in-progress', 'blocked', 'failed'],
} as const;

const NAMES = {
  description: 'title',
  category: 'phase',
  passes: 'status',
  verification_steps: 'acceptance_criteria',
};

/** The `tasks.json` of harness-loop: a graph over the phases arch, uiux, eng and qa. */
export const LOOP_TASKS: Dialect = {
  list: 'tasks',
  noun: 'task',
  names: NAMES,
  rootFields: [
    '$schema',
    'version',
    'project',
    'created',
    'created_at',
    'updated',
    'updated_at',
    'phases',
    'tasks',
    'qa_cycle_count',
    'rework_count',
    'iteration',
  ],
  freeRootFields: ['updated', 'updated_at', 'iteration', 'qa_cycle_count', 'rework_count'],
  freeFields: ['retries', 'retry_count', 'notes', 'result', 'started_at', 'completed_at', 'qa_cycle_count'],
  flag: getStatusFlag(STATUSES),
  read: getEntryReader({
    noun: 'task',
    names: NAMES,
    ownFields: [
      'description',
      'role',
      'outputs',
      'output_files',
      'files',
      'retries',
      'retry_count',
      'notes',
      'result',
      'started_at',
      'completed_at',
      'qa_cycle_count',
    ],
    isDone: fields => readStatus(fields, STATUSES),
    needsTest: false,
  }),
};
