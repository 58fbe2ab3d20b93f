import { describe, expect, it } from 'vitest';
import { makeProject, runCli } from '../support/cli.ts';

const CONFIG = `project: { name: sample }
testing: { runner: node, full: node --test, feature: 'node --test {file}', timeout_seconds: 8 }
agent: { provider: scripted, script: agent.yaml }
verification: { require_evidence: false }
`;
const OLD = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { old } from '../src/old.js';
test('old', () => assert.equal(old(), 1));
`;
const getTest = (before: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as source from '../src/old.js';
${before}
test('next is two', () => assert.equal(source.next(), 2));
`;
const RIGHT = 'export const old = () => 1;\nexport const next = () => old() + 1;\n';
/** Right as far as the task's own test can tell. */
const BREAKING = 'export const old = () => 3;\nexport const next = () => 2;\n';

function make(before: string, source: string): string {
  const moves = [{ edit: { file: 'src/old.js', content: source } }, { claim: 'done' }];
  return makeProject({
    '.harness.yaml': CONFIG,
    'features.json': JSON.stringify({
      project: 'sample',
      features: [{ id: 1, description: 'next', test_file: 'test/next.test.js', passes: false }],
    }),
    'agent.yaml': JSON.stringify({ tasks: { '1': moves } }),
    'package.json': '{ "type": "module" }\n',
    'src/old.js': 'export const old = () => 1;\n',
    'test/old.test.js': OLD,
    'test/next.test.js': getTest(before),
  });
}

const BROKEN = [
  ['hangs', 'if (!source.next) setInterval(() => {}, 1000);'],
  ['ends the process', 'if (!source.next) process.exit(3);'],
  ['does not load', 'import { next } from "../src/old.js";\nnext();'],
] as const;

describe.concurrent('an approved test that the base cannot run to its end', { timeout: 240_000 }, () => {
  it.each(BROKEN)('lands good work when it %s there', async (_, before) => {
    const { code, stderr } = await runCli(make(before, RIGHT), ['run']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('task 1 landed')]);
  });

  it.each(BROKEN)('lets no break pass when it %s there', async (_, before) => {
    const { code, stderr } = await runCli(make(before, BREAKING), ['run']);
    expect([code, stderr]).toEqual([5, expect.stringContaining('pass-to-pass')]);
  });
});
