import { describe, expect, it } from 'vitest';
import { BASE, type CheckCase, createCheckContext } from '../../test/support/check-bench.ts';
import { failToPass } from './fail-to-pass.ts';
import { lint } from './lint-and-types.ts';
import { protectedFiles } from './protected.ts';
import type { Check } from './shared/context.ts';
import { size } from './size.ts';

const TASK = { kind: 'cleanup', testFile: null, validation: null } as const;
const TIDIED = { ...BASE, 'src/old': 'good', 'src/tidy': 'good' };

async function ask(check: Check, given: CheckCase = {}) {
  const { ctx } = await createCheckContext({ candidate: TIDIED, task: TASK, ...given });
  return check(ctx);
}

describe('a clean-up', () => {
  it.each<[string, Check, CheckCase, string]>([
    ['needs no test that turns green', failToPass, {}, 'passed'],
    ['needs tests that hold what is there', failToPass, { baseline: { passing: [] } }, 'failed'],
    ['may change code', protectedFiles, {}, 'passed'],
    ['may not add a test', protectedFiles, { candidate: { ...TIDIED, 'test/new': 'x' } }, 'failed'],
    ['may not change a test', protectedFiles, { candidate: { ...TIDIED, 'test/old': 'x' } }, 'failed'],
    ['may not leave a file too long', size, { candidate: { ...BASE, 'src/x': 'x\n'.repeat(501) } }, 'failed'],
    [
      'may not make the linter complain',
      lint,
      {
        policy: { lintCommand: 'lint', lintBlocks: false },
        answer: (_, files) => ({ exitCode: files['src/tidy'] ? 1 : 0, outputTail: 'unused' }),
      },
      'failed',
    ],
  ])('%s', async (_, check, given, status) => {
    expect((await ask(check, given)).status).toBe(status);
  });

  it('is the only one held to that: a task may add tests', async () => {
    const candidate = { ...TIDIED, 'test/new': 'x' };
    const { ctx } = await createCheckContext({ candidate });
    expect((await protectedFiles(ctx)).status).toBe('passed');
  });
});

describe('an objective', () => {
  const task = {
    kind: 'loop',
    testFile: null,
    validation: { command: './check', timeoutSeconds: 9 },
  } as const;

  it.each<[string, number, number, string]>([
    ['is reached when its check turns green', 1, 0, 'passed'],
    ['is a matter for a person when its check was green before', 0, 0, 'needs-human'],
    ['is not reached while its check is red', 1, 1, 'failed'],
  ])('%s', async (_, before, after, status) => {
    const answer: NonNullable<CheckCase['answer']> = (_command, files) => {
      const exitCode = files['src/tidy'] ? after : before;
      const outcome = exitCode === 0 ? 'passed' : 'failed';
      return { exitCode, results: [{ id: 'validation: ./check', outcome }] };
    };
    expect((await ask(failToPass, { task, answer })).status).toBe(status);
  });

  it('does not make a task of the backlog pass whose check proves nothing', async () => {
    const listed = { testFile: null, validation: task.validation };
    const answer: NonNullable<CheckCase['answer']> = () => ({
      exitCode: 0,
      results: [{ id: 'validation: ./check', outcome: 'passed' }],
    });
    expect((await ask(failToPass, { task: listed, answer })).status).toBe('needs-human');
  });
});
