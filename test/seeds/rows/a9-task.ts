import assert from 'node:assert/strict';
import { CONFIG, getBacklog } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';

const CONFIG_FREE = CONFIG.replace(
  'verification: {',
  'features: { require_test_file: false }\nverification: {',
);

function getTasks(validation: unknown): string {
  const tasks = [
    {
      id: 'task-001',
      title: 'No one can say',
      status: 'pending',
      priority: 'P0',
      ...(validation === undefined ? {} : { validation }),
    },
    {
      id: 'task-002',
      title: 'Thing 2 exists',
      status: 'pending',
      validation: { command: 'test -f src/2.txt' },
    },
  ];
  return JSON.stringify({ version: 2, tasks }, null, 2);
}

const TASKS_AGENT = 'tasks: { "*": [{ edit: { file: src/2.txt, content: x } }, { claim: done }] }\n';
const TASKS_CONFIG = `${CONFIG}paths: { features: harness-tasks.json }\n`;

const EMPTY: readonly (readonly [string, unknown])[] = [
  ['none', undefined],
  ['validation: null', null],
  ['command: null', { command: null, timeout_seconds: 300 }],
  ['command: ""', { command: '' }],
];

const SCRIPTED = {
  'agent.yaml': `tasks:
  "*":
    - checkpoint: { step: 1, total: 2, description: routes created }
    - edit: { file: src/1.txt, content: x }
    - checkpoint: { step: 2, total: 2, description: tests green }
    - claim: done
`,
};
const getProgram = (mark: string) => ({
  '.harness.yaml': CONFIG.replace(
    'agent: { provider: scripted, script: agent.yaml }',
    'agent: { provider: command, command: sh agent.sh }',
  ),
  'agent.sh': `echo '${mark} step=1/2 "routes created"'
mkdir -p src && echo x > src/1.txt
echo '${mark} step=2/2 "tests green"'
`,
});
const PRINTED = getProgram('[CHECKPOINT]');
const LOGGED = getProgram('[2025-07-01T10:05:00Z] [SESSION-1] CHECKPOINT [1]');

