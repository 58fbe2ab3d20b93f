import { expect, it } from 'vitest';
import { makeProject, runCli } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

const CONFIG = `project: { name: shop }
paths: { features: tasks.json }
testing: { runner: node, full: node --test, feature: 'node --test {file}' }
agent: { provider: scripted, script: agent.yaml }
models: { review: { model: another } }
verification: { require_evidence: false }
`;

const CRITERIA = { acceptance_criteria: ['an order has an id and a list of items'] };
const TASKS = {
  project: 'shop',
  tasks: [
    {
      ...{
        id: 'eng-1',
        title: 'Make orders',
        phase: 'engineering',
        dependencies: ['uiux-1'],
        status: 'pending',
      },
      ...{ ...CRITERIA, test_file: 'test/order.test.js', output_files: ['src/order.js'] },
    },
    {
      ...{
        id: 'uiux-1',
        title: 'Describe the order page',
        phase: 'uiux',
        dependencies: [],
        status: 'pending',
      },
      ...{ ...CRITERIA, output_files: ['docs/order-page.md'] },
    },
    {
      ...{
        id: 'arch-1',
        title: 'Describe an order',
        phase: 'architecture',
        dependencies: [],
        status: 'pending',
      },
      ...{ ...CRITERIA, output_files: ['docs/order.md'] },
    },
  ],
};

const FILES = {
  '.harness.yaml': CONFIG,
  'tasks.json': `${JSON.stringify(TASKS, null, 2)}\n`,
  'test/old.test.js': "import { test } from 'node:test';\ntest('old', () => {});\n",
  'test/order.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOrder } from '../src/order.js';
test('an order has an id and items', () => assert.deepEqual(makeOrder(['pen']), { id: 1, items: ['pen'] }));
`,
};

const write = (file: string, content: string) => [{ edit: { file, content } }, { claim: 'done' }];
const DESIGN = '# Order\n\nAn order has an id, which is a number, and items.\n';
const approve = { attempts: [[{ answer: { findings: [] } }]] };

const AGENT = {
  tasks: {
    'arch-1': { attempts: [write('docs/order.md', `${DESIGN}\n## Items\n`), write('docs/order.md', DESIGN)] },
    'arch-1/review': approve,
    'uiux-1': write(
      'docs/order-page.md',
      '# Order page\n\nIt shows [the order](order.md): id, then items.\n',
    ),
    'uiux-1/review': approve,
    'eng-1': write('src/order.js', 'export const makeOrder = items => ({ id: 1, items });\n'),
  },
};

it('goes from the architecture to the code: designs are proven by what they wrote and by a review', async () => {
  const dir = makeProject({ ...FILES, 'agent.yaml': JSON.stringify(AGENT) });
  const run = await runCli(dir, ['run', '--all']);
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('task eng-1 landed')]);
  const subjects = git(dir, 'log', '--reverse', '--format=%s', '-3').trim().split('\n');
  expect(subjects).toEqual(['Describe an order', 'Describe the order page', 'Make orders']);

  const events = (await runCli(dir, ['log', '--json', '--type', 'verdict.given'])).stdout
    .trimEnd()
    .split('\n');
  const [first] = events.map(line => JSON.parse(line) as { task: string; verdict: object });
  expect(first).toMatchObject({
    task: 'arch-1',
    verdict: {
      word: 'rejected',
      decidedBy: 'outputs',
      findings: ['docs/order.md has nothing under "Items"'],
    },
  });

  const bases = ['arch-1', 'uiux-1', 'eng-1'].map(async id => {
    const { stdout } = await runCli(dir, ['proof', id, '--json']);
    return (JSON.parse(stdout) as { statement: { basis: string } }).statement.basis;
  });
  expect(await Promise.all(bases)).toEqual(['review', 'review', 'tests']);
  const again = await runCli(dir, ['verify', 'arch-1']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('the same as when it landed')]);
});

it('asks a person where author and reviewer are the same model', async () => {
  const plain = CONFIG.replace(/models:.*\n/, '');
  const dir = makeProject({ ...FILES, '.harness.yaml': plain, 'agent.yaml': JSON.stringify(AGENT) });
  expect((await runCli(dir, ['run', '--task', 'arch-1'])).code).toBe(7);
  const inbox = await runCli(dir, ['inbox']);
  expect(inbox.stdout).toContain('or set models.review to another model');
  await runCli(dir, ['approve', 'arch-1', '--by', 'Ada']);
  const run = await runCli(dir, ['run', '--task', 'arch-1']);
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('task arch-1 landed')]);
});
