import type { SeedProject } from '../../seeds/stage.ts';
import type { Probe } from '../probe.ts';
import { log, one, PROGRAM, play, program } from './kit.ts';

const LIES = play('{ lie: done }');
const STEPS = one({ verification_steps: ['One', 'Two'] });
const spend = (usd: number) => play(`{ burn: { cost_usd: ${usd} } }, { lie: done }`);

/** What may be spent, how often a task is tried, when a person is asked. */
export const LIMIT_PROBES: readonly Probe[] = [
  { files: spend(2), change: { 'costs.per_session_usd': { to: 1, tells: /\$2\.00 spent of \$1\.00/ } } },
  {
    files: spend(2),
    run: [['run', '--all'], ['inbox']],
    change: { 'costs.per_feature_usd': { to: 1, tells: /exit 6|budget/ } },
  },
  { run: [['status']], change: { 'costs.total_project_usd': { to: 7, tells: /of \$7\.00/ } } },
  {
    files: play('{ burn: { input: 2000, output: 100 } }, { lie: done }'),
    look: log,
    change: { 'costs.ceiling_tokens': { to: 1000, tells: /budget_ceiling_reached|ceiling/ } },
  },
  ...(['input', 'output', 'cached'] as const).map(
    (kind): Probe => ({
      files: program(
        `echo '[USAGE] {"input_tokens": 3000000, "output_tokens": 1000000, "cached_tokens": 1000000, "model": "mine"}'; echo x > src/1.txt`,
      ),
      with: {
        ...PROGRAM,
        models: { coding: { model: 'mine' } },
        costs: {
          prices: {
            mine: { input_per_million: 0.01, output_per_million: 0.01, cached_per_million: 0.01 },
          },
        },
      },
      run: [['run'], ['status']],
      change: {
        [`costs.prices.<name>.${kind}_per_million`]: { from: 0.01, to: 1, tells: /Costs: +\$[1-9]/ },
      },
    }),
  ),
  {
    files: program(
      `echo '[USAGE] {"input_tokens": 1000000, "output_tokens": 0, "model": "mine"}'; echo x > src/1.txt`,
    ),
    with: { ...PROGRAM, models: { coding: { model: 'mine' } } },
    run: [['run'], ['status']],
    change: {
      'costs.prices': {
        to: { mine: { input_per_million: 3, output_per_million: 1 } },
        tells: /Costs: +\$3/,
      },
    },
  },
  { run: [['status']], change: { 'attempts.max_attempts': { to: 7, tells: /\(0\/7\)/ } } },
  {
    files: play('{ hang: true }'),
    run: [['status']],
    look: killTwice,
    change: { 'attempts.max_interruptions': { to: 1, tells: /was interrupted 1 time\b/ } },
  },
  { files: LIES, change: { 'escalation.on_rejected': { from: 'go-on', to: 'ask', tells: /exit 7/ } } },
  {
    files: { ...STEPS },
    with: { features: { max_verification_steps: 1 } },
    change: { 'escalation.on_large': { from: 'ask', to: 'go-on', tells: /task 1 landed/ } },
  },
  { files: { ...STEPS }, change: { 'features.max_verification_steps': { to: 1, tells: /task 1 landed/ } } },
  {
    files: play('{ edit: { file: src/half.txt, append: "x" } }, { hang: true }'),
    with: { agent: { timeout_seconds: 1 } },
    change: { 'features.max_stuck_sessions': { to: 1, tells: /exit 7/ } },
  },
  {
    files: one({ test_file: undefined }),
    change: { 'features.require_test_file': { from: false, to: true, tells: /exit 2/ } },
  },
  {
    files: LIES,
    with: { verification: { require_evidence: false, feedback_rounds: 0 } },
    run: [['run', '--all']],
    change: { 'convergence.max_iterations': { to: 1, tells: /attempt 2/ } },
  },
  {
    files: LIES,
    with: { verification: { require_evidence: false, feedback_rounds: 0 }, attempts: { max_attempts: 9 } },
    run: [['run', '--all']],
    change: { 'convergence.stale_rounds': { to: 1, tells: /attempt 3/ } },
  },
];

/** Dies twice in the same attempt, and begins a third time. */
async function killTwice(project: SeedProject): Promise<string> {
  for (let round = 1; round <= 2; round++) {
    const child = project.start(['run', '--json']);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    for (let left = 300; left > 0 && !said.includes('session.started') && child.exitCode === null; left--)
      await new Promise(resolve => setTimeout(resolve, 50));
    child.kill('SIGKILL');
  }
  const { text } = await project.harness('run', '--for', '0.001s');
  return `${text}${(await project.harness('inbox')).text}`;
}
