import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type Feature, getBacklog, makeProject, runCli } from '../support/cli.ts';
import { git, makeTempDir, SHELL_ENV, write } from '../support/git-fixture.ts';

interface Row {
  readonly there: string;
  readonly command: string;
  readonly code: number;
}

const ROWS: readonly Row[] = readFileSync(new URL('../../docs/coming-from.md', import.meta.url), 'utf8')
  .split('## Commands')[1]
  ?.split('\n')
  .flatMap(line => {
    const row = /^\| ([A-E] .*) \| `(harness [^|]*?)`[^|]*\| (\d+) \|$/.exec(line);
    return row ? [{ there: row[1] ?? '', command: row[2] ?? '', code: Number(row[3]) }] : [];
  }) as Row[];

/** What several have is tried once. */
const UNIQUE = ROWS.filter(({ command }, i) => ROWS.findIndex(row => row.command === command) === i);

const feature = (id: number, more: Partial<Feature> = {}): Feature => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
  max_attempts: 1,
  ...more,
});

const getPlan = (...ids: readonly number[]) => ({
  summary: 'More.',
  language: 'node',
  tasks: ids.map(id => ({
    ...{ id: String(id), title: `Thing ${id} exists`, depends_on: [], test_file: `test/thing-${id}.sh` },
    ...{ verification_steps: ['it is there'], files: [`src/${id}.txt`], size: 'small' },
  })),
});

const done = (id: number) => [{ edit: { file: `src/${id}.txt`, content: 'x' } }, { claim: 'DONE' }];
const AGENT = JSON.stringify({
  planner: [{ answer: getPlan(7) }],
  tasks: {
    ...Object.fromEntries([1, 2, 4, 6].map(id => [id, done(id)])),
    3: [{ lie: 'done' }],
    5: [{ ask: { question: 'Which colour?', why: 'It is not said.', steps: ['Say it'], check: 'the test' } }],
    'loop-1': done(8),
    '*': done(9),
  },
});

const SPLIT = JSON.stringify({ planner: [{ answer: getPlan(7, 8) }] });

/** One project with work in every state, and an empty one; each row gets a copy of its own. */
let places = { worked: '', empty: '' };

describe('a command of another harness', () => {
  beforeAll(async () => {
    const ids = [1, 2, 3, 4, 5, 6];
    const worked = makeProject({
      'agent.yaml': AGENT,
      'spec.md': '# Things\n\n## Requirements\n\n- Thing 1 exists\n',
      'features.json': getBacklog([
        ...[1, 2, 3, 5, 6].map(id => feature(id)),
        feature(4, { verification_type: 'hybrid', manual_checks: ['look at it'] }),
      ]),
      ...Object.fromEntries(ids.map(id => [`test/thing-${id}.sh`, `test -f src/${id}.txt\n`])),
    });
    for (const id of ['1', '3', '4', '5']) await runCli(worked, ['run', '--task', id]);
    const empty = join(makeTempDir(), 'project');
    mkdirSync(empty);
    write(empty, { 'spec.md': '# Things\n', 'harness-agent.yaml': AGENT });
    places = { worked, empty };
  }, 60_000);

  it('has its equivalent in the table, for each of the five', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(50);
    for (const letter of 'ABCDE') expect(ROWS.some(({ there }) => there.startsWith(`${letter} `))).toBe(true);
  });

  it.concurrent.each(UNIQUE)('$there → $command', { timeout: 120_000 }, async ({ command, code }) => {
    const dir = makeTempDir();
    const project = join(dir, 'project');
    cpSync(/^harness init/.test(command) ? places.empty : places.worked, project, { recursive: true });
    if (/^harness init(?!.*--spec)/.test(command)) git(project, 'init', '-q', '--template=');
    if (/^harness split/.test(command)) write(project, { 'agent.yaml': SPLIT });
    const result = await runShell(command, project, dir);
    expect(result.code, `${result.stdout}\n${result.stderr}`).toBe(code);
    expect(result.stderr).not.toMatch(/^\s+at .*\.js:\d+/m);
  });
});

/** As somebody types it who has the command on their path. */
function runShell(command: string, cwd: string, dir: string) {
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'harness'),
    `#!/bin/sh\nexec "${process.execPath}" "${inject('harnessProgram')}" "$@"\n`,
  );
  chmodSync(join(bin, 'harness'), 0o755);
  const env = { ...SHELL_ENV, PATH: `${bin}:${SHELL_ENV.PATH}`, HARNESS_CACHE_DIR: join(dir, 'cache') };
  return new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
    execFile('sh', ['-c', command], { cwd, env, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
