import { ROLES } from '../../../src/core/model/role.ts';
import { found } from '../../support/review-answers.ts';
import type { Probe } from '../probe.ts';
import { OPEN, PROGRAM, program, read } from './kit.ts';

const KEYS = ['default', ...ROLES].map(role => role.replace('-', '_'));

/** Each agent that is named is looked at; what it would need is not here. */
const PROVIDERS: readonly Probe[] = KEYS.map(role => ({
  run: [['doctor']],
  change: { [`models.${role}.provider`]: { to: 'codex', tells: /Codex SDK/ } },
}));

/** Notes what it was told for each kind of session; a person's own word on the way lets no session be left out. */
const NOTES = program(`echo "$HARNESS_ROLE=$HARNESS_MODEL/$HARNESS_EFFORT" >> "$HOME/roles"
case "$HARNESS_ROLE" in
  review) echo '{"findings":[]}' ;;
  planner) echo '{}' ;;
  architect | designer) mkdir -p docs; echo words > docs/one.md ;;
  summariser) echo 'All well.' ;;
  test-author) echo 'test -f src/1.txt' > test/new.sh ;;
  coding) [ "$HARNESS_ATTEMPT" = 1 ] && [ -n "$CUT_OFF" ] && { echo half > src/half.txt; echo '[FILE:WRITE] src/half.txt'; echo 'Half of it is there.'; sleep 9; }; echo x > src/1.txt ;;
  *) echo x > src/1.txt ;;
esac`);

const roles = {
  look: (project: Parameters<NonNullable<Probe['look']>>[0]) => read(project, '../home/roles'),
};

/** A kind of session, and what brings one about. */
function told(role: string, name: string, probe: Partial<Probe>): Probe {
  return {
    files: NOTES,
    ...roles,
    ...probe,
    with: { ...PROGRAM, ...OPEN, ...probe.with },
    change: {
      [`models.${role}.model`]: { to: `model-of-${role}`, tells: new RegExp(`${name}=model-of-${role}/`) },
      [`models.${role}.effort`]: { to: 'high', tells: new RegExp(`${name}=.*/high`) },
    },
  };
}

/** A planner works in a folder of its own, where only what is named relative to the project is found. */
const PLAN = {
  run: [['plan', '--spec', 'spec.md']],
  with: { agent: { provider: 'command', command: './agent.sh' } },
  files: { 'agent.sh': `#!/bin/sh\n${NOTES['agent.sh']}`, 'spec.md': '# One\n' },
};

/** A task that is proven by what it writes. */
function getDesign(phase: string): Partial<Probe> {
  const task = { id: 1, description: 'One', phase, output_files: ['docs/one.md'], passes: false };
  const backlog = `${JSON.stringify({ project: 'sample', features: [task] })}\n`;
  return { files: { ...NOTES, 'features.json': backlog } };
}

/** Who does which kind of work. */
export const MODEL_PROBES: readonly Probe[] = [
  ...PROVIDERS,
  told('default', 'coding', {}),
  told('coding', 'coding', {}),
  told('continuation', 'continuation', {
    env: { CUT_OFF: '1' },
    with: { agent: { ...PROGRAM.agent, timeout_seconds: 2.5, env: ['CUT_OFF'] } },
    run: [['run'], ['run']],
  }),
  told('cleanup', 'cleanup', {
    with: { quality: { cleanup_interval: 1, max_file_lines: 1 } },
    files: { ...NOTES, 'src/long.txt': '1\n2\n3\n' },
    run: [['run'], ['run']],
  }),
  told('review', 'review', { with: { verification: { require_evidence: false, review: 'always' } } }),
  {
    files: program(
      `[ "$HARNESS_ROLE" = review ] && { echo '${JSON.stringify(found({ claim: 'it is not enough' }))}'; exit 0; }\necho x >> src/1.txt`,
    ),
    with: { ...PROGRAM, ...OPEN, verification: { require_evidence: false, review: 'always' } },
    change: { 'agent.max_review_passes': { from: 3, to: 1, tells: /review findings remain after 1 pass/ } },
  },
  told('test_author', 'test-author', {
    with: { verification: { require_evidence: false, tests: 'separate-author' } },
    files: {
      ...NOTES,
      'features.json': `${JSON.stringify({ project: 'sample', features: [{ id: 1, description: 'One', test_file: 'test/new.sh', verification_steps: ['src/1.txt is there'], passes: false }] })}\n`,
    },
  }),
  told('architect', 'architect', getDesign('architecture')),
  told('designer', 'designer', getDesign('uiux')),
  told('planner', 'planner', PLAN),
  told('initializer', 'planner', PLAN),
  told('summariser', 'summariser', {
    env: { CUT_OFF: '1' },
    with: { agent: { ...PROGRAM.agent, timeout_seconds: 2.5, env: ['CUT_OFF'] } },
    run: [['run'], ['run']],
  }),
];
