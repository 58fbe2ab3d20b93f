import { describe, expect, it } from 'vitest';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import type { TestResult } from '../core/testing.ts';
import { passToPass } from './pass-to-pass.ts';

/** A test file lists the names of its tests; each passes unless the source says that it is broken. */
const answer: NonNullable<CheckCase['answer']> = ({ command }, files) => {
  const only = /^test (\S+)$/.exec(command)?.[1];
  const results: TestResult[] = [];
  for (const [path, text] of Object.entries(files)) {
    if (!path.startsWith('test/') || (only !== undefined && path !== only)) continue;
    for (const name of text.split(' ')) {
      const isRed = files['src/broken']?.split(' ').includes(name) || (name === 'one' && !files['src/1']);
      results.push({ id: `${path} > ${name}`, outcome: isRed ? 'failed' : 'passed' });
    }
  }
  return { results };
};

const base = { ...BASE, 'test/1': 'one old-case', 'test/old': 'x y' };
const work = { ...HEALTHY, ...base, 'src/1': 'good' };
const baseline = {
  passing: ['test/1 > old-case', 'test/old > x', 'test/old > y'],
  failing: ['test/1 > one'],
};

async function check(candidate: Record<string, string>, given: CheckCase = {}) {
  const { ctx, ran } = await createCheckContext({ base, candidate, baseline, answer, ...given });
  return { ...(await passToPass(ctx)), ran };
}

const coder: CheckCase = { policy: { testsBy: 'coder' } };

describe('existing tests that the candidate changed', () => {
  it('are run as the base has them, and cost nothing where none was changed', async () => {
    const purpose = (lines: readonly string[]) => lines.filter(line => line.startsWith('test test/1'));
    const untouched = await check(work, coder);
    const rewritten = await check({ ...work, 'test/1': 'one old-case more' }, coder);
    expect(rewritten.status).toBe('passed');
    expect(purpose(rewritten.ran).length).toBe(purpose(untouched.ran).length + 1);
  });

  it('cannot hide that what they tested no longer works', async () => {
    const hiding = { ...work, 'test/1': 'one other-case', 'src/broken': 'old-case' };
    const result = await check(hiding, coder);
    expect(result.status).toBe('failed');
    expect(result.findings).toContain('test/1 > old-case, as it was on the base, no longer passes');
  });

  it('may lose tests where the task says that the file may change', async () => {
    const leaner = { ...work, 'test/old': 'x z' };
    expect((await check(leaner, { task: { mayChange: ['test/old'] } })).status).toBe('passed');
    const result = await check(leaner);
    expect(result.findings).toContain('test/old > y passed before and is now gone');
  });

  it('may not fail or be skipped, whatever the task may change', async () => {
    const broken = { ...work, 'test/old': 'x y z', 'src/broken': 'y' };
    const result = await check(broken, { task: { mayChange: ['test/old'] } });
    expect(result.findings).toContain('test/old > y passed before and is now failed');
  });
});
