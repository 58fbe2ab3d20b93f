import { expect, it } from 'vitest';
import { makeProject, runCli } from '../support/cli.ts';
import { CLEAN, found } from '../support/review-answers.ts';

const CONFIG = `project: { name: sample }
testing: { runner: node, full: node --test, feature: 'node --test {file}' }
agent: { provider: scripted, script: agent.yaml }
verification: { tests: coder, require_evidence: false }
`;

const getTest = (name: string, ...lines: readonly string[]): string =>
  [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    `import { add } from '../src/${name}.js';`,
    ...lines.map((line, index) => `test('step ${index + 1}', () => ${line});`),
    '',
  ].join('\n');

const work = (name: string, ...lines: readonly string[]) => [
  { edit: { file: `src/${name}.js`, content: 'export const add = (a, b) => a + b;\n' } },
  { edit: { file: `test/${name}.test.js`, content: getTest(name, ...lines) } },
  { claim: 'done' },
];

const ONE = 'assert.equal(add(2, 2), 4)';
const AGENT = {
  tasks: {
    '1': { attempts: [work('add', ONE), work('add', ONE, 'assert.equal(add(-2, 2), 0)')] },
    '1/review': {
      attempts: [
        [{ answer: found({ severity: 'high', claim: 'negative numbers are not tested' }) }],
        [{ answer: CLEAN }],
      ],
    },
    '2': work('more', ONE),
  },
};

const FILES = {
  'test/old.test.js': "import { test } from 'node:test';\ntest('old', () => {});\n",
  'features.json': JSON.stringify({
    project: 'sample',
    features: [
      { id: 1, description: 'add', test_file: 'test/add.test.js', passes: false },
      { id: 2, description: 'add more', test_file: 'test/more.test.js', passes: false },
    ],
  }),
};

it('a coder’s own test counts once another agent has read it; without a reviewer a person is asked', async () => {
  const dir = makeProject({ ...FILES, '.harness.yaml': CONFIG, 'agent.yaml': JSON.stringify(AGENT) });
  await runCli(dir, ['run', '--all']);
  const { stdout } = await runCli(dir, ['log', '--json', '--type', 'verdict.given', '--type', 'task.landed']);
  const events = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string; task: string; verdict?: object });
  const [first, second, landed, other] = events;
  expect(first?.verdict).toMatchObject({
    word: 'rejected',
    decidedBy: 'review',
    findings: ['high: negative numbers are not tested'],
  });
  expect(second?.verdict).toMatchObject({ word: 'proven' });
  expect(landed).toMatchObject({ type: 'task.landed', task: '1' });
  expect(other).toMatchObject({ task: '2', verdict: { word: 'needs-human', decidedBy: 'review' } });

  const inbox = await runCli(dir, ['inbox']);
  expect(inbox.stdout).toMatch(/approve-2-\d/);
  expect(inbox.stdout).toContain('read what was changed: git diff');
  expect((await runCli(dir, ['approve', '1'])).stderr).toContain('it has landed');
  const yes = await runCli(dir, ['approve', '2', '--by', 'Ada']);
  expect([yes.code, yes.stdout]).toEqual([0, expect.stringContaining('recorded yes from Ada')]);
  const run = await runCli(dir, ['run']);
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('task 2 landed')]);
  const proof = await runCli(dir, ['proof', '2']);
  expect(proof.stdout).toContain('Ada read it in the place of a reviewer');
  const again = await runCli(dir, ['verify', '2']);
  expect(again.stdout).toContain('the same as when it landed');
  expect(again.code).toBe(0);
}, 180_000);

it('what waits for a person can be sent back with a reason, which the next agent reads', async () => {
  const dir = makeProject({ ...FILES, '.harness.yaml': CONFIG, 'agent.yaml': JSON.stringify(AGENT) });
  await runCli(dir, ['run', '--task', '2']);
  const back = await runCli(dir, ['approve', '2', '--send-back', 'negative numbers, too']);
  expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('goes back to the agent')]);
  expect((await runCli(dir, ['run', '--task', '2', '--dry-run'])).stdout).toContain('negative numbers, too');
}, 120_000);

it('what reviewers find is put right pass by pass; after the last one the work is held and a person is asked', async () => {
  const file = 'src/add.js';
  const better = (round: number) => [
    { edit: { file, content: `export const add = (a, b) => a + b; // ${round}\n` } },
    { edit: { file: 'test/add.test.js', content: getTest('add', ONE) } },
    { claim: 'done' },
  ];
  const finding = (round: number) => [
    {
      answer: found(
        { severity: 'high', file, line: 1, claim: `not enough (${round})`, quote: `=> a + b; // ${round}` },
        { severity: 'low', file, line: 1, claim: 'never told', quote: `=> a + b; // ${round}` },
      ),
    },
  ];
  const agent = {
    tasks: { '1': { attempts: [better(1), better(2)] }, '1/review': { attempts: [finding(1), finding(2)] } },
  };
  const config = CONFIG.replace('agent: {', 'agent: { max_review_passes: 2,');
  const dir = makeProject({ ...FILES, '.harness.yaml': config, 'agent.yaml': JSON.stringify(agent) });
  const run = await runCli(dir, ['run', '--task', '1']);
  expect(run.code).toBe(7);
  expect(run.stderr).toContain('sent back to the agent with 1 finding (round 1)');
  expect(run.stderr).toContain('review findings remain after 2 passes');
  expect(run.stderr).not.toContain('attempt 2');
  expect(run.stderr).not.toContain('never told');
  await runCli(dir, ['approve', '1', '--by', 'Ada']);
  const again = await runCli(dir, ['run', '--task', '1']);
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('task 1 landed')]);
});
