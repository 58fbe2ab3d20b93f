import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeedProject } from '../../seeds/stage.ts';
import type { Probe } from '../probe.ts';
import { DONE, one, PROGRAM, play, program, read, WORK } from './kit.ts';

const burn = (tokens: number) => `{ burn: { input: ${tokens} } }`;

/** All that was said to agents and by them. */
function transcripts(project: SeedProject): string {
  const dir = join(project.dir, '.harness', 'sessions');
  if (!project.has('.harness/sessions')) return '';
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.jsonl'),
  );
  return files.map(name => readFileSync(join(dir, name), 'utf8')).join('\n');
}

/** Commits in which work was kept that did not land. */
const kept = (project: SeedProject): string =>
  project.git('for-each-ref', '--format=%(refname:lstrip=2) %(contents:subject)', 'refs/harness');

const FULL = play(`${WORK.replace('src/1', 'src/half')}, { burn: { input: 300000 } }, { hang: true }`);
const SLOW = play(`${WORK.replace('src/1', 'src/half')}, { hang: true }`);
const SHORT = { session: { timeout_minutes: 0.02 } };

const MAINTAINED: Partial<Probe> = {
  files: { ...one(), ...play(DONE) },
  run: [['status']],
  look: moveWhenDone,
};

/** How long a session may last, and what is done with one that lasts too long. */
export const SESSION_PROBES: readonly Probe[] = [
  {
    files: play(`{ sleep: 2 }, ${DONE}`),
    change: { 'session.timeout_minutes': { to: 0.01, tells: /task 1 landed/ } },
  },
  {
    files: play(`{ sleep: 2 }, ${DONE}`),
    look: transcripts,
    change: { 'session.timeout_warning_minutes': { to: 0.01, tells: /"type":"steer"/ } },
  },
  {
    files: SLOW,
    with: SHORT,
    look: kept,
    change: { 'session.on_timeout.message_prefix': { to: 'Out of time: ', tells: /Out of time: / } },
  },
  {
    files: SLOW,
    with: SHORT,
    look: kept,
    change: { 'session.on_timeout.auto_commit': { to: false, tells: /WIP: Session timeout - / } },
  },
  {
    files: FULL,
    look: kept,
    change: { 'context.on_limit.commit_message_prefix': { to: 'Full: ', tells: /Full: / } },
  },
  {
    files: FULL,
    look: kept,
    change: { 'context.on_limit.auto_commit': { to: false, tells: /WIP: Context limit - / } },
  },
  {
    files: {
      'agent.yaml': `tasks: { "*": { attempts: [[${WORK.replace('src/1', 'src/half')}, { burn: { input: 300000 } }, { hang: true }], [${DONE}]] } }\n`,
      'claude-progress.txt': 'Notes\n',
    },
    run: [['run', '--all', '--max-tasks', '1']],
    look: project => read(project, 'claude-progress.txt'),
    change: {
      'context.on_limit.append_to_progress': { to: false, tells: /Feature #1 partial: the context/ },
    },
  },
  {
    files: play(`${burn(140_000)}, ${DONE}`),
    look: transcripts,
    change: { 'context.warn_threshold': { to: 0.6, tells: /of your context is used/ } },
  },
  {
    files: play(`${burn(160_000)}, ${DONE}`),
    look: transcripts,
    change: { 'context.force_threshold': { to: 0.77, tells: /context is nearly full/ } },
  },
  {
    files: play(`${burn(140_000)}, ${DONE}`),
    look: transcripts,
    change: { 'context.window_tokens': { to: 180_000, tells: /of your context is used/ } },
  },
  {
    files: play(`${burn(30_000)}, ${DONE}`),
    look: transcripts,
    change: { 'progress.check_interval_tokens': { to: 20_000, tells: /You appear stuck/ } },
  },
  {
    files: play(`${burn(60_000)}, ${DONE}`),
    look: transcripts,
    change: { 'progress.stuck_warning': { to: 'Breathe out.', tells: /Breathe out\./ } },
  },
  {
    files: play(`${burn(60_000)}, ${DONE}`),
    change: { 'progress.force_stop_after_stuck_checks': { to: 1, tells: /task 1 landed/ } },
  },
  {
    files: play(`{ run: "echo broken; exit 1" }, { run: "echo broken; exit 1" }, ${DONE}`),
    look: transcripts,
    change: { 'progress.max_repeated_errors': { to: 2, tells: /"type":"steer"/ } },
  },
  {
    run: [['run', '--all']],
    change: { 'session_config.max_tasks_per_session': { to: 1, tells: /task 2 landed/ } },
  },
  {
    run: [['run', '--all']],
    change: { 'session_config.max_sessions': { to: 1, tells: /task 2 landed/ } },
  },
  {
    ...MAINTAINED,
    with: { session_config: { health_minutes: 0.01 } },
    change: { 'session_config.all_done': { to: 'maintain', tells: /still there/ } },
  },
  {
    ...MAINTAINED,
    with: { session_config: { all_done: 'maintain' } },
    change: { 'session_config.health_minutes': { to: 0.01, tells: /looked 2 times/ } },
  },
  {
    files: { ...play('{ hang: true }') },
    run: [['status']],
    // Two at once: the second is refused, or takes the next task.
    look: runBeside,
    change: { 'session_config.concurrency_mode': { to: 'concurrent', tells: /second: exit 1/ } },
  },
  {
    files: { ...program('echo x > src/1.txt') },
    with: PROGRAM,
    change: { 'logging.require_prefixes': { to: true, tells: /task 1 landed/ } },
  },
  {
    files: { ...program('echo x > src/1.txt') },
    with: PROGRAM,
    look: transcripts,
    change: { 'logging.warn_on_missing_prefixes': { to: false, tells: /has a prefix such as/ } },
  },
  {
    files: { ...program('echo "[DECISION] tabs, because smaller"; echo x > src/1.txt') },
    with: PROGRAM,
    look: transcripts,
    change: { 'logging.structured_agent_output': { to: false, tells: /"type":"decision"/ } },
  },
  {
    files: { ...program('echo x > src/1.txt; sleep 4') },
    with: PROGRAM,
    look: project => `${transcripts(project)}${read(project, '.harness/logs/agent_actions.jsonl')}`,
    change: {
      'logging.fallback_tracking': { to: false, tells: /"type":"(?:file|command)"/ },
    },
  },
];

/** Whether a run stays when all is done, and looks again at a base that a person's commit moves then. */
async function moveWhenDone(project: SeedProject): Promise<string> {
  const run = project.start(['run', '--all']);
  let said = '';
  run.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const looks = () => said.split('all that has landed').length - 1;
  const wait = async (count: number, seconds: number) => {
    const endMs = Date.now() + seconds * 1_000;
    while (looks() < count && run.exitCode === null && Date.now() < endMs)
      await new Promise(resolve => setTimeout(resolve, 50));
  };
  try {
    await wait(1, 60);
    project.commit({ 'README.md': 'Moved\n' });
    // Longer than a run that has nothing to do takes between two rounds.
    await wait(2, 12);
    return `looked ${looks()} times, ${run.exitCode === null ? 'still there' : 'gone'}`;
  } finally {
    run.kill('SIGKILL');
  }
}

/** What a second run does beside one that is at work. */
async function runBeside(project: SeedProject): Promise<string> {
  const first = project.start(['run']);
  try {
    for (
      let left = 200;
      left > 0 && !/Starting \[1\]/.test(read(project, '.harness/logs/harness-progress.txt'));
      left--
    )
      await new Promise(resolve => setTimeout(resolve, 50));
    const { code } = await project.harness('run', '--for', '1s');
    return `second: exit ${code}`;
  } finally {
    first.kill('SIGKILL');
  }
}
