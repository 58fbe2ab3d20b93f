import type { Dialect } from './entry-fields.ts';
import { getEntryReader } from './entry-fields.ts';
import { getStatusFlag, readStatus } from './status-flag.ts';

const STATUSES = { done: ['completed'], open: ['pending', 'in_progress', 'failed'] } as const;

const NAMES = { description: 'title', passes: 'status' };

/** `harness-tasks.json`, version 2: tasks with a status, each proven by its validation command. */
export const HARNESS_TASKS: Dialect = {
  list: 'tasks',
  noun: 'task',
  names: NAMES,
  rootFields: ['version', 'created', 'project', 'session_config', 'tasks', 'session_count', 'last_session'],
  freeRootFields: ['session_count', 'last_session'],
  freeFields: [
    'attempts',
    'started_at_commit',
    'error_log',
    'checkpoints',
    'completed_at',
    'claimed_by',
    'lease_expires_at',
  ],
  flag: getStatusFlag(STATUSES),
  read: getEntryReader({
    noun: 'task',
    names: NAMES,
    ownFields: [
      'description',
      'attempts',
      'started_at_commit',
      'error_log',
      'checkpoints',
      'completed_at',
      'claimed_by',
      'lease_expires_at',
    ],
    isDone: fields => readStatus(fields, STATUSES),
    needsTest: false,
  }),
};
