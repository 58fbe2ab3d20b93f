import { describe, expect, it } from 'vitest';
import { createCheckContext } from '../../test/support/check-bench.ts';
import type { HumanAnswer } from '../core/model/facts.ts';
import type { TaskDef } from '../core/model/task.ts';
import { human } from './human.ts';
import type { CheckContext } from './shared/context.ts';

const YES: Omit<HumanAnswer, 'tree'> = { passed: true, by: 'Ada', note: 'looks right' };

async function check(
  task: Partial<TaskDef>,
  getPerson: (ctx: CheckContext) => CheckContext['person'] = () => undefined,
) {
  const { ctx } = await createCheckContext({ task });
  return human({ ...ctx, person: getPerson(ctx) });
}

describe('human', () => {
  it('is nobody’s business for a task that is verified by machine alone', async () => {
    expect(await check({})).toMatchObject({ status: 'skipped' });
  });

  it.each(['hybrid', 'manual'] as const)('asks a person about a %s task', async verificationType => {
    const result = await check({ verificationType, manualChecks: ['the colours match'] });
    expect(result.status).toBe('needs-human');
    expect(result.findings[0]).toBe('look at: the colours match');
    expect(result.findings.at(-1)).toContain('harness approve 1');
  });

  it('takes a yes for exactly this tree', async () => {
    const result = await check({ verificationType: 'hybrid' }, ({ candidate: { tree } }) => ({
      answer: { ...YES, tree },
      shownTree: tree,
    }));
    expect(result).toMatchObject({ status: 'passed', summary: 'Ada looked at it and said yes: looks right' });
  });

  it('asks again when the yes was for another tree', async () => {
    const result = await check({ verificationType: 'hybrid' }, ({ candidate: { tree } }) => ({
      answer: { ...YES, tree: 'what it was yesterday' },
      shownTree: tree,
    }));
    expect(result.status).toBe('needs-human');
  });

  it('carries a yes over to where the harness put the very same work', async () => {
    const person = { answer: { ...YES, tree: 'as shown' }, shownTree: 'as shown' };
    const result = await check({ verificationType: 'hybrid' }, () => person);
    expect(result.status).toBe('passed');
    expect(result.summary).toContain('before it was put onto a newer base');
  });

  it('takes a no for a no', async () => {
    const result = await check({ verificationType: 'manual' }, ({ candidate: { tree } }) => ({
      answer: { ...YES, tree, passed: false, note: 'cut off' },
      shownTree: tree,
    }));
    expect(result).toMatchObject({ status: 'failed', findings: ['cut off'] });
  });
});
