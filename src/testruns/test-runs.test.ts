import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import {
  BASE,
  type CheckCase,
  changeRuns,
  createCheckContext,
  HEALTHY,
} from '../../test/support/check-bench.ts';
import { HarnessError } from '../core/base/failure.ts';
import type { RunRequest } from './test-runs.ts';
import type { Side } from './worktrees.ts';

const request = {
  side: 'candidate' as Side,
  tree: JSON.stringify(HEALTHY),
  command: 'test',
  runner: 'node',
  reportPath: null,
  idWithoutReport: 'all',
  purpose: 'trial',
  timeoutMs: 1_000,
} as const;

const installing: CheckCase = {
  policy: { environment: { ...simPolicy.environment, install: 'npm ci', lockfiles: ['package.json'] } },
};

describe('a test run', () => {
  it('does not run the same command twice on the same tree', async () => {
    const { ctx, ran } = await createCheckContext();
    const first = await ctx.tests.run(request);
    const second = await changeRuns(ctx, { slot: 7 }).tests.run({ ...request, side: 'base' });
    expect(ran).toHaveLength(1);
    expect(second).toEqual(first);
  });

  it('notes every run a verdict stands on, also one that is recalled', async () => {
    const { ctx } = await createCheckContext();
    const run = await ctx.tests.run(request);
    await ctx.tests.run(request);
    expect(ctx.tests.records).toEqual(Array(2).fill({ purpose: 'trial', tree: request.tree, run }));
  });

  it.each<[string, Partial<RunRequest>]>([
    ['another tree', { tree: JSON.stringify(BASE) }],
    ['another command', { command: 'test test/old' }],
    ['another runner', { runner: 'command' }],
    ['another place of the report', { reportPath: 'junit.xml' }],
    ['more time', { timeoutMs: 2_000 }],
  ])('runs again for %s', async (_, change) => {
    const { ctx, ran } = await createCheckContext();
    await ctx.tests.run(request);
    await ctx.tests.run({ ...request, ...change });
    expect(ran).toHaveLength(2);
  });

  it('runs a command without a report once, whatever its one result is called', async () => {
    const answer: CheckCase['answer'] = () => ({ results: [{ id: 'one', outcome: 'passed' }] });
    const { ctx, ran } = await createCheckContext({ answer });
    const plain = { ...request, runner: 'command' } as const;
    await ctx.tests.run(plain);
    const again = await ctx.tests.run({ ...plain, idWithoutReport: 'other' });
    expect(ran).toHaveLength(1);
    expect(again.results.map(({ id }) => id)).toEqual(['other']);
  });

  it('tells each of those who ask at the same time under their own name', async () => {
    const answer: CheckCase['answer'] = () => ({ results: [{ id: 'one', outcome: 'passed' }] });
    const { ctx, ran } = await createCheckContext({ answer });
    const ask = (idWithoutReport: string) =>
      ctx.tests.run({ ...request, runner: 'command', idWithoutReport });
    const [one, other] = await Promise.all([ask('one'), ask('other')]);
    expect(ran).toHaveLength(1);
    expect([one, other].map(({ results }) => results[0]?.id)).toEqual(['one', 'other']);
  });

  it('waits for what another lane is running on the same bytes', async () => {
    const { ctx, ran } = await createCheckContext();
    const other = changeRuns(ctx, { slot: 7, worktrees: ctx.tests.worktrees });
    const [one, two] = await Promise.all([ctx.tests.run(request), other.tests.run(request)]);
    expect(ran).toHaveLength(1);
    expect(two).toEqual(one);
  });

  it('is made by whoever waited for one that was called off', async () => {
    const stop = new AbortController();
    let calls = 0;
    const answer = () => (++calls === 1 ? void stop.abort(new Error('called off')) : {});
    const { ctx, ran } = await createCheckContext({ answer });
    const { worktrees } = ctx.tests;
    const first = changeRuns(ctx, { signal: stop.signal, worktrees }).tests.run(request);
    const second = changeRuns(ctx, { slot: 7, worktrees }).tests.run(request);
    await expect(first).rejects.toThrow('called off');
    expect(await second).toMatchObject({ exitCode: 0 });
    expect(ran).toHaveLength(2);
  });

  it.each<[string, CheckCase]>([
    ['ran out of time', { answer: () => ({ timedOut: true }) }],
    ['was killed', { answer: () => ({ exitCode: null }) }],
    ['left no report', { answer: () => ({ reportProblem: 'no report' }) }],
  ])('asks again after a run that %s', async (_, given) => {
    const { ctx, ran } = await createCheckContext(given);
    await ctx.tests.run(request);
    await ctx.tests.run(request);
    expect(ran).toHaveLength(2);
  });

  it('remembers nothing of a run that was called off', async () => {
    const stop = new AbortController();
    const bench = await createCheckContext({ answer: () => void stop.abort(new Error('called off')) });
    await expect(changeRuns(bench.ctx, { signal: stop.signal }).tests.run(request)).rejects.toThrow(
      'called off',
    );
    await bench.ctx.tests.run(request);
    expect(bench.ran).toHaveLength(2);
  });
});

