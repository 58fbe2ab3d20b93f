import type { Requirement } from './requirements.ts';
import { getTracedTo, type TracedTask } from './trace.ts';

/** `unknown`: nothing was ever done for it. */
export type Met = 'met' | 'partial' | 'unmet' | 'unknown';

/** One requirement, the tasks that are there for it, and the proofs that hold. */
export interface MatrixRow {
  readonly id: string;
  readonly text: string;
  readonly line: number;
  readonly status: Met;
  /** Nobody works on it any more, or ever has: it counts. */
  readonly due: boolean;
  readonly tasks: readonly { readonly id: string; readonly standing: string }[];
  readonly proofs: readonly string[];
}

/** How far what was built is from what was asked for; a number that anybody can make again. */
export interface Fidelity {
  readonly drift: number;
  readonly threshold: number;
  readonly over: boolean;
  readonly due: number;
  readonly met: number;
  readonly partial: number;
  readonly unmet: number;
  readonly unknown: number;
  readonly matrix: readonly MatrixRow[];
  /** Landed work that nobody asked for. */
  readonly unrequested: readonly { readonly id: string; readonly title: string }[];
}

const PER_UNREQUESTED = 0.02;

/** Holds requirements against tasks. `isProduct` says of a landed task whether what it wrote counts as the product. */
export function getFidelity(
  requirements: readonly Requirement[],
  tasks: readonly TracedTask[],
  { threshold, isProduct }: { readonly threshold: number; readonly isProduct: (task: TracedTask) => boolean },
): Fidelity {
  const traced = new Map(requirements.map(one => [one, getTracedTo(one, tasks)] as const));
  const matrix = [...traced].map(([requirement, own]) => getRow(requirement, own));
  const asked = new Set([...traced.values()].flat());
  const unrequested = tasks
    .filter(task => task.commit !== null && !asked.has(task) && isProduct(task))
    .map(({ id, title }) => ({ id, title }));
  const counts = { met: 0, partial: 0, unmet: 0, unknown: 0 };
  for (const { status, due } of matrix) if (due) counts[status]++;
  const due = counts.met + counts.partial + counts.unmet + counts.unknown;
  const lacking = counts.unmet + counts.unknown + counts.partial / 2;
  const share = due === 0 ? 0 : lacking / due;
  const drift = round(Math.min(1, share + PER_UNREQUESTED * unrequested.length));
  return { drift, threshold, over: drift > threshold, due, ...counts, matrix, unrequested };
}

function getRow({ id, text, line }: Requirement, tasks: readonly TracedTask[]): MatrixRow {
  const proven = tasks.filter(({ standing }) => standing === 'proven');
  const isComplete = proven.length === tasks.length;
  const status =
    tasks.length === 0 ? 'unknown' : isComplete ? 'met' : proven.length > 0 ? 'partial' : 'unmet';
  return {
    ...{ id, text, line, status },
    due: !tasks.some(({ standing }) => standing === 'open' || standing === 'awaits-person'),
    tasks: tasks.map(task => ({ id: task.id, standing: task.standing })),
    proofs: proven.flatMap(({ proof }) => proof ?? []),
  };
}

/** The same on every machine, and the same when it is written and read again. */
function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
