import { describe, expect, it } from 'vitest';
import type { Files } from '../../test/support/bench.ts';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import { protectedFiles } from './protected.ts';

async function check(given: CheckCase) {
  return protectedFiles((await createCheckContext(given)).ctx);
}

function without(files: Files, path: string): Files {
  return Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));
}

const globs = { policy: { protectedGlobs: ['package.json', '*.lock', '**/vitest.config.*'] } };

describe('protected files', () => {
  it.each<[string, CheckCase]>([
    ['only source is changed', {}],
    [
      'code moves to another language',
      {
        base: { ...BASE, 'src/till.js': 'x' },
        candidate: { ...HEALTHY, 'src/till.ts': 'x' },
      },
    ],
    [
      'a new file has the name of one that is no code',
      {
        base: { ...BASE, 'src/till.css': 'x' },
        candidate: { ...HEALTHY, 'src/till.css': 'x', 'src/till.ts': 'y' },
      },
    ],
    [
      'a second test of the same thing is added',
      {
        base: { ...BASE, 'test/cart.test.js': 'x' },
        candidate: { ...HEALTHY, 'test/cart.test.js': 'x', 'test/cart.more.test.js': 'x' },
      },
    ],
    ['a new test is added', { candidate: { ...HEALTHY, 'test/more': 'assert more' } }],
    [
      'its own test file is new',
      { base: without(BASE, 'test/1'), candidate: { ...HEALTHY, 'test/1': 'assert 1' } },
    ],
    ['the progress notes are changed', { candidate: { ...HEALTHY, 'claude-progress.txt': 'done' } }],
    [
      'the task may change the file',
      { candidate: { ...HEALTHY, 'package.json': '{"a":1}' }, task: { mayChange: ['package.json'] } },
    ],
    [
      'the task may change the test',
      { candidate: { ...HEALTHY, 'test/old': 'assert more' }, task: { mayChange: ['test/**'] } },
    ],
    [
      'its own test was only a stub',
      {
        base: { ...BASE, 'test/1': '// harness:stub: no test yet\nfail' },
        candidate: { ...HEALTHY, 'test/1': 'assert 1' },
      },
    ],
    [
      'its own test is changed and the coder owns it',
      { candidate: { ...HEALTHY, 'test/1': 'assert 1 better' }, policy: { testsBy: 'coder' } },
    ],
  ])('are untouched when %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ status: 'passed', findings: [] });
  });

  it.each<[string, CheckCase, string]>([
    [
      'the stub of another task is written over',
      {
        base: { ...BASE, 'test/2': '// harness:stub: no test yet' },
        candidate: { ...HEALTHY, 'test/2': 'assert 2' },
      },
      'test/2 was modified',
    ],
    [
      'an environment is added',
      { policy: { protectedGlobs: ['**/.env*'] }, candidate: { ...HEALTHY, '.env.test': 'KEY=' } },
      '.env.test was added',
    ],
    [
      'a config is changed',
      { candidate: { ...HEALTHY, 'package.json': '{"a":1}' } },
      'package.json was modified',
    ],
    [
      'a config deep down is changed',
      {
        base: { ...BASE, 'apps/web/package.json': '{}' },
        candidate: { ...HEALTHY, 'apps/web/package.json': '{"a":1}' },
      },
      'apps/web/package.json was modified',
    ],
    ['a config is deleted', { candidate: without(HEALTHY, 'package.json') }, 'package.json was deleted'],
    ['a lockfile is added', { ...globs, candidate: { ...HEALTHY, 'yarn.lock': '' } }, 'yarn.lock was added'],
    [
      'a runner config is added',
      { ...globs, candidate: { ...HEALTHY, 'web/vitest.config.ts': '' } },
      'web/vitest.config.ts was added',
    ],
    [
      'a name differs from a helper only in its capitals',
      {
        base: { ...BASE, 'test/kit.js': 'x' },
        candidate: { ...HEALTHY, 'test/kit.js': 'x', 'test/Kit.js': 'y' },
      },
      'test/Kit.js is test/kit.js on a disk that ignores capitals',
    ],
    [
      'a protected file is added in capitals',
      { ...globs, candidate: { ...HEALTHY, 'Yarn.lock': '' } },
      'Yarn.lock was added',
    ],
    [
      'a helper in the folder of tests is changed',
      { base: { ...BASE, 'test/kit.js': 'x' }, candidate: { ...HEALTHY, 'test/kit.js': 'y' } },
      'test/kit.js was modified; it lies among the tests',
    ],
    [
      'an old test is changed',
      { candidate: { ...HEALTHY, 'test/old': 'weakened' } },
      'test/old was modified',
    ],
    ['an old test is deleted', { candidate: without(HEALTHY, 'test/old') }, 'test/old was deleted'],
    [
      'its own approved test is changed',
      { candidate: { ...HEALTHY, 'test/1': 'weakened' } },
      'test/1 was modified',
    ],
    [
      'its own test, which another author wrote, is changed',
      { candidate: { ...HEALTHY, 'test/1': 'weakened' }, policy: { testsBy: 'separate-author' } },
      'test/1 was modified',
    ],
    [
      'its own test lies outside the test folders and is changed',
      {
        base: { ...BASE, 'spec/1': 'assert' },
        candidate: { ...HEALTHY, 'spec/1': 'weakened' },
        task: { testFile: 'spec/1' },
      },
      'spec/1 was modified',
    ],
    [
      'the coder deletes its own test',
      { candidate: without(HEALTHY, 'test/1'), policy: { testsBy: 'coder' } },
      'test/1 was deleted',
    ],
    [
      "the coder changes another task's test",
      { candidate: { ...HEALTHY, 'test/old': 'weakened' }, policy: { testsBy: 'coder' } },
      'test/old was modified',
    ],
    [
      'a nested repository is added, even where the task may change files',
      {
        candidate: { ...HEALTHY, 'vendor/lib': 'commit' },
        modes: { 'vendor/lib': '160000' },
        task: { mayChange: ['**'] },
      },
      'nested repository',
    ],
  ])('are guarded when %s', async (_, given, finding) => {
    const result = await check(given);
    expect(result.status).toBe('failed');
    expect(result.findings.join('\n')).toContain(finding);
  });

  it.each([
    ['src/link', 'old', false],
    ['src/link', '../package.json', false],
    ['src/link', '..', false],
    ['src/link', './../test/old', false],
    ['src/link', '../..', true],
    ['src/link', '../../other/project', true],
    ['link', '../secret', true],
    ['src/link', '/etc/passwd', true],
    ['src/link', 'deep/../../../secret', true],
    ['src/link', 'dot/../secret', true],
    ['a/b/link', '../../c', false],
  ])('hold a link from %s to %s to the project: outside is %s', async (path, target, isOutside) => {
    const given = { candidate: { ...HEALTHY, [path]: target }, modes: { [path]: '120000' } };
    const result = await check({ ...given, task: { mayChange: ['**'] } });
    expect(result.status).toBe(isOutside ? 'failed' : 'passed');
    if (isOutside) expect(result.findings[0]).toContain('points outside the project');
  });

  it('are not led outside by the notes, though anyone may write those', async () => {
    const notes = 'claude-progress.txt';
    const given = { candidate: { ...HEALTHY, [notes]: '/etc/passwd' }, modes: { [notes]: '120000' } };
    expect((await check(given)).status).toBe('failed');
  });

  it.each([
    ['left as it was written', { 'test/1': 'assert 1' }, {}, 'passed'],
    ['changed', { 'test/1': 'weakened' }, {}, 'failed'],
    ['taken away', {}, {}, 'failed'],
    ['changed where the task may', { 'test/1': 'better' }, { mayChange: ['test/1'] }, 'passed'],
  ])('judge a test that an author wrote for this task: %s', async (_, test, task, status) => {
    const { 'test/1': __, ...without } = HEALTHY;
    const { 'test/1': ___, ...base } = BASE;
    const { ctx } = await createCheckContext({ base, candidate: { ...without, ...test }, task });
    const result = await protectedFiles({ ...ctx, attempt: { tests: { 'test/1': 'assert 1' } } });
    expect(result.status).toBe(status);
    if (status === 'failed') expect(result.findings[0]).toContain('ask a person: may_change');
  });
});
