import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunnerKind } from '../../core/model/testing.ts';
import type { Shell, ShellRequest, ShellResult } from '../../ports/index.ts';
import { createTests } from './run-tests.ts';

let dir = '';
let tree = '';

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'run-tests-'));
  tree = join(dir, 'tree');
  await mkdir(tree);
});

afterEach(() => rm(dir, { recursive: true }));

const ENDED: ShellResult = { exitCode: 0, timedOut: false, output: 'the output', durationMs: 5 };

/** Runs with a shell that plays the runner: it may write the report, and ends as told. */
async function run(
  runner: RunnerKind,
  play: (reportFile: string, request: ShellRequest) => Promise<Partial<ShellResult> | undefined>,
  reportPath: string | null = null,
) {
  const reportFile = join(dir, 'report');
  const shell: Shell = { run: async request => ({ ...ENDED, ...(await play(reportFile, request)) }) };
  const tests = createTests(
    shell,
    () => reportFile,
    path => rm(path, { force: true }),
  );
  return tests.run({
    dir: tree,
    command: 'run it',
    runner,
    reportPath,
    idWithoutReport: 'the command',
    timeoutMs: 1_000,
  });
}

const write = (text: string, end?: Partial<ShellResult>) => async (reportFile: string) => {
  await writeFile(reportFile, text);
  return end;
};

const getReport = (...statuses: string[]) =>
  JSON.stringify({
    testResults: [
      {
        name: join(tree, 'a.js'),
        assertionResults: statuses.map((status, i) => ({ title: `t${i}`, status })),
      },
    ],
  });

describe('a run proves nothing', () => {
  it.each<[string, RunnerKind, Parameters<typeof run>[1], string]>([
    ['without a report', 'vitest', async () => undefined, 'the command left no report (exit 0)'],
    ['with an empty report', 'vitest', write(' \n'), 'the report is empty (exit 0)'],
    ['with a broken report', 'vitest', write('{'), 'the report is not the JSON of vitest or jest'],
    ['without a test', 'vitest', write('{"testResults":[]}'), 'no tests were collected'],
    [
      'when its time is up',
      'vitest',
      write('{"testResults":[]}', { timedOut: true, exitCode: null }),
      'the tests ran out of time after 1 s',
    ],
    [
      'when a plain command is out of time',
      'command',
      async () => ({ timedOut: true, exitCode: null }),
      'the tests ran out of time after 1 s',
    ],
    [
      'when nobody says where the report is',
      'junit',
      async () => undefined,
      'the command left no report (exit 0): name its place, or put {report} into the command',
    ],
  ])('%s', async (_, runner, play, problem) => {
    const { results, reportProblem } = await run(runner, play);
    expect({ results, reportProblem }).toEqual({ results: [], reportProblem: problem });
  });

  it('when a link stands where the report should be', async () => {
    await writeFile(join(dir, 'other'), getReport('passed'));
    const { results, reportProblem } = await run('vitest', async reportFile => {
      await symlink(join(dir, 'other'), reportFile);
      return undefined;
    });
    expect({ results, reportProblem }).toEqual({
      results: [],
      reportProblem: expect.stringContaining('no report'),
    });
  });
});

describe('a run that can be judged', () => {
  it('gives what the report says, and leaves no file behind', async () => {
    const made = await run('vitest', write(getReport('passed', 'failed'), { exitCode: 1 }));
    expect(made).toEqual({
      command: 'run it',
      exitCode: 1,
      timedOut: false,
      outputTail: 'the output',
      durationMs: 5,
      results: [
        { id: 'a.js > t0', outcome: 'passed' },
        { id: 'a.js > t1', outcome: 'failed' },
      ],
    });
    await expect(readFile(join(dir, 'report'))).rejects.toThrow('ENOENT');
  });

  it('is not green when the runner crashed after a spotless report', async () => {
    for (const exitCode of [1, null]) {
      const { results } = await run('vitest', write(getReport('passed', 'skipped'), { exitCode }));
      expect(results.at(-1)).toEqual({
        id: '(runner)',
        outcome: 'error',
        message: `the runner ended with exit code ${exitCode} although no test failed\nthe output`,
      });
    }
  });

  it('has one id for a command without a report, judged by its exit code', async () => {
    const good = await run('command', async () => undefined);
    expect(good.results).toEqual([{ id: 'the command', outcome: 'passed', durationMs: 5 }]);
    for (const exitCode of [1, null]) {
      const bad = await run('command', async () => ({ exitCode }));
      expect(bad.results[0]).toMatchObject({ id: 'the command', outcome: 'failed' });
      expect(bad.results[0]?.message).toContain('the output');
    }
  });

  it('runs in the tree, as on a build server, and keeps what went to the report in sight', async () => {
    const made = await run('tap', async (reportFile, request) => {
      expect(request).toMatchObject({ cwd: tree, timeoutMs: 1_000, env: { CI: 'true' } });
      return write('1..1\nok 1 - a\n')(reportFile);
    });
    expect(made.outputTail).toBe('1..1\nok 1 - a\n\nthe output');
  });
});

describe('a report inside the tree', () => {
  const green = '1..1\nok 1 - a\n';

  it('counts only when this run has written it', async () => {
    await writeFile(join(tree, 'out.tap'), green);
    expect((await run('tap', async () => undefined, 'out.tap')).reportProblem).toMatch(
      /no report .* at out.tap/,
    );
    const made = await run(
      'tap',
      async () => {
        await mkdir(join(tree, 'new'));
        await writeFile(join(tree, 'new/out.tap'), green);
        return undefined;
      },
      'new/out.tap',
    );
    expect(made.results).toEqual([{ id: 'a', outcome: 'passed' }]);
  });

  it('may be a folder of JUnit files, of which those of earlier runs do not count', async () => {
    const folder = join(tree, 'reports');
    const suite = (name: string) =>
      `<?xml version="1.0"?>\n<testsuite><testcase classname="T" name="${name}"/></testsuite>`;
    await mkdir(folder);
    await writeFile(join(folder, 'TEST-old.xml'), suite('old'));
    const made = await run(
      'junit',
      async () => {
        await mkdir(folder);
        await writeFile(join(folder, 'TEST-a.xml'), suite('a'));
        await writeFile(join(folder, 'TEST-b.xml'), suite('b'));
        await symlink(join(dir, 'out.xml'), join(folder, 'TEST-c.xml'));
        return undefined;
      },
      'reports',
    );
    expect(made.results.map(({ id }) => id)).toEqual(['T > a', 'T > b']);
    expect((await run('junit', async () => undefined, 'reports')).reportProblem).toMatch(/no report/);
  });

  it.each(['../out.tap', 'link/out.tap', 'link/new/out.tap', '.'])(
    'is neither read nor removed at %s',
    async path => {
      await writeFile(join(dir, 'out.tap'), green);
      await symlink(dir, join(tree, 'link'));
      let hasRun = false;
      const made = await run(
        'tap',
        async () => {
          hasRun = true;
          return undefined;
        },
        path,
      );
      expect(made.reportProblem).toBe(`the report path ${path} leads out of the tree`);
      expect(hasRun).toBe(false);
      expect(await readFile(join(dir, 'out.tap'), 'utf8')).toBe(green);
    },
  );
});
