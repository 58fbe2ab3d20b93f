import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

const AGENT = `tasks:
  "task-2": [{ edit: { file: src/2.txt, content: "2\\n" } }, { claim: done }]
  "0002": [{ edit: { file: src/2.txt, content: "2\\n" } }, { claim: done }]
`;
const getTasks = (done: string, more: object) =>
  `${JSON.stringify({ tasks: [entry('task-1', done, 1), { ...entry('task-2', 'pending', 2), ...more }] }, null, 2)}\n`;

function entry(id: string, status: string, number: number) {
  return {
    id,
    title: `Thing ${number} exists`,
    status,
    validation: { command: `test -f src/${number}.txt` },
  };
}

const FORMATS = [
  { path: 'harness-tasks.json', files: { 'harness-tasks.json': getTasks('completed', { priority: 'P1' }) } },
  { path: 'tasks.json', files: { 'tasks.json': getTasks('done', { phase: 'eng' }) } },
  {
    path: 'plans',
    files: {
      'plans/0001-one.md': '---\nstatus: completed\nvalidation: test -f src/1.txt\n---\n# Thing 1 exists\n',
      'plans/0002-two.md':
        '---\nvalidation: test -f src/2.txt\ndepends_on: ["0001"]\n---\n# Thing 2 exists\n',
    },
  },
];

function makeForeign(path: string, files: Readonly<Record<string, string>>): string {
  const config = `${CONFIG}paths: { features: ${path} }\n`;
  return makeProject({ '.harness.yaml': config, 'agent.yaml': AGENT, 'src/1.txt': '1\n', ...files });
}

describe.each(FORMATS)('a project whose backlog is $path', ({ path, files }) => {
  it('runs in place: what is proven lands, marked in its own format', async () => {
    const dir = makeForeign(path, files);
    const { stdout, stderr } = await runCli(dir, ['run', '--all', '--json']);
    expect(stdout, stderr).toContain('all-done');
    expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 2 } });
    const changed = git(dir, 'show', '--format=', '--name-only', 'HEAD').trim().split('\n');
    expect(changed.filter(name => name.startsWith(path))).toHaveLength(1);
    expect(git(dir, 'diff', 'HEAD~1', '--', ...changed.filter(name => name.startsWith(path)))).toMatch(
      /^\+.*(completed|done)/m,
    );
  });

  it('becomes a features.json that says the same', async () => {
    const dir = makeForeign(path, { ...files, 'features.json': '' });
    git(dir, 'rm', '-q', 'features.json');
    expect(await runJson(dir, ['import', path])).toMatchObject({
      tasks: 2,
      done: 1,
      written: 'features.json',
    });
    const { features } = JSON.parse(readFileSync(join(dir, 'features.json'), 'utf8'));
    expect(features.map((feature: { passes: boolean }) => feature.passes)).toEqual([true, false]);
    const again = await runCli(dir, ['import', path]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('already exists');
  });

  it('can be written out in every other format', async () => {
    const dir = makeForeign(path, files);
    for (const format of ['features', 'harness-tasks', 'loop-tasks', 'plans']) {
      const told = await runJson(dir, ['export', '--format', format, '--out', `out/${format}`]);
      expect(told).toMatchObject({ tasks: 2 });
    }
  });
});

it('what nothing can prove is imported for a person to decide: the file can be run', async () => {
  const task = { id: 'task-001', title: 'Write it down', status: 'pending', validation: { command: null } };
  const tasks = JSON.stringify({ version: 2, tasks: [task] });
  const dir = makeProject({ 'harness-tasks.json': tasks });
  git(dir, 'rm', '-q', 'features.json');
  const { stderr } = await runCli(dir, ['import', 'harness-tasks.json']);
  expect(stderr).toContain('in the place of verification_type: manual');
  expect((await runCli(dir, ['validate', 'features.json'])).code).toBe(0);
});

it('an import that names nothing says so', async () => {
  const { code, stderr } = await runCli(makeProject(), ['import', 'nowhere.json']);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no');
});
