import assert from 'node:assert/strict';
import { getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';

const does = (id: number): string =>
  `"${id}": [{ edit: { file: src/${id}.txt, content: x } }, { claim: done }]`;

/** Several at work on one project. */
export const WORKERS: readonly Row[] = [
  {
    id: 'A6.1',
    asked: 'two workers claim tasks of one backlog, each in a working tree of its own',
    command: 'two harness run --all at once with concurrency_mode: concurrent',
    seen: 'every task landed once, and the checkout was nobody’s working tree',
    async show(stage) {
      const ids = [1, 2, 3, 4];
      const project = stage.project({
        'features.json': getBacklog(
          ids.map(id => ({ id, description: `Thing ${id} exists`, test_file: `test/thing-${id}.sh` })),
        ),
        'test/thing-4.sh': 'test -f src/4.txt\n',
        'agent.yaml': `tasks: { ${ids.map(does).join(', ')} }\n`,
      });
      project.commit({
        '.harness.yaml': `${project.read('.harness.yaml')}session_config: { concurrency_mode: concurrent }\n`,
      });
      await Promise.all([project.harness('run', '--all'), project.harness('run', '--all')]);
      const { counts } = await project.json<{ counts: { landed: number } }>('status');
      assert.equal(counts.landed, 4);
      const landed = project
        .git('log', '--format=%(trailers:key=Harness-Task,valueonly)')
        .split('\n')
        .filter(Boolean);
      assert.deepEqual(landed.sort(), ['1', '2', '3', '4']);
    },
  },
  { id: 'A6.2', asked: 'HARNESS_STATE_ROOT pins the records for other clones', later: 'workers' },
  { id: 'A6.3', asked: 'HARNESS_WORKER_ID names a worker for good', later: 'workers' },
  {
    id: 'A6.4',
    asked: 'claimed_by and lease_expires_at in the task, renewed at each checkpoint',
    later: 'workers',
  },
  { id: 'A6.5', asked: 'a living claim of another worker in the file is respected', later: 'workers' },
];
