import type { Files, Probe } from '../probe.ts';

/** Of three things that are asked for task 1 does one, and nothing the others. */
const ASKED: Files = {
  'spec.md': '## Requirements\n- Thing 1 exists\n- Thing 8 exists\n- Thing 9 exists\n',
  'other.md': '## Requirements\n- Thing 9 exists\n',
};
const getCriterion = (tag: string): string => `## Release criteria\n- [ ] **tag: \`${tag}\`** — "x"\n`;
const SPEC = { fidelity: { spec_path: 'spec.md' } };
const RUN = [['run'], ['fidelity']];

/** What is asked of the project as a whole. */
export const GATE_PROBES: readonly Probe[] = [
  {
    files: ASKED,
    run: RUN,
    change: { 'fidelity.spec_path': { from: 'spec.md', to: 'other.md', tells: /of 1 due/ } },
  },
  {
    files: ASKED,
    with: SPEC,
    run: RUN,
    change: { 'fidelity.threshold': { from: 0.9, to: 25, tells: /OVER: drift 66\.7 % \(limit 25 %\)/ } },
  },
  {
    files: ASKED,
    with: { fidelity: { spec_path: 'other.md' } },
    run: RUN,
    change: { 'plan.app_paths': { to: ['app'], tells: /unrequested: task 1/ } },
  },
  {
    files: { 'a.acceptance.md': getCriterion('a/a'), 'b.acceptance.md': getCriterion('b/b') },
    run: [['release']],
    change: { 'release_gate.spec_path': { from: 'a.md', to: 'b.acceptance.md', tells: /uncovered b\/b/ } },
  },
  {
    files: ASKED,
    with: SPEC,
    change: { 'fidelity.every_n_plans': { from: 0, to: 1, tells: /the product is not what was asked for/ } },
  },
];
