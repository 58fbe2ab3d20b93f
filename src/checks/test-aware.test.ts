import { describe, expect, it } from 'vitest';
import { simPolicy } from '../../test/sim/sim-policy.ts';
import { BASE, type CheckCase, createCheckContext, HEALTHY } from '../../test/support/check-bench.ts';
import { createRandom } from '../adapters/process/random.ts';
import { createSources } from '../adapters/source/sources.ts';
import type { TestRun } from '../core/model/testing.ts';
import { getVerdict } from '../core/model/verdict.ts';
import type { TestRequest } from '../ports/index.ts';
import { runChecks } from './run/run-checks.ts';
import { testAware } from './test-aware.ts';

const sources = createSources({ workerId: 'w-names', random: createRandom() }, process.cwd());

async function open(given: CheckCase) {
  const bench = await createCheckContext(given);
  return { ...bench, ctx: { ...bench.ctx, ports: { ...bench.ctx.ports, sources } } };
}

async function check(given: CheckCase) {
  return testAware((await open(given)).ctx);
}

const SLY = 'export const sum = () => process.env.VITEST ? 3 : 0;\n';
const HONEST = 'export const sum = (a, b) => a + b;\n';

describe('test-aware', () => {
  it('refuses new product code that asks whether it is under test, and names the file', async () => {
    const result = await check({ candidate: { ...HEALTHY, 'lib/sum.js': `${HONEST}${SLY}` } });
    expect(result.status).toBe('failed');
    expect(result.findings[0]).toBe('lib/sum.js asks for VITEST');
  });

  it.each<[string, CheckCase]>([
    ['honest code', { candidate: { ...HEALTHY, 'lib/sum.js': HONEST } }],
    ['a test that imports its runner', { candidate: { ...HEALTHY, 'test/more.js': "import 'vitest';" } }],
    [
      'what was there before',
      {
        base: { ...BASE, 'lib/sum.js': SLY },
        candidate: { ...HEALTHY, 'lib/sum.js': `${SLY}${HONEST}` },
      },
    ],
    [
      'what was there under another name',
      { base: { ...BASE, 'lib/sum.js': SLY }, candidate: { ...HEALTHY, 'lib/total.js': `${SLY}${HONEST}` } },
    ],
    ['data', { candidate: { ...HEALTHY, 'lib/sum.bin.js': `\0${SLY}` } }],
  ])('has nothing against %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ status: 'passed', findings: [] });
  });

  it.each<[string, string]>([
    ['lib/a.js', 'export const w = process.env["JEST_WORKER_ID"];'],
    ['lib/a.js', 'export const { NODE_TEST_CONTEXT: on } = process.env;'],
    ['lib/a.ts', "import { it } from 'vitest'; export const x: unknown = it;"],
    ['lib/a.cjs', "module.exports = require('node:test');"],
    ['lib/a.js', "export const load = () => import('@jest/globals');"],
    ['lib/a.js', "export const t = process.getBuiltinModule('node:test');"],
    ['lib/a.py', "import os\non = os.environ.get('PYTEST_CURRENT_TEST')\n"],
    ['lib/a.py', 'import _pytest.monkeypatch\n'],
  ])('refuses %s: %s', async (path, text) => {
    expect((await check({ candidate: { ...HEALTHY, [path]: text } })).status).toBe('failed');
  });

  it.each<[string, string]>([
    ['lib/a.js', 'export const first = `import { it } from "vitest";\\nit("works");`;'],
    ['lib/a.js', "export const files = name => [name + '.test.js', 'index.test.js'];"],
    ['lib/a.js', "export const maps = () => readFileSync('/proc/self/maps', 'utf8');"],
    ['lib/a.js', 'export const latest = 5; // set VITEST to see more'],
    ['lib/a.py', 'HELP = "set PYTEST_CURRENT_TEST to see more"\n'],
  ])('has nothing against %s: %s', async (path, text) => {
    expect((await check({ candidate: { ...HEALTHY, [path]: text } })).status).toBe('passed');
  });

  describe('without a suite', () => {
    const validated = (
      more: Readonly<Record<string, string>>,
      command = 'node --test spec/sum.test.js',
    ): CheckCase => ({
      candidate: { ...HEALTHY, ...more },
      policy: { testing: { ...simPolicy.testing, runner: 'command', full: null, feature: null } },
      baseline: { passing: [], failing: [] },
      task: {
        testFile: null,
        validation: { command, timeoutSeconds: 9 },
      },
      answer: ({ runner }) => {
        const id = runner === 'node' ? 'spec/sum.test.js > sums' : 'validation';
        return { results: [{ id, outcome: 'passed' }] };
      },
    });
    const TEST = "import 'node:test';\nimport { sum } from '../lib/sum.js';\n";

    it('has nothing against a test that the validation runs', async () => {
      const given = validated({ 'lib/sum.js': HONEST, 'spec/sum.test.js': TEST });
      expect(await check(given)).toMatchObject({ status: 'passed', findings: [] });
    });

    it.each([
      ['npm test', { 'package.json': '{"type":"module","scripts":{"test":"node --test spec/"}}' }],
      ['make test', { Makefile: 'test:\n\tnode --test spec/\n' }],
    ])('has nothing against one that the validation runs behind %s', async (command, files) => {
      const work = { 'lib/sum.js': HONEST, 'spec/sum.test.js': TEST };
      const given = validated({ ...files, ...work }, command);
      const result = await check({ ...given, base: { ...BASE, ...files } });
      expect(result).toMatchObject({ status: 'passed', findings: [] });
      const cheat = { ...files, 'lib/sum.js': "import 'node:test';", 'spec/sum.test.js': TEST };
      const refused = await check({ ...validated(cheat, command), base: { ...BASE, ...files } });
      expect(refused.findings[0]).toBe('lib/sum.js loads node:test');
    });

    it.each<[string, Readonly<Record<string, string>>]>([
      ['lib/sum.js', { 'lib/sum.js': "import 'node:test';", 'spec/sum.test.js': TEST }],
      ['spec/sum.test.js', { 'lib/sum.js': "import '../spec/sum.test.js';", 'spec/sum.test.js': TEST }],
      ['spec/seen.js', { 'lib/sum.js': "import '../spec/seen.js';", 'spec/seen.js': "import 'node:test';" }],
    ])('refuses %s that the product uses', async (path, files) => {
      const result = await check(validated(files));
      expect(result.status).toBe('failed');
      expect(result.findings[0]).toBe(`${path} loads node:test`);
    });
  });

  it('leaves a package alone that the project hands on to its users', async () => {
    const manifest = '{"peerDependencies":{"vitest":"*"}}';
    const base = { ...BASE, 'package.json': manifest };
    const candidate = { ...HEALTHY, 'package.json': manifest, 'lib/matchers.js': "import 'vitest';" };
    expect((await check({ base, candidate })).status).toBe('passed');
  });

  it('warns or is silent where the project says so', async () => {
    const candidate = { ...HEALTHY, 'lib/sum.js': SLY };
    expect((await check({ candidate, policy: { testAware: 'warn' } })).status).toBe('warned');
    expect((await check({ candidate, policy: { testAware: 'off' } })).status).toBe('skipped');
  });

  it.each([
    ['CI', 'unset CI; test test/1'],
    ['NODE_ENV', 'export NODE_ENV=development; test test/1'],
  ])('runs the tests where %s says something else when new code reads it', async (name, command) => {
    const candidate = {
      ...HEALTHY,
      'lib/sum.js': `export const sum = () => (process.env.${name} ? 3 : 0);\n`,
    };
    const answer =
      (works: boolean) =>
      (request: TestRequest): Partial<TestRun> => ({
        results: [
          { id: 'test/1', outcome: works || !/^(unset|export) /.test(request.command) ? 'passed' : 'failed' },
        ],
      });
    const { ctx, ran } = await open({ candidate, answer: answer(true) });
    expect(['passed', 'warned']).toContain((await testAware(ctx)).status);
    expect(ran.map(line => line.split(' @ ')[0])).toEqual(['test test/1', command]);
    expect(await check({ candidate, answer: answer(false) })).toMatchObject({
      status: 'needs-human',
      summary: `the tests pass only where ${name} says that they are tests`,
    });
  });

  it('is what keeps such code from landing', async () => {
    const { ctx } = await open({ candidate: { ...HEALTHY, 'lib/sum.js': SLY } });
    expect(getVerdict(await runChecks(ctx))).toMatchObject({ word: 'rejected', decidedBy: 'test-aware' });
    const without = new Set(['test-aware', 'mutation'] as const);
    expect(getVerdict(await runChecks({ ...ctx, without })).word).toBe('proven');
  });
});
