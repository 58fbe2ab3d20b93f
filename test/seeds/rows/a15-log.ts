import assert from 'node:assert/strict';
import type { Row } from '../behaviour.ts';
import type { SeedProject } from '../stage.ts';

const TYPES = 'INIT|Starting|Completed|ERROR|CHECKPOINT|ROLLBACK|RECOVERY|STATS|LOCK|WARN';

/** The log that people and grep read. */
export const LOG: readonly Row[] = [
  {
    id: 'A15.1',
    asked: 'every line is [time] [SESSION-N] TYPE …, on one line',
    command: 'harness run --all',
    seen: 'no line of harness-progress.txt in another form',
    async show(stage) {
      const project = await makeWorked(stage.project());
      const form = new RegExp(`^\\[\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z\\] \\[SESSION-\\d+\\] (${TYPES}) `);
      const odd = getLines(project).filter(line => !form.test(line));
      assert.deepEqual(odd, []);
    },
  },
  {
    id: 'A15.2',
    asked: 'Starting with the base, Completed with the commit',
    command: 'harness run --all',
    seen: 'Starting [1] … (base=…), Completed [1] (commit …)',
    async show(stage) {
      const log = (await makeWorked(stage.project())).log();
      assert.match(log, /Starting \[1\] Thing 1 exists \(base=[0-9a-f]{7,}[ )]/);
      assert.match(log, /Completed \[1\] \(commit [0-9a-f]{7,}\)/);
    },
  },
  {
    id: 'A15.3',
    asked: 'ERROR with its category, and ROLLBACK',
    command: 'harness run --all with an agent that lies about 3',
    seen: 'ERROR [3] [TEST_FAIL] … and ROLLBACK [3] …',
    async show(stage) {
      const log = (await makeWorked(stage.project())).log();
      assert.match(log, /ERROR \[3\] \[[A-Z_]+\] /);
      assert.match(log, /ROLLBACK \[3\] /);
    },
  },
  {
    id: 'A15.4',
    asked: 'STATS at the end of every run, all in one form',
    command: 'harness run --all, grep STATS',
    seen: 'tasks_total completed failed pending blocked attempts_total checkpoints',
    async show(stage) {
      const project = await makeWorked(stage.project());
      const { out } = await project.sh('grep STATS .harness/logs/harness-progress.txt');
      const lines = out.trimEnd().split('\n');
      const form =
        /STATS tasks_total=3 completed=\d failed=\d pending=\d blocked=\d attempts_total=\d+ checkpoints=\d+ #/;
      assert.deepEqual(
        lines.filter(line => !form.test(line)),
        [],
      );
      assert.match(lines.at(-1) ?? '', /completed=2 failed=1 pending=0/);
    },
  },
  {
    id: 'A15.5',
    asked: 'one session alone is found by its number',
    command: 'grep "SESSION-2" harness-progress.txt',
    seen: 'task 2 begins and lands there, and no other does',
    async show(stage) {
      const project = await makeWorked(stage.project());
      const { out } = await project.sh('grep "SESSION-2\\]" .harness/logs/harness-progress.txt');
      assert.match(out, /Starting \[2\]/);
      assert.doesNotMatch(out, /Starting \[[13]\]/);
    },
  },
  {
    id: 'A15.6',
    asked: 'the log is never cut off, rotated or thinned out',
    command: 'harness run with a log of long ago and logging.max_file_mb: 0.0001',
    seen: 'the old line is still the first of the one file',
    async show(stage) {
      const old = '[2020-01-01T00:00:00Z] [SESSION-0] INIT Harness initialized for project old #0';
      const config = 'logging: { max_file_mb: 0.0001, retention_days: 1 }\n';
      const project = stage.project();
      project.write({
        '.harness/logs/harness-progress.txt': `${old}\n`,
        '.harness.yaml': `${project.read('.harness.yaml')}${config}`,
      });
      project.git('add', '.harness.yaml');
      project.git('commit', '-q', '-m', 'Keep less');
      await project.harness('run');
      await project.harness('run');
      assert.equal(getLines(project)[0], old);
      const { out } = await project.sh('ls .harness/logs | grep progress');
      assert.equal(out, 'harness-progress.txt\n');
    },
  },
  {
    id: 'A15.7',
    asked: 'LOCK when a run begins and when it ends',
    command: 'harness run, grep LOCK',
    seen: 'acquired with the pid, and released',
    async show(stage) {
      const project = stage.project();
      await project.harness('run');
      assert.match(project.log(), /LOCK acquired \(pid=\d+/);
      assert.match(project.log(), /LOCK released/);
    },
  },
];

async function makeWorked(project: SeedProject): Promise<SeedProject> {
  await project.harness('run', '--all');
  return project;
}

function getLines(project: SeedProject): readonly string[] {
  return project.log().trimEnd().split('\n');
}
