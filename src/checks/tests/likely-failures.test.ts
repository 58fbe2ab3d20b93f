import { describe, expect, it } from 'vitest';
import { type CheckCase, createCheckContext } from '../../../test/support/check-bench.ts';
import type { TestResult } from '../../core/model/testing.ts';
import { passToPass } from '../pass-to-pass.ts';

const MANY = Array.from({ length: 40 }, (_, i) => `test/t${i}.js`);

/** Forty tests of nothing in particular, one that uses `a`, and one of the task's own. */
const base = {
  'features.json': '{}',
  'src/a.js': 'good',
  'test/a.test.js': "import '../src/a.js'",
  'test/1.js': '',
  ...Object.fromEntries(MANY.map(path => [path, ''])),
};
const ALL = ['test/a.test.js', ...MANY];
const baseline = { passing: ALL, failing: ['test/1.js'] };

const answer: NonNullable<CheckCase['answer']> = ({ command }, files) => {
  const only = command.split(' ').slice(1);
  const results = [...ALL, 'test/1.js']
    .filter(id => files[id] !== undefined && (only.length === 0 || only.includes(id)))
    .map((id): TestResult => {
      const isRed =
        id === 'test/a.test.js' ? files['src/a.js'] === 'bad' : id === 'test/1.js' && !files['src/1'];
      return { id, outcome: isRed ? 'failed' : 'passed', ...(isRed ? { message: 'expected good' } : {}) };
    });
  return { results, durationMs: 60_000 };
};

async function check(change: Record<string, string>, given: CheckCase = {}) {
  const candidate = { ...base, 'src/1': 'x', ...change };
  const task = { testFile: 'test/1.js' };
  const { ctx, ran } = await createCheckContext({ base, candidate, task, baseline, answer, ...given });
  await ctx.tests.suite({ side: 'base', tree: ctx.baseTree });
  ran.length = 0;
  return { result: await passToPass(ctx), ran, ctx };
}

describe('likely failures', () => {
  it('are looked for first, and save the suite when they are real', async () => {
    const { result, ran } = await check({ 'src/a.js': 'bad' });
    expect(result).toMatchObject({ status: 'failed', commands: ['test test/a.test.js'] });
    expect(result.summary).toContain('the rest of the suite was not run');
    expect(result.findings).toEqual(['test/a.test.js passed before and is now failed — expected good']);
    expect(ran).not.toContain('test @ pristine-2');
  });

  it('that are none prove nothing: the whole suite is run', async () => {
    const { result, ran } = await check({ 'src/a.js': 'better' });
    expect(result.status).toBe('passed');
    expect(ran.filter(line => line === 'test test/a.test.js @ pristine-2')).toHaveLength(1);
    expect(ran).toContain('test @ pristine-2');
  });

  it('that do not stay so end nothing early', async () => {
    let runs = 0;
    const once: CheckCase['answer'] = (request, files) => {
      const isFirst = request.command === 'test test/a.test.js' && runs++ === 0;
      return answer(request, isFirst ? { ...files, 'src/a.js': 'bad' } : files);
    };
    const { result, ran } = await check({ 'src/a.js': 'better' }, { answer: once });
    expect(result.status).toBe('passed');
    expect(ran).toContain('test @ pristine-2');
  });

  it('are not looked for where nothing uses the change', async () => {
    const { ran } = await check({ 'src/b.js': 'new' });
    expect(ran.filter(line => line.startsWith('test test/a'))).toEqual([]);
  });

  it('are not looked for ahead of a suite that is short, or has been run', async () => {
    const short = await check(
      { 'src/a.js': 'better' },
      { answer: (request, files) => ({ ...answer(request, files), durationMs: 100 }) },
    );
    expect(short.ran.filter(line => line.startsWith('test test/a'))).toEqual([]);
    const { ctx, ran } = await check({ 'src/a.js': 'better' });
    ran.length = 0;
    await passToPass(ctx);
    expect(ran).toEqual([]);
  });

  it('begin with what failed the last time', async () => {
    const { ctx, ran } = await check({ 'src/a.js': 'bad' });
    const tree = JSON.stringify({ ...base, 'src/1': 'x', 'src/b.js': 'new' });
    ran.length = 0;
    const changes = [{ path: 'src/b.js', kind: 'added', mode: '100644' }] as const;
    await passToPass({ ...ctx, candidate: { ...ctx.candidate, tree, commit: tree }, changes });
    expect(ran.filter(line => line === 'test test/a.test.js @ pristine-2')).toHaveLength(1);
  });
});
