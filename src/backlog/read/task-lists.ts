import { checkLoopTasks } from './check-loop-tasks.ts';
import { type Dialect, getEntryReader, OUTPUT_FILES, TAGS } from './entry-fields.ts';
import { getStatusFlag, readStatus, type Statuses } from './status-flag.ts';

/** What an agent may write into a task of `harness-tasks.json` while it works. */
const HARNESS_NOTES = [
  'attempts',
  'started_at_commit',
  'error_log',
  'checkpoints',
  'completed_at',
  'claimed_by',
  'lease_expires_at',
];

/** `harness-tasks.json`, version 2: tasks with a status, each proven by its validation command. */
export const HARNESS_TASKS: Dialect = getTaskList({
  names: { description: 'title', passes: 'status', output_files: OUTPUT_FILES, tags: TAGS },
  rootFields: ['version', 'created', 'project', 'session_config', 'tasks', 'session_count', 'last_session'],
  freeRootFields: ['session_count', 'last_session'],
  ownFields: ['description', ...HARNESS_NOTES],
  freeFields: HARNESS_NOTES,
  statuses: { done: ['completed'], open: ['pending', 'in_progress', 'failed'] },
  versions: [2],
  keepsRecord: true,
  limits: { isConcurrent: false, tasksPerRun: 20, sessions: 50 },
  firstId: 'task-001',
  newEntry: () => ({
    defaults: {
      priority: 'P2',
      depends_on: [],
      max_attempts: 3,
      validation: { command: null, timeout_seconds: 300 },
      on_failure: { cleanup: null },
    },
    besides: { attempts: 0, started_at_commit: null, error_log: [], checkpoints: [], completed_at: null },
  }),
});

/** Its phases, and how the ids of each begin. */
const LOOP_PHASES = { architecture: 'arch-', uiux: 'uiux-', engineering: 'eng-', qa: 'qa-' };

/** The `tasks.json` of harness-loop: a graph over the phases arch, uiux, eng and qa. */
export const LOOP_TASKS: Dialect = getTaskList({
  names: {
    description: 'title',
    category: 'phase',
    passes: 'status',
    verification_steps: 'acceptance_criteria',
    depends_on: ['dependencies', 'depends_on'],
    output_files: ['output_files', 'outputs'],
    tags: TAGS,
  },
  rootFields: [
    '$schema',
    'version',
    'metadata',
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
  ownFields: [
    'description',
    'role',
    'files',
    'retries',
    'retry_count',
    'notes',
    'result',
    'started_at',
    'completed_at',
    'qa_cycle_count',
  ],
  freeFields: ['retries', 'retry_count', 'notes', 'result', 'started_at', 'completed_at', 'qa_cycle_count'],
  newEntry: title => ({
    defaults: { verification_steps: [title], depends_on: [] },
    besides: {
      description: title,
      ...{ output_files: [], retry_count: 0, started_at: null, completed_at: null, notes: null },
    },
  }),
  phases: LOOP_PHASES,
  check: entries => checkLoopTasks(entries, LOOP_PHASES),
  statuses: {
    done: ['done', 'completed'],
    open: ['pending', 'ready', 'in_progress', 'in-progress', 'blocked', 'failed'],
  },
});

interface TaskList
  extends Pick<
    Dialect,
    | 'names'
    | 'rootFields'
    | 'freeRootFields'
    | 'freeFields'
    | 'newEntry'
    | 'phases'
    | 'check'
    | 'versions'
    | 'firstId'
    | 'keepsRecord'
    | 'limits'
  > {
  readonly ownFields: readonly string[];
  readonly statuses: Statuses;
}

/** Tasks under `tasks`, done or open by a status, that need no test of their own. */
function getTaskList({ ownFields, statuses, ...rest }: TaskList): Dialect {
  const isDone = (fields: Parameters<typeof readStatus>[0]) => readStatus(fields, statuses);
  return {
    ...rest,
    list: 'tasks',
    noun: 'task',
    flag: getStatusFlag(statuses),
    read: getEntryReader({ noun: 'task', names: rest.names, ownFields, isDone, needsTest: false }),
  };
}
