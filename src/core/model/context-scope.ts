import type { ContextFileRole } from './context-file.ts';

/** Phases as people who keep one role for each of them call them, and who does that here. */
const PHASES: Readonly<Record<string, ContextFileRole>> = {
  implement: 'coding',
  fix: 'continuation',
  plan: 'planner',
  test: 'test-author',
};

export const CONTEXT_PHASES = Object.keys(PHASES);

/** The role that does a phase; null for a phase that nobody does here. */
export function getPhaseRole(phase: string): ContextFileRole | null {
  return Object.hasOwn(PHASES, phase) ? (PHASES[phase] ?? null) : null;
}

/** Whose session it is: its task and the phase that the task belongs to. */
export interface ContextReader {
  readonly task: string;
  readonly phase: string | null;
}

/** Whom a file with this scope is for, seen by one reader (null: a planner); null for a scope that there is not. */
export function getScopeRoles(
  scope: string,
  reader: ContextReader | null,
): readonly ContextFileRole[] | null {
  if (scope === 'all') return ['coding', 'planner'];
  if (scope === 'planner') return ['planner'];
  const [, kind, name = ''] = /^(run|phase):\s*(\S.*?)\s*$/.exec(scope) ?? [];
  if (kind === 'run') return reader?.task === name ? ['coding'] : [];
  if (kind !== 'phase') return null;
  const role = getPhaseRole(name);
  if (role !== null) return [role];
  return reader !== null && reader.phase === name ? ['coding'] : [];
}
