import type { CheckResult } from './check.ts';

/** What a change is looked at for besides its tests, and what follows when something is found. */
export const DEFAULT_GATES = {
  secrets: 'reject',
  hidden_text: 'reject',
  conflict_markers: 'reject',
  colliding_paths: 'reject',
  program_bits: 'reject',
  leftovers: 'reject',
  steering: 'ask',
  syntax: 'reject',
  imports: 'reject',
  dependencies: 'reject',
  entries: 'reject',
  exports: 'ask',
  mentions: 'ask',
  build: 'reject',
  untested: 'warn',
} as const satisfies Readonly<Record<string, GateAction>>;

export type GateAction = 'reject' | 'ask' | 'warn' | 'off';
export type Gate = keyof typeof DEFAULT_GATES;
export type Gates = Readonly<Record<Gate, GateAction>>;

export interface GateFinding {
  readonly gate: Gate;
  readonly text: string;
  /** Honest work has it as often as not: never more than a warning. */
  readonly isMinor?: boolean;
}

/** What findings of several gates come to: the gravest of them decides, and only its kind is told with it. */
export function judgeGates(
  found: readonly GateFinding[],
  gates: Gates,
  clean: string,
): Pick<CheckResult, 'status' | 'summary' | 'findings'> {
  for (const [action, status] of GRAVEST) {
    const of = found.filter(finding => getAction(finding, gates) === action);
    const findings = [...new Set(of.map(({ text }) => text))];
    const names = [...new Set(of.map(({ gate }) => gate.replace('_', ' ')))];
    if (findings.length > 0) return { status, summary: `${names.join(', ')}: ${findings[0]}`, findings };
  }
  return { status: 'passed', summary: clean, findings: [] };
}

const GRAVEST = [
  ['reject', 'failed'],
  ['ask', 'needs-human'],
  ['warn', 'warned'],
] as const;

function getAction({ gate, isMinor }: GateFinding, gates: Gates): GateAction {
  const action = gates[gate];
  return isMinor && action !== 'off' ? 'warn' : action;
}
