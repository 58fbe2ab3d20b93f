import { isDesign, type Phase } from './phase.ts';

/** The one shape of a unit of work, whatever backlog format it was written in. */
export interface TaskDef {
  /** Always a string inside; a codec remembers how its file spells it. */
  readonly id: string;
  readonly title: string;
  readonly category: string | null;
  /** 0 is the most urgent. */
  readonly priority: number;
  readonly dependsOn: readonly string[];
  /** The file whose tests decide this task; null when only `validation` does. */
  readonly testFile: string | null;
  readonly validation: Validation | null;
  readonly verificationSteps: readonly string[];
  /** `hybrid`: proven, and then looked at by a person. `manual`: a person decides instead of tests of its own. */
  readonly verificationType: 'automated' | 'hybrid' | 'manual';
  /** What that person is asked to look at. */
  readonly manualChecks: readonly string[];
  /** The application is looked at in a browser: the steps say what for. Null when that is not asked for. */
  readonly visual: readonly string[] | null;
  /** Globs of protected files this task is allowed to change. */
  readonly mayChange: readonly string[];
  readonly size: 'small' | 'medium' | 'large' | null;
  readonly maxAttempts: number;
  /** Absent for a task of the backlog; the others live in the record alone. */
  readonly kind?: 'cleanup' | 'loop';
  /** Where in the making of a product it belongs; absent where nobody said. */
  readonly phase?: Phase;
  /** Globs of the files that it will write, where somebody said so: two tasks with a file in common come one after the other. */
  readonly outputs?: readonly string[];
  /** The release criteria that it is meant to meet. They say what it is for and not what it is: no proof depends on them. */
  readonly tags?: readonly string[];
  /** What the agent must say, alone on a line of its last words, for its work to be looked at. */
  readonly promise?: string;
  /** Run in the worktree after an attempt that kept nothing. */
  readonly cleanup?: string;
}

/** The category of an objective that the harness sets itself: the base is red. */
export const REPAIR = 'repair';

/** Whether a task puts a red base right; it goes before everything that builds on the base. */
export function isRepair({ kind, category }: Pick<TaskDef, 'kind' | 'category'>): boolean {
  return kind === 'loop' && category === REPAIR;
}

/** A task that no backlog lists, as far as these are all alike. */
export const UNLISTED_TASK = {
  category: null,
  priority: 0,
  dependsOn: [],
  testFile: null,
  validation: null,
  verificationSteps: [],
  verificationType: 'automated',
  manualChecks: [],
  visual: null,
  mayChange: [],
  size: null,
  maxAttempts: 1,
} as const satisfies Omit<TaskDef, 'id' | 'title'>;

/** A command that must exit 0 for the task to count as done. */
export interface Validation {
  readonly command: string;
  readonly timeoutSeconds: number;
}

/** Where a task stands; `blocked by a dependency` is derived from the graph, never stored. */
export type TaskStatus = 'pending' | 'active' | 'retry' | 'landed' | 'failed' | 'blocked' | 'removed';

const LEGAL_MOVES: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  pending: ['active', 'retry', 'failed', 'blocked', 'landed', 'removed'],
  active: ['landed', 'retry', 'failed', 'blocked', 'removed'],
  retry: ['active', 'failed', 'blocked', 'landed', 'removed', 'pending'],
  landed: ['pending', 'removed'],
  failed: ['pending', 'blocked', 'landed', 'removed'],
  blocked: ['pending', 'retry', 'landed', 'removed'],
  removed: ['pending', 'landed'],
};

/** The table of legal moves as a question, so that fold and tests read the same rule. */
export function canMove(from: TaskStatus, to: TaskStatus): boolean {
  return LEGAL_MOVES[from].includes(to);
}

/** Orders ids the way people do: 2 before 10, task-002 before task-010. */
export function compareIds(a: string, b: string): number {
  return getIdKey(a) < getIdKey(b) ? -1 : getIdKey(a) > getIdKey(b) ? 1 : a < b ? -1 : a > b ? 1 : 0;
}

/** A sortable spelling of an id, so that a database index gives the same order as compareIds. */
export function getIdKey(id: string): string {
  return id.replace(/\d+/g, digits => digits.replace(/^0+(?=\d)/, '').padStart(16, '0'));
}

/** What a proof of a task can rest on: tests, somebody else's reading of what it wrote, or a person's word. */
export const PROOF_BASES = ['tests', 'review', 'person'] as const;

export type ProofBasis = (typeof PROOF_BASES)[number];

/** What could say that a task is done; null where nothing could: without that, nobody is set on it. */
export function getBasis(task: Omit<TaskDef, 'id' | 'title'>): ProofBasis | null {
  const { kind, verificationType, testFile, validation, phase, outputs = [] } = task;
  if (verificationType === 'manual') return 'person';
  if (kind !== undefined || testFile !== null || validation !== null) return 'tests';
  return isDesign(phase) && outputs.length > 0 ? 'review' : null;
}

/** Categories of work that tests are as green before as after. */
const CHANGES_NOTHING = /^(refactor|clean|chore|maint|perf|style|doc|test)/i;

/**
 * Whether a task is asked about whose proof is green on the base, before an agent is paid for what is there. Not where
 * a person decides anyway. Of a task without a category nobody can say whether its tests were to turn green: it may
 * be a refactoring. It is asked about once its tests have been seen red, or an agent has found nothing to change.
 */
export function canBeSatisfied(
  { kind, verificationType, testFile, validation, category }: TaskDef,
  seen: { readonly red: boolean; readonly idle: boolean },
): boolean {
  if (kind === 'cleanup' || verificationType !== 'automated') return false;
  if (testFile === null) return validation !== null;
  return seen.red || seen.idle || (category !== null && !CHANGES_NOTHING.test(category));
}
