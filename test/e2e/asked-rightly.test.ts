import { describe, expect, it } from 'vitest';
import { CONFIG, commit, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';

const feature = (id: number | string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
  ...more,
});
const work = (id: number | string, before = '') =>
  `[${before}{ edit: { file: "src/${id}.txt", content: "${id}" } }, { claim: done }]`;
const AGENT = `tasks:\n  "1": ${work(1)}\n  "2": ${work(2)}\n  "3": ${work(3)}\n`;

interface Question {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly options: readonly { key: string }[];
}
const getOpen = async (dir: string) => (await runJson<{ questions: Question[] }>(dir, ['inbox'])).questions;
const getKeys = (question: Question | undefined) => question?.options.map(({ key }) => key);
const answer = (dir: string, ...args: string[]) => runCli(dir, ['answer', ...args, '--by', 'Ada']);
const getAsked = async (dir: string) =>
  (await runCli(dir, ['log', '--type', 'question.asked', '--json'])).stdout.trim().split('\n');

describe.concurrent('money', () => {
  const spends = {
    'agent.yaml': `tasks:\n  "1": ${work(1, '{ burn: { cost_usd: 4 } }, ')}\n  "2": ${work(2)}\n  "3": ${work(3)}\n`,
  };

  it('is asked about no more once the configuration allows it', async () => {
    const dir = makeProject({
      ...spends,
      '.harness.yaml': `${CONFIG}costs: { total_project_usd: 3, per_session_usd: 9 }\n`,
    });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(6);
    expect((await getOpen(dir)).map(({ id }) => id)).toEqual(['budget-3']);
    commit(dir, { '.harness.yaml': `${CONFIG}costs: { total_project_usd: 30 }\n` });
    expect(await getOpen(dir)).toEqual([]);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect((await runCli(dir, ['log'])).stdout).toContain('budget-3 is withdrawn: $30 may be spent now');
  });

  it('of one session over its cap is asked about before the next is paid', async () => {
    const costs = `${CONFIG}costs: { per_session_usd: 2 }\n`;
    const script = `tasks:\n  "1": { attempts: [${work(1, '{ burn: { cost_usd: 4 } }, ')}, ${work(1)}] }\n  "2": ${work(2)}\n`;
    const two = getBacklog([feature(1), feature(2)]);
    const dir = makeProject({ '.harness.yaml': costs, 'agent.yaml': script, 'features.json': two });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    const [question] = await getOpen(dir);
    expect(question?.what).toBe('Session 1 cost $4.00, and a session may cost $2.');
    expect(getKeys(question)).toEqual(['increase', 'proceed', 'pause', 'abort']);
    expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 1 } });
    await answer(dir, '1', 'increase', '--text', '10');
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });

  it.each([
    ['per_session_usd', '--task'],
    ['per_feature_usd', '--task'],
    ['per_session_usd', 'status'],
    ['total_project_usd', 'status'],
  ])('%s that was raised is one view for all: %s comes first', async (cap, first) => {
    const script = `tasks:\n  "1": { attempts: [[{ burn: { cost_usd: 4 } }, { give_up: no }], ${work(1)}] }\n`;
    const files = { 'agent.yaml': script, 'features.json': getBacklog([feature(1)]) };
    const dir = makeProject({ ...files, '.harness.yaml': `${CONFIG}costs: { ${cap}: 2 }\n` });
    await runCli(dir, ['run', '--task', '1']);
    await runCli(dir, ['run', '--all']);
    expect((await getOpen(dir)).map(({ kind }) => kind)).toEqual(['budget']);
    commit(dir, { '.harness.yaml': `${CONFIG}costs: { total_project_usd: 40, per_feature_usd: 30 }\n` });
    if (first === 'status') {
      expect(await runJson(dir, ['status'])).toMatchObject({ questions: [] });
      expect(await runJson(dir, ['next'])).toMatchObject({ next: { id: '1' }, questions: 0 });
      expect(await getOpen(dir)).toEqual([]);
    }
    const { code, stdout, stderr } = await runCli(dir, ['run', '--task', '1']);
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('landed')]);
  });
});

