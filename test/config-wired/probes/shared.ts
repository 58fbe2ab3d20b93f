import type { SeedProject } from '../../seeds/stage.ts';
import { getBacklog } from '../../support/sample-project.ts';
import type { Files, Probe } from '../probe.ts';

/** Another repository that the project is pushed to. */
function addRemote(project: SeedProject): void {
  project.git('clone', '-q', '--bare', '.', '../remote.git');
  project.git('remote', 'add', 'shared', '../remote.git');
}

/** Tasks that do not wait for each other; each agent takes so many seconds. */
function getTasks(...seconds: readonly number[]): Files {
  const tasks = seconds.map((sleep, at) => ({ id: at + 1, sleep }));
  const agents = tasks.map(
    ({ id, sleep }) =>
      `  "${id}": [{ sleep: ${sleep} }, { edit: { file: src/${id}.txt, content: "${id}\\n" } }, { claim: done }]\n`,
  );
  return {
    ...Object.fromEntries(tasks.map(({ id }) => [`test/thing-${id}.sh`, `test -f src/${id}.txt\n`])),
    'features.json': getBacklog(
      tasks.map(({ id }) => ({ id, description: `Thing ${id} exists`, test_file: `test/thing-${id}.sh` })),
    ),
    'agent.yaml': `tasks:\n${agents.join('')}`,
  };
}

const TOGETHER: Partial<Probe> = { run: [['run', '--all']], with: { session_config: { workers: 3 } } };
/** The first one lands, the second one could wait for the third. */
const ONE_IS_SLOW: Partial<Probe> = { ...TOGETHER, files: getTasks(2, 2, 15) };
const WAITED = /batch 1: 2 tasks/;

/** Several workers, and several hosts. */
export const SHARED_PROBES: readonly Probe[] = [
  { prepare: addRemote, change: { 'git.remote': { to: 'shared', tells: / on shared\/main/ } } },
  {
    files: getTasks(2, 2),
    run: [['run', '--all']],
    change: { 'session_config.workers': { to: 2, tells: /^\[2\]/m } },
  },
  {
    ...TOGETHER,
    files: getTasks(3, 3, 3),
    change: { 'git.history': { to: 'linear', tells: /batch 1/ } },
  },
  {
    ...TOGETHER,
    files: getTasks(3, 3, 3),
    change: { 'git.queue.batch': { to: 1, tells: WAITED } },
  },
  { ...ONE_IS_SLOW, change: { 'git.queue.company': { to: 1, tells: WAITED } } },
  { ...ONE_IS_SLOW, change: { 'git.queue.wait_seconds': { to: 0, tells: WAITED } } },
];
