import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG, commit, type Feature, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';

const feature = (id: number, more: Partial<Feature> = {}): Feature => ({
  id,
  description: `Thing ${id} exists`,
  test_file: `test/thing-${id}.sh`,
  passes: false,
  ...more,
});

const work = (id: number) => `[{ edit: { file: src/${id}.txt, content: "${id}" } }, { claim: done }]`;

interface Question {
  readonly id: string;
  readonly kind: string;
  readonly options: readonly { key: string }[];
}

const getOpen = async (dir: string) =>
  (await runJson<{ questions: Question[] }>(dir, ['inbox'])).questions.map(({ id }) => id).sort();
const answer = (dir: string, ...args: string[]) => runCli(dir, ['answer', ...args, '--by', 'Ada']);

describe('tasks that come to a stop', () => {
  it('ask while the others go on, and each answer does what it says', async () => {
    const dir = makeProject({
      '.harness.yaml': `${CONFIG}attempts: { max_attempts: 2 }
features: { max_stuck_sessions: 2, max_verification_steps: 2 }
`,
      'features.json': getBacklog([
        feature(1),
        feature(2),
        feature(3, { verification_steps: ['a', 'b', 'c'] }),
        feature(4, { test_file: 'test/four.sh' }),
        feature(5, { test_file: 'test/five.sh', depends_on: [1] }),
      ]),
      'test/four.sh': 'test -f src/4.txt\n',
      'test/five.sh': 'test -f src/5.txt\n',
      'agent.yaml': `tasks:
  "1": { attempts: [[{ give_up: no idea }], [{ give_up: no idea }], ${work(1)}] }
  "2": { attempts: [[{ crash: oops }], [{ crash: oops }], ${work(2)}] }
  "3": ${work(3)}
  "4": ${work(4)}
  "5": ${work(5)}
`,
    });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    expect(await getOpen(dir)).toEqual(['attempts-1-2', 'large-3-0', 'stuck-2-2']);
    expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 1 } });
    expect((await answer(dir, '1', 'retry', '--text', 'try the other door')).code).toBe(0);
    expect((await answer(dir, 'stuck-2-2', 'retry')).code).toBe(0);
    expect((await answer(dir, 'large-3-0', 'proceed')).code).toBe(0);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 5 }, questions: [] });
  });
});

describe('money and rejected claims', () => {
  it('are asked about; work goes on once the budget is raised and the claim may be tried again', async () => {
    const dir = makeProject({
      '.harness.yaml': `${CONFIG}costs: { total_project_usd: 3 }\nescalation: { on_rejected: ask }\n`,
      'features.json': getBacklog([feature(1), feature(2), feature(3)]),
      'agent.yaml': `tasks:
  "1": { attempts: [[{ lie: done }], [{ lie: done }], [{ lie: done }], ${work(1)}] }
  "2": [{ burn: { cost_usd: 4 } }, ${work(2).slice(1)}
  "3": ${work(3)}
`,
    });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(6);
    expect(await getOpen(dir)).toEqual(['budget-3', 'rejected-1-1']);
    expect((await runCli(dir, ['status'])).stdout).toMatch(/Costs: +\$4\.00 of \$3\.00/);
    expect((await answer(dir, 'budget-3', 'increase', '--text', '2')).code).toBe(2);
    expect((await answer(dir, 'budget-3', 'increase', '--text', '20')).stdout).toContain('raise it by half');
    expect((await runCli(dir, ['status'])).stdout).toMatch(/Costs: +\$4\.00 of \$20\.00/);
    await answer(dir, '1', 'retry');
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });
});

describe('a broken environment', () => {
  it('asks by what failed, and the question is gone once the ground is firm', async () => {
    const dir = makeProject({
      'features.json': getBacklog([feature(1)]),
      'agent.yaml': `tasks: { "1": ${work(1)} }`,
    });
    const ok = join(dirname(dir), 'ok');
    const environment = (reset: string) =>
      `${CONFIG}sandbox: { services: ["${ok}"] }\nenvironment: { init: "test -e ${ok}", reset: "${reset}" }\n`;
    commit(dir, { '.harness.yaml': environment('exit 3') });
    const run = await runCli(dir, ['run', '--all']);
    expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('next: harness inbox')]);
    expect(await getOpen(dir)).toEqual(['reset-1-1']);
    expect((await answer(dir, 'reset-1-1', 'manual')).code).toBe(0);
    commit(dir, { '.harness.yaml': environment('true') });
    await runCli(dir, ['run', '--all']);
    expect(await getOpen(dir)).toEqual(['sanity-1-2']);
    writeFileSync(ok, '');
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect(await getOpen(dir)).toEqual([]);
  });
});

describe('a backlog that is changed in between', () => {
  it('so that tasks wait for each other is asked about; the others go on', async () => {
    const script = `tasks: { "1": ${work(1)}, "2": ${work(2)}, "3": ${work(3)} }`;
    const dir = makeProject({
      'features.json': getBacklog([feature(1), feature(2), feature(3)]),
      'agent.yaml': script,
    });
    await runCli(dir, ['status']);
    const knot = [feature(1), feature(2, { depends_on: [3] }), feature(3, { depends_on: [2] })];
    commit(dir, { 'features.json': getBacklog(knot) });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    const [id = ''] = await getOpen(dir);
    expect(id).toMatch(/^cycle-/);
    expect(await runJson(dir, ['status'])).toMatchObject({ counts: { landed: 1 } });
    commit(dir, { 'features.json': getBacklog([feature(1, { passes: true }), feature(2), feature(3)]) });
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect(await getOpen(dir)).toEqual([]);
  });
});

describe('a suite that turns red by nobody’s known doing', () => {
  it('is asked about before work goes on, and once more when everything is landed', async () => {
    const dir = makeProject({
      'features.json': getBacklog([feature(1), feature(2), feature(3, { depends_on: [2] })]),
      'agent.yaml': `tasks: { "1": ${work(1)}, "2": ${work(2)}, "3": ${work(3)} }`,
    });
    await runCli(dir, ['run']);
    commit(dir, { 'test/all.sh': 'exit 1\n' });
    await runCli(dir, ['run']);
    const [regression = ''] = await getOpen(dir);
    expect(regression).toMatch(/^regression-/);
    expect((await answer(dir, regression, 'proceed')).code).toBe(0);
    commit(dir, { 'test/all.sh': 'exit 0\n' });
    expect((await runCli(dir, ['run', '--max-sessions', '2'])).code).toBe(0);
    expect(await getOpen(dir)).toEqual([]);
    commit(dir, { 'test/all.sh': 'exit 1\n' });
    expect((await runCli(dir, ['run', '--all'])).code).not.toBe(0);
    const [red = ''] = await getOpen(dir);
    expect(red).toMatch(/^all-done-red-/);
    commit(dir, { 'test/all.sh': 'exit 0 # as before\n' });
    const last = await runCli(dir, ['run', '--all']);
    expect([last.code, last.stdout]).toEqual([0, expect.stringContaining('everything is landed')]);
    expect(last.stdout).toContain('people changed tests that prove landed tasks: harness audit');
    expect(await getOpen(dir)).toEqual([]);
  });
});