describe.concurrent('a question', () => {
  it('about tasks that wait for each other is asked once, however many others land', async () => {
    const knot = [feature(1), feature(2), feature(3, { depends_on: [4] }), feature(4, { depends_on: [3] })];
    const dir = makeProject({ 'features.json': getBacklog(knot), 'agent.yaml': AGENT });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    expect((await getOpen(dir)).map(({ id }) => id)).toEqual(['cycle-3-4']);
    expect(await getAsked(dir)).toHaveLength(1);
    await answer(dir, 'cycle-3-4', 'skip');
    commit(dir, { 'features.json': getBacklog([...knot, feature(5, { passes: true })]) });
    await runCli(dir, ['status']);
    expect(await getOpen(dir)).toEqual([]);
  });

  it('about a task of any name can be answered as it is written', async () => {
    const dir = makeProject({
      'features.json': getBacklog([feature('Weird Name', { test_file: 'test/thing-1.sh', max_attempts: 1 })]),
      'agent.yaml': 'tasks: { "*": [{ lie: done }] }\n',
    });
    await runCli(dir, ['run']);
    const { stdout } = await runCli(dir, ['inbox']);
    expect(stdout).toContain("next: harness answer 'attempts-Weird Name-1' retry");
  });
});

describe.concurrent('a task that is left out', () => {
  const chain = {
    'features.json': getBacklog([feature(1), feature(2, { depends_on: [1] })]),
    'agent.yaml': AGENT,
  };

  it('says what waits for it and the way on, and a person is asked about those', async () => {
    const dir = makeProject(chain);
    const { stdout } = await runCli(dir, ['skip', '--feature', '1', '--reason', 'an outside service']);
    expect(stdout).toMatch(/waiting for it: 2 .*\n.*harness override 1 --reason/);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    const [question] = await getOpen(dir);
    expect([question?.kind, getKeys(question)]).toEqual(['skipped', ['override', 'retry', 'wait', 'abort']]);
    await answer(dir, question?.id ?? '', 'override');
    await runCli(dir, ['run', '--all']);
    const { stdout: status } = await runCli(dir, ['status']);
    expect(status).toMatch(/1: Thing 1 exists — UNPROVEN by the word of/);
    expect(status).toMatch(/\[landed\].* 2: /);
  });

  it('is asked about no more once it is taken in again, or left to wait', async () => {
    const dir = makeProject(chain);
    await runCli(dir, ['skip', '1', '--reason', 'later']);
    await runCli(dir, ['run', '--all']);
    await answer(dir, (await getOpen(dir))[0]?.id ?? '', 'wait');
    expect((await runCli(dir, ['run', '--all'])).code).toBe(5);
    expect(await getOpen(dir)).toEqual([]);
    await runCli(dir, ['reset', '1']);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });
});

it('a task that the base does already is found before an agent is paid, and its tests stand for it', async () => {
  const dir = makeProject({
    'features.json': getBacklog([feature(1, { category: 'auth' })]),
    'src/1.txt': 'x',
    'agent.yaml': AGENT,
  });
  expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
  expect((await getOpen(dir)).map(({ kind }) => kind)).toEqual(['satisfied']);
  await answer(dir, '1', 'accept');
  expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  expect((await runCli(dir, ['status'])).stdout).toContain(
    'proven by its own tests alone, as accepted by Ada',
  );
  expect((await runCli(dir, ['log', '--type', 'session.started', '--json'])).stdout).toBe('');
});

it('a look that no browser can take is asked of a person', async () => {
  const visual = { visual_verification: { enabled: true, steps: ['the button is blue'] } };
  const dir = makeProject({ 'features.json': getBacklog([feature(1, visual)]), 'agent.yaml': AGENT });
  expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
  const { stdout } = await runCli(dir, ['inbox']);
  expect(stdout).toMatch(/asks for a look, and dev_server[\s\S]*look: the button is blue/);
  await runCli(dir, ['approve', '1', '--by', 'Ada']);
  expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  expect((await runCli(dir, ['proof', '1'])).stdout).toContain('Ada looked at it instead of a browser');
});
