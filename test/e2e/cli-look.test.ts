import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG, makeProject, runCli, runJson } from '../support/cli.ts';
import { makeTempDir, write } from '../support/git-fixture.ts';

interface Line {
  readonly seq: number;
  readonly type: string;
  readonly task?: string;
  readonly session: number | null;
  readonly level: string;
}

async function readLog(dir: string, ...flags: string[]): Promise<Line[]> {
  const { stdout, stderr, code } = await runCli(dir, ['log', '--json', ...flags]);
  expect(code, stderr).toBe(0);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
}

describe('log', () => {
  it('filters by task, session, type, level, time and number', async () => {
    const dir = makeProject();
    await runCli(dir, ['run', '--max-sessions', '2']);
    const all = await readLog(dir);
    expect(all.map(line => line.seq)).toEqual([...all.map(line => line.seq)].sort((a, b) => a - b));
    const [task, session, type, level, newest, since, until] = await Promise.all([
      readLog(dir, '--task', '2'),
      readLog(dir, '--session', '1'),
      readLog(dir, '--type', 'attempt', '--type', 'task.landed'),
      readLog(dir, '--level', 'important'),
      readLog(dir, '--limit', '3'),
      readLog(dir, '--since', '1h'),
      readLog(dir, '--until', '2020-01-01'),
    ]);
    expect(task).toEqual(all.filter(line => line.task === '2'));
    expect(new Set(session.map(line => line.session))).toEqual(new Set([1]));
    expect(session.map(line => line.type)).toContain('verdict.given');
    expect(new Set(type.map(line => line.type.split('.')[0]))).toEqual(new Set(['attempt', 'task']));
    expect(level).toEqual(all.filter(line => ['critical', 'important'].includes(line.level)));
    expect(newest).toEqual(all.slice(-3));
    expect(since).toEqual(all);
    expect(until).toEqual([]);
    const { stdout } = await runCli(dir, ['log', '--task', '1']);
    expect(stdout).toMatch(/task\.landed +✔ task 1 landed as/);
    expect(stdout).not.toContain('attempt.prepared');
    const { stdout: whole } = await runCli(dir, ['log', '--task', '1', '--level', 'debug']);
    expect(whole).toContain('attempt.prepared');
    const logged = readFileSync(join(dir, '.harness', 'logs', 'events.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(logged.length).toBeLessThan(all.length);
    expect(logged.map(line => JSON.parse(line).seq)).toEqual(
      expect.arrayContaining(level.map(line => line.seq)),
    );
  });

  it('before anything was recorded says so', async () => {
    const { code, stderr, stdout } = await runCli(makeProject(), ['log']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('Nothing has been recorded yet');
  });
});

describe.concurrent('doctor', () => {
  it('finds nothing in the way of a healthy project', async () => {
    const { code, stdout } = await runCli(makeProject(), ['doctor']);
    expect(stdout).toContain(' 0 errors');
    expect(stdout).toMatch(/^(ok|warn) +sandbox/m);
    expect(code).toBe(0);
  });

  it.each([
    [
      'a test program that is not there',
      { '.harness.yaml': CONFIG.replace('sh test/all.sh', 'no-such-runner') },
      'tests',
      'fail',
    ],
    [
      'an agent that is not there',
      { '.harness.yaml': CONFIG.replace(/agent:.*/, 'agent: { provider: command, command: ./none }') },
      'agent',
      'fail',
    ],
    [
      'no script for the scripted agent',
      { '.harness.yaml': CONFIG.replace('agent.yaml', 'none.yaml') },
      'agent',
      'fail',
    ],
    [
      'no test command',
      { '.harness.yaml': 'project: { name: x }\nagent: { provider: scripted, script: agent.yaml }\n' },
      'tests',
      'warn',
    ],
    [
      'a backlog that is not committed',
      { '.harness.yaml': `${CONFIG}paths: { features: other.json }\n` },
      'backlog',
      'fail',
    ],
  ] as const)('names %s', async (_, files, name, status) => {
    const dir = makeProject();
    write(dir, files);
    const { checks, ok } = await runJson<{ ok: boolean; checks: { name: string; fix?: string }[] }>(dir, [
      'doctor',
    ]);
    expect(checks).toContainEqual(expect.objectContaining({ name, status, fix: expect.any(String) }));
    expect(ok).toBe(status !== 'fail');
  });

  it('works outside of a project', async () => {
    const { code, stdout } = await runCli(makeTempDir(), ['doctor']);
    expect(stdout).toMatch(/ok {4}node/);
    expect(stdout).toMatch(/fail {2}repository.*not in a git repository/);
    expect(code).toBe(1);
  });
});

describe.concurrent('help and version', () => {
  it('version says whether the records fit', async () => {
    const dir = makeProject();
    expect((await runCli(dir, ['version'])).stdout).toMatch(
      /^Harness version: \d+\.\d+\.\d+\nSchema version: \d+\nProject state schema: none\nStatus: No records yet\n$/,
    );
    await runCli(dir, ['status']);
    expect(await runJson(dir, ['version'])).toMatchObject({ status: 'Up to date' });
    expect(await runJson(dir, ['migrate'])).toMatchObject({ backup: null });
    expect(await runJson(makeTempDir(), ['version'])).toMatchObject({
      projectSchema: null,
      status: 'Not in a project',
    });
  });

  it.each([[[]], [['--help']], [['help']], [['help', 'run']], [['run', '--help']], [['--version']]])(
    'harness %j answers on stdout and exits 0',
    async args => {
      const { code, stdout, stderr } = await runCli(makeTempDir(), args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        args[0] === '--version' ? /^\d+\.\d+\.\d+\n$/ : /[Hh]arness help|Usage: harness/,
      );
    },
  );

  it('colours only where they are asked for', async () => {
    const dir = makeProject();
    const code = '\u001b[';
    expect((await runCli(dir, ['status'])).stdout).not.toContain(code);
    expect((await runCli(dir, ['status'], { FORCE_COLOR: '1' })).stdout).toContain(code);
    expect((await runCli(dir, ['status'], { FORCE_COLOR: '0' })).stdout).not.toContain(code);
  });
});
