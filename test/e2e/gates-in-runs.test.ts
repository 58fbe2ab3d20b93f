import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG, commit, FEATURES, getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { git } from '../support/git-fixture.ts';

const ACCEPTANCE = 'docs/spec.acceptance.md';
const getCriteria = (...tags: string[]) =>
  `## Release criteria\n\n${tags.map(tag => `- [ ] **tag: \`${tag}\`** — "x"\n`).join('')}`;
const ALL = getBacklog(FEATURES.slice(0, 2).map(feature => ({ ...feature, tags: [`thing/${feature.id}`] })));
const FIDELITY = 'fidelity: { spec_path: docs/spec.md, every_n_plans: 1 }\n';
const RELEASE = 'release_gate: { spec_path: docs/spec.md }\n';

const start = (settings: string, ...tags: string[]): string =>
  makeProject({
    '.harness.yaml': `${CONFIG}${settings}`,
    'features.json': ALL,
    [ACCEPTANCE]: getCriteria(...tags),
  });

const getLog = (dir: string) => readFileSync(join(dir, '.harness/logs/harness-progress.txt'), 'utf8');
const countLooks = (dir: string, word: string) => getLog(dir).split(word).length - 1;

describe.concurrent('fidelity in a run', { timeout: 240_000 }, () => {
  it('is asked after so many landings, and stops the run above the threshold until somebody answers', async () => {
    const dir = start(FIDELITY, 'thing/1', 'thing/2', 'thing/9');
    const first = await runCli(dir, ['run', '--all']);
    expect(first.stdout).toContain('the product is not what was asked for');
    expect(first.code).toBe(7);
    expect(countLooks(dir, 'fidelity_blocked')).toBe(1);
    const { questions: open } = await runJson<{
      questions: { id: string; kind: string; options: { key: string }[] }[];
    }>(dir, ['inbox']);
    expect(open.map(({ kind }) => kind)).toEqual(['drift']);
    expect(open[0]?.options.map(({ key }) => key)).toEqual(['go-on', 'raise', 'pause', 'abort']);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(7);
    expect(git(dir, 'log', '--format=%s')).not.toContain('Thing 2');
    await runCli(dir, ['answer', open[0]?.id ?? '', 'go-on']);
    const second = await runCli(dir, ['run', '--all']);
    expect([second.code, countLooks(dir, 'fidelity_blocked')]).toEqual([7, 2]);
    expect(git(dir, 'log', '--format=%s')).toContain('Thing 2');
    const again = await runJson<typeof first & { questions: typeof open }>(dir, ['inbox']);
    await runCli(dir, ['answer', again.questions[0]?.id ?? '', 'raise', '--text', '60']);
    expect(await runCli(dir, ['run', '--all'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('everything is landed'),
    });
    expect(await runJson(dir, ['fidelity'])).toMatchObject({
      over: false,
      threshold: 0.6,
      history: [{ passed: false }, { passed: false }, { passed: true }],
    });
  });

  it('is said in the history and stops nothing where all is as it was asked for', async () => {
    const dir = start(FIDELITY, 'thing/1', 'thing/2');
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
    expect([countLooks(dir, 'fidelity_check_ok'), countLooks(dir, 'fidelity_blocked')]).toEqual([2, 0]);
    expect(existsSync(join(dir, '.harness/reports/fidelity'))).toBe(true);
  });

  it('is not asked without a number of landings, whatever somebody finds by hand', async () => {
    const dir = start(FIDELITY.replace('every_n_plans: 1', 'every_n_plans: 0'), 'thing/9');
    await runCli(dir, ['run']);
    expect(countLooks(dir, 'fidelity_')).toBe(0);
    expect((await runCli(dir, ['fidelity'])).code).toBe(5);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });

  it('asks where the file cannot be read, and a look that can closes the question', async () => {
    const dir = start(FIDELITY, 'thing/1', 'thing/1');
    const { code } = await runCli(dir, ['run']);
    expect(code).toBe(7);
    expect((await runCli(dir, ['inbox'])).stdout).toContain(`${ACCEPTANCE}:4 has the tag thing/1`);
    commit(dir, { [ACCEPTANCE]: getCriteria('thing/1', 'thing/2') });
    expect((await runCli(dir, ['fidelity'])).code).toBe(0);
    expect((await runCli(dir, ['run', '--all'])).code).toBe(0);
  });
});

describe.concurrent('the release in a run', { timeout: 240_000 }, () => {
  const FILE = '.harness/RELEASE_READY';

  it('ends it with 0 and pauses the project once all is proven, says so once, and takes it back when the tip moves', async () => {
    const dir = start(RELEASE, 'thing/1', 'thing/2');
    const first = await runCli(dir, ['run', '--all']);
    expect(first.stdout).toContain('all that was asked for is proven');
    expect(first.code).toBe(0);
    const at = git(dir, 'rev-parse', 'HEAD');
    expect(JSON.parse(readFileSync(join(dir, FILE), 'utf8'))).toMatchObject({
      commit: at,
      specPath: ACCEPTANCE,
    });
    expect((await runCli(dir, ['status'])).stdout).toMatch(/paused/i);
    const second = await runCli(dir, ['run', '--all']);
    expect([second.code, countLooks(dir, 'release_candidate_ready')]).toEqual([0, 1]);
    commit(dir, { 'README.md': 'more\n' });
    const third = await runCli(dir, ['run', '--all']);
    expect(third.code).toBe(0);
    expect(countLooks(dir, 'release_withdrawn')).toBe(1);
    expect(countLooks(dir, 'release_candidate_ready')).toBe(2);
    expect(JSON.parse(readFileSync(join(dir, FILE), 'utf8')).commit).toBe(git(dir, 'rev-parse', 'HEAD'));
    commit(dir, { [ACCEPTANCE]: getCriteria('thing/1', 'thing/2', 'thing/9') });
    const last = await runCli(dir, ['run', '--all']);
    expect([last.code, existsSync(join(dir, FILE))]).toEqual([0, false]);
    expect(last.stdout).toContain('everything is landed');
  });

  it('says nothing as long as something is missing', async () => {
    const dir = start(RELEASE, 'thing/1', 'thing/2', 'thing/9');
    const { code, stdout, stderr } = await runCli(dir, ['run', '--all']);
    expect(code).toBe(0);
    expect(stdout + stderr + getLog(dir)).not.toMatch(/\brelease\b/i);
    expect(existsSync(join(dir, FILE)) || existsSync(join(dir, '.harness/reports'))).toBe(false);
  });

  it('names a file that cannot be read, and the run goes on', async () => {
    const dir = start(RELEASE, 'thing/1', 'thing/1');
    const { code } = await runCli(dir, ['run', '--all']);
    expect([code, getLog(dir).includes(`release: ${ACCEPTANCE}:4 has the tag`)]).toEqual([0, true]);
  });

  it('is not asked while a task is open that a criterion waits for', async () => {
    const dir = start(RELEASE, 'thing/1');
    expect((await runCli(dir, ['run'])).code).toBe(0);
    expect((await runJson<{ stopped: string }>(dir, ['run', '--all'])).stopped).toBe('released');
  });

  it('ends several workers alike, and is taken back whichever command comes next', async () => {
    const dir = start(`${FIDELITY}${RELEASE}`, 'thing/1', 'thing/2');
    const { code, stdout } = await runCli(dir, ['run', '--all', '--workers', '2', '--json']);
    expect([code, JSON.parse(stdout).stopped]).toEqual([0, 'released']);
    commit(dir, { 'README.md': 'more\n' });
    expect((await runCli(dir, ['recover'])).code).toBe(0);
    expect([existsSync(join(dir, FILE)), countLooks(dir, 'release_withdrawn')]).toEqual([false, 1]);
  });
});