describe('dependencies', () => {
  it('are installed once for the same lockfile, and again for another', async () => {
    const { ctx, ran } = await createCheckContext(installing);
    await ctx.tests.run(request);
    await ctx.tests.run({ ...request, command: 'test test/old' });
    expect(ran.filter(line => line.startsWith('npm ci'))).toEqual(['npm ci @ pristine-2']);
    await ctx.tests.run({ ...request, tree: JSON.stringify({ ...HEALTHY, 'package.json': '{"a":1}' }) });
    expect(ran.filter(line => line.startsWith('npm ci'))).toHaveLength(2);
  });

  it('without a lockfile are installed again for another manifest', async () => {
    const environment = { ...simPolicy.environment, install: 'npm install --no-package-lock', lockfiles: [] };
    const { ctx, ran } = await createCheckContext({ policy: { environment } });
    await ctx.tests.run(request);
    await ctx.tests.run({ ...request, tree: JSON.stringify({ ...HEALTHY, 'package.json': '{"a":1}' }) });
    expect(ran.filter(line => line.startsWith('npm install'))).toHaveLength(2);
  });

  it('are installed again in a directory that was made anew', async () => {
    const { ctx, ran, git } = await createCheckContext(installing);
    let createdAt = 'first';
    const { pristine } = git.createWorkspace();
    const workspace = {
      ...ctx.ports.workspace,
      pristine: async (slot: number, tree: string) => ({ ...(await pristine(slot, tree)), createdAt }),
    };
    const again = changeRuns(ctx, { ports: { workspace } });
    for (const command of ['a', 'b']) await again.tests.run({ ...request, command });
    expect(ran.filter(line => line.startsWith('npm ci'))).toHaveLength(1);
    createdAt = 'second';
    await again.tests.run({ ...request, command: 'c' });
    expect(ran.filter(line => line.startsWith('npm ci'))).toHaveLength(2);
  });

  it.each<[string, boolean, boolean, readonly string[]]>([
    ['are copied from the base', true, true, ['npm ci @ pristine-3']],
    [
      'are installed where somebody touched them',
      false,
      true,
      ['npm ci @ pristine-3', 'npm ci @ pristine-2'],
    ],
    [
      'are installed where they know their place',
      true,
      false,
      ['npm ci @ pristine-3', 'npm ci @ pristine-2'],
    ],
  ])('%s', async (_, isUntouched, canMove, installs) => {
    const { ctx, ran } = await createCheckContext(installing);
    const workspace = {
      ...ctx.ports.workspace,
      isSealed: async () => isUntouched,
      copyInstalled: async () => canMove,
      watch: async () => async () => ['package.json'],
    };
    const with_ = changeRuns(ctx, { ports: { workspace } });
    await with_.tests.run({ ...request, side: 'base', tree: JSON.stringify(BASE) });
    await with_.tests.run(request);
    expect(ran.filter(line => line.startsWith('npm ci'))).toEqual(installs);
  });

  it('that cannot be installed speak against the candidate, and against the environment on the base', async () => {
    const given = { ...installing, shell: () => ({ exitCode: 1, output: 'no network' }) };
    const { ctx } = await createCheckContext(given);
    const run = await ctx.tests.run(request);
    expect(run.results).toEqual([]);
    expect(run.reportProblem).toContain('no network');
    const onBase = ctx.tests.run({ ...request, side: 'base' });
    await expect(onBase).rejects.toThrow(HarnessError);
  });
});
