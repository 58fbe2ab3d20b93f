// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the placeholders under test
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandEnv } from './expand-env.ts';
import { parseConfig } from './load.ts';

describe('expandEnv', () => {
  const env = { A: 'one', B: 'two', EMPTY: '', TRICK: '${A} $& $1' };

  it.each([
    ['plain', 'plain'],
    ['${A}', 'one'],
    ['x-${A}-${B}-y', 'x-one-two-y'],
    ['${EMPTY}', ''],
    ['${EMPTY:-d}', 'd'],
    ['${NONE:-d e}', 'd e'],
    ['${NONE:-}', ''],
    ['${A:-d}', 'one'],
    ['$${A}', '${A}'],
    ['$${A} ${A}', '${A} one'],
    ['$A $(x) ${1} ${file%.ts} ${#A}', '$A $(x) ${1} ${file%.ts} ${#A}'],
    ['${TRICK}', '${A} $& $1'],
    ['${A', '${A'],
  ])('%s becomes %s', (text, expected) => {
    expect(expandEnv(text, env)).toMatchObject({ value: expected, problems: [] });
  });

  it('names every missing variable and its field, also inside lists', () => {
    const { problems } = expandEnv({ a: { b: ['x', '${NO} ${NEITHER}'] }, c: '${NO}' }, env);
    expect(problems.map(problem => [problem.field, problem.message])).toEqual([
      ['a.b.1', 'needs the environment variable NO, which is not set'],
      ['a.b.1', 'needs the environment variable NEITHER, which is not set'],
      ['c', 'needs the environment variable NO, which is not set'],
    ]);
  });

  it('leaves numbers, booleans, null and keys alone', () => {
    const value = { '${A}': 1, b: true, c: null, d: [2] };
    expect(expandEnv(value, env).value).toEqual(value);
  });

  it('never expands what came out of a variable', () => {
    fc.assert(
      fc.property(fc.string(), content => {
        expect(expandEnv('[${V}]', { V: content }).value).toBe(`[${content}]`);
      }),
    );
  });

  it('fills numbers and switches as well as texts', () => {
    const text =
      'project: { name: x }\ncosts: { per_session_usd: "${USD}" }\nquality: { lint_blocks: "${BLOCK}" }\n';
    const config = parseConfig(text, '.harness.yaml', { USD: '2.5', BLOCK: 'true' });
    expect([config.costs.per_session_usd, config.quality.lint_blocks]).toEqual([2.5, true]);
  });

  it('keeps a number that was meant as text a text', () => {
    const text = 'project: { name: "${N}" }\nstateDir: "${N}"\nbudget: { ceilingTokens: "${N}" }\n';
    const config = parseConfig(text, '.harness.yaml', { N: '42' });
    expect([config.project.name, config.paths.state_dir, config.costs.ceiling_tokens]).toEqual([
      '42',
      '42',
      42,
    ]);
  });
});