/** What becomes of a task that nothing could prove, and what is said of one that is worked on. */
export const TASK: readonly Row[] = [
  ...EMPTY.map(
    ([name, validation], i): Row => ({
      id: `A9.${i + 1}`,
      asked: `a task without a validation command (${name}) is CONFIG and stops; the others go on`,
      command: 'harness run --all on harness-tasks.json',
      seen: 'an ERROR line, one question, the other task landed, exit 7',
      async show(stage) {
        const project = stage.project({
          '.harness.yaml': TASKS_CONFIG,
          'features.json': null,
          'harness-tasks.json': getTasks(validation),
          'agent.yaml': TASKS_AGENT,
        });
        const { code, text } = await project.harness('run', '--all');
        assert.equal(code, 7, text);
        assert.match(project.log(), /ERROR \[task-001\] \[CONFIG\]/);
        assert.doesNotMatch(project.log(), /Starting \[task-001\]/);
        assert.match(project.log(), /Completed \[task-002\]/);
        const inbox = await project.json<{ questions: { kind: string }[] }>('inbox');
        assert.deepEqual(
          inbox.questions.map(({ kind }) => kind),
          ['unprovable'],
        );
      },
    }),
  ),
  {
    id: 'A9.5',
    asked:
      'features.json with require_test_file: false and a task with nothing to judge it by: that task alone waits',
    command: 'harness run --all',
    seen: 'the question unprovable for task 1, task 2 landed',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': CONFIG_FREE,
        'features.json': getBacklog([
          { id: 1, description: 'No one can say', passes: false },
          { id: 2, description: 'Thing 2 exists', test_file: 'test/thing-2.sh', passes: false },
        ]),
      });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.match(project.log(), /Completed \[2\]/);
      assert.doesNotMatch(text, /environment is broken/);
    },
  },
  {
    id: 'A9.6',
    asked: 'given a validation, it goes on by itself',
    command: 'harness run --all, a commit that gives it one, harness run --all',
    seen: 'nothing to answer, and it lands',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': TASKS_CONFIG,
        'features.json': null,
        'harness-tasks.json': getTasks(null),
        'agent.yaml': TASKS_AGENT.replace('[{ edit', '[{ edit: { file: src/1.txt, content: x } }, { edit'),
      });
      await project.harness('run', '--all');
      const text = project.git('show', 'main:harness-tasks.json');
      project.git('reset', '-q', '--hard');
      project.commit({
        'harness-tasks.json': text.replace(
          '"validation": null',
          '"validation": { "command": "grep y src/1.txt" }',
        ),
        'agent.yaml': 'tasks: { "*": [{ edit: { file: src/1.txt, content: y } }, { claim: done }] }\n',
      });
      const { code, text: said } = await project.harness('run', '--all');
      assert.equal(code, 0, said);
      assert.match(project.log(), /Completed \[task-001\]/);
    },
  },
  {
    id: 'A9.7',
    asked: 'a validation whose program is missing is ENV_SETUP, before a session',
    command: 'harness run --all with validation: nosuchprogram --all',
    seen: 'an ERROR line that names the program, no session for it, the others go on',
    async show(stage) {
      const project = stage.project({
        '.harness.yaml': TASKS_CONFIG,
        'features.json': null,
        'harness-tasks.json': getTasks({ command: 'nosuchprogram --all' }),
        'agent.yaml': TASKS_AGENT,
      });
      const { code, text } = await project.harness('run', '--all');
      assert.equal(code, 7, text);
      assert.match(project.log(), /ERROR \[task-001\] \[ENV_SETUP\] .*nosuchprogram/);
      assert.match(project.log(), /Completed \[task-002\]/);
      const { out } = await project.harness(
        'log',
        '--type',
        'session.started',
        '--task',
        'task-001',
        '--json',
      );
      assert.equal(out.trim(), '');
    },
  },
  ...(
    [
      ['A9.8', 'a scripted move', SCRIPTED],
      ['A9.9', 'a line that a program prints', PRINTED],
      ['A9.10', 'a line as it stands in the log', LOGGED],
    ] as const
  ).map(
    ([id, what, files]): Row => ({
      id,
      asked: `checkpoints while a task is worked on: ${what}`,
      command: 'harness run',
      seen: 'CHECKPOINT [1] step=M/N "…" in the log, and counted in STATS',
      async show(stage) {
        const project = stage.project(files);
        const { code, text } = await project.harness('run');
        assert.equal(code, 0, text);
        assert.match(project.log(), /\[SESSION-1\] CHECKPOINT \[1\] step=1\/2 "routes created"/);
        assert.match(project.log(), /\[SESSION-1\] CHECKPOINT \[1\] step=2\/2 "tests green"/);
        assert.match(project.log(), /STATS .*checkpoints=2\b/);
      },
    }),
  ),
  {
    id: 'A9.11',
    asked: 'a validation behind npm test or make knows the test that the agent wrote for it',
    command:
      'harness run --all without testing.full: validation npm test, and make check; each agent writes its test',
    seen: 'landed; a test is no product code for being run by a wrapper',
    async show(stage) {
      const test = (name: string) =>
        `import test from 'node:test'; import { ${name} } from '../lib/${name}.js'; test('${name}', () => { if (${name}(1) !== 2) throw new Error('no'); });`;
      const write = (name: string) =>
        `[{ edit: { file: lib/${name}.js, content: "export const ${name} = n => n + 1;" } }, { edit: { file: spec/${name}.test.js, content: ${JSON.stringify(test(name))} } }, { claim: done }]`;
      const project = stage.repository({
        '.harness.yaml': `project: { name: sample }\nverification: { require_evidence: false }\npaths: { features: harness-tasks.json }\nagent: { provider: scripted, script: agent.yaml }\n`,
        'package.json': '{ "type": "module", "scripts": { "test": "node --test spec/one.test.js" } }\n',
        Makefile: 'check:\n\t@node --test spec/two.test.js\n',
        'agent.yaml': `tasks:\n  "1": ${write('one')}\n  "2": ${write('two')}\n`,
        'harness-tasks.json': JSON.stringify({
          version: 2,
          tasks: [
            { id: '1', title: 'one adds one', status: 'pending', validation: { command: 'npm test' } },
            { id: '2', title: 'two adds one', status: 'pending', validation: { command: 'make check' } },
          ],
        }),
      });
      const { code, text } = await project.harness('run', '--all');
      assert.doesNotMatch(text, /loads node:test/);
      assert.equal(code, 0, text);
    },
  },
];
