import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONFIG, type Feature, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';

interface Ended {
  readonly type: string;
  readonly task: string;
  readonly category?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly findings?: readonly string[];
}

async function runProject(files: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const dir = makeProject(files);
  const run = await runCli(dir, ['run', '--all', ...flags]);
  const { stdout } = await runCli(dir, ['log', '--limit', '1000', '--json']);
  const log = stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Ended);
  return { dir, run, ended: log.filter(({ type }) => type === 'attempt.ended'), log };
}

function feature(id: number, more: Partial<Feature> = {}): Feature {
  return {
    id,
    description: `Thing ${id}`,
    test_file: `test/thing-${id}.sh`,
    passes: false,
    max_attempts: 1,
    ...more,
  };
}

describe('kinds of errors, each by its own strategy', () => {
  let night: Awaited<ReturnType<typeof runProject>>;
  const of = (task: string) => night.ended.find(end => end.task === task);

  beforeAll(async () => {
    const slow = { command: 'sleep 30', timeout_seconds: 1 };
    night = await runProject({
      'features.json': getBacklog([
        feature(1, { on_failure: { cleanup: 'exit 3' } }),
        feature(2),
        feature(3, { validation: slow, on_failure: { cleanup: 'exit 0' } }),
        feature(4, { depends_on: [2] }),
        feature(5, { on_failure: { cleanup: 'exit 9' } }),
      ]),
      'agent.yaml': `tasks:
  "1": [{ give_up: no }]
  "2": [{ lie: done }]
  "3": [{ edit: { file: src/3.txt, content: "3" } }, { claim: done }]
  "5": [{ edit: { file: src/5.txt, content: "5" } }, { claim: done }]
`,
      'test/thing-4.sh': 'exit 0\n',
      'test/thing-5.sh': 'test -f src/5.txt\n',
    });
  }, 60_000);

  it('TASK_EXEC: an agent that gives up is tried again until its attempts are used', () => {
    expect(of('1')).toMatchObject({ category: 'TASK_EXEC', outcome: 'failed' });
  });

  it('a clean-up that fails is told, and stops nothing', () => {
    expect(of('1')?.findings).toEqual([expect.stringContaining('exited with 3')]);
    expect(night.log.some(({ type, task }) => type === 'task.landed' && task === '5')).toBe(true);
  });

  it('TEST_FAIL: what is not proven does not land', () => {
    expect(of('2')).toMatchObject({ category: 'TEST_FAIL', outcome: 'rejected' });
  });

  it('TIMEOUT: a validation without end is ended, cleaned up after and told apart', () => {
    expect(of('3')).toMatchObject({ category: 'TIMEOUT', outcome: 'failed', findings: [expect.any(String)] });
    expect(of('3')?.reason).toContain('ran out of time');
  });

  it('DEPENDENCY: what needs a failed task waits for it by name', async () => {
    const status = await runJson<{ blocked: { id: string; reason: string }[] }>(night.dir, ['status']);
    expect(JSON.stringify(status)).toMatch(/"4"[^}]*2/);
    expect(of('4')).toBeUndefined();
  });

  it('a healthy task beside them lands, and its clean-up does not run', () => {
    expect(of('5')).toBeUndefined();
    expect(night.run.code).toBe(7);
  });
});

it('ENV_SETUP: init, reset, init again; what stays broken stops the run before any agent', async () => {
  const broken = `${CONFIG}environment: { init: "echo i >> $HOME/tries; exit 1", reset: "echo r >> $HOME/tries" }\n`;
  const { run, ended, log } = await runProject({ '.harness.yaml': broken });
  expect(ended).toMatchObject([{ category: 'ENV_SETUP', outcome: 'partial' }]);
  expect(ended[0]?.reason).toContain('environment.init');
  expect(log.some(({ type }) => type === 'session.started')).toBe(false);
  expect(run.code).toBe(1);
});

it('ENV_SETUP: one reset that helps is all there is to see of it', async () => {
  const mended = `${CONFIG}environment: { init: "test -f .ready", reset: "touch .ready" }\n`;
  const { run, log } = await runProject({ '.harness.yaml': mended, '.gitignore': '.ready\n' });
  expect(log.some(({ type, task }) => type === 'task.landed' && task === '1')).toBe(true);
  expect(run.code).toBe(7);
});

it('CONFIG: a task that nothing could prove stops the run, by file and field, unguessed', async () => {
  const config = CONFIG.replace(/ {2}full:.*\n {2}feature:.*\n/, '');
  const { dir, run, log } = await runProject({ '.harness.yaml': config });
  expect(run.stderr).toContain('testing.full');
  expect(log.some(({ type }) => type === 'session.started')).toBe(false);
  expect(existsSync(join(dir, 'src'))).toBe(false);
});
