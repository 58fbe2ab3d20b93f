import { describe, expect, it } from 'vitest';
import {
  BASE,
  type CheckCase,
  changeRuns,
  createCheckContext,
  HEALTHY,
} from '../../../test/support/check-bench.ts';
import type { TestResult } from '../../core/model/testing.ts';
import { passToPass } from '../pass-to-pass.ts';

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
    const suites = (lines: readonly string[]) => lines.filter(line => line === 'test @ pristine-2');
    const untouched = await check(work, coder);
    const rewritten = await check({ ...work, 'test/1': 'one old-case more' }, coder);
    expect(rewritten.status).toBe('passed');
    expect(suites(rewritten.ran).length).toBe(suites(untouched.ran).length + 1);
  });

  it('have to pass without the help of tests that came with the change', async () => {
    const repairs: typeof answer = (request, files) =>
      answer(request, files['test/a'] ? { ...files, 'src/broken': '' } : files);
    const given = { ...work, 'src/broken': 'y' };
    const result = await check({ ...given, 'test/a': 'patch' }, { answer: repairs });
    expect(result.status).toBe('failed');
    expect(result.findings).toEqual(["test/old > y no longer passes where only the base's tests are run"]);
    expect((await check({ ...work, 'test/a': 'patch' }, { answer: repairs })).status).toBe('passed');
  });

  it('do not count where the run wrote over the code that it judged', async () => {
    const { ctx } = await createCheckContext({ base, candidate: work, baseline, answer });
    const judge = async (wrote: (slot: number) => readonly string[]) => {
      const workspace = { ...ctx.ports.workspace, findWritten: async (slot: number) => wrote(slot) };
      return passToPass(changeRuns(ctx, { ports: { workspace } }));
    };
    expect(await judge(slot => (slot === 2 ? ['src/till.js'] : []))).toMatchObject({
      status: 'failed',
      findings: ['src/till.js was written over while the tests ran: they passed on something else'],
    });
    const harmless = (slot: number) => (slot === 2 ? ['coverage/all.txt'] : []);
    for (const wrote of [() => ['src/version.js'], harmless]) {
      const fresh = await createCheckContext({ base, candidate: work, baseline, answer });
      const workspace = { ...fresh.ports.workspace, findWritten: async (slot: number) => wrote(slot) };
      const result = await passToPass(changeRuns(fresh.ctx, { ports: { workspace } }));
      expect(result.status).toBe('passed');
    }
  });

  it('cannot hide that what they tested no longer works', async () => {
    const hiding = { ...work, 'test/1': 'one old-case weak', 'src/broken': 'old-case' };
    const blunt: typeof answer = (request, files) =>
      answer(request, files['test/1']?.includes('weak') ? { ...files, 'src/broken': '' } : files);
    const result = await check(hiding, { ...coder, answer: blunt });
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
