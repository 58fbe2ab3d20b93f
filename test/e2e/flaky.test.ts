import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getBacklog, makeProject, runCli, runJson } from '../support/cli.ts';
import { makeTempDir } from '../support/git-fixture.ts';

const CONFIG = `project: { name: sample }
testing: { runner: node, full: node --test, feature: "node --test {file}" }
sandbox: { mode: 'off' }
verification: { require_evidence: false }
agent: { provider: scripted, script: agent.yaml }
attempts: { max_attempts: 1 }
`;

/** A test that passes, and says no every so many times it is run where `when` holds. */
function makeTest(counter: string, when: string, first: 'yes' | 'no' = 'yes', every = 2): string {
  return `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
test('it holds', () => {
  const done = existsSync('src/1.mjs');
  if (!(${when})) return;
  appendFileSync(${JSON.stringify(counter)}, '.');
  if (readFileSync(${JSON.stringify(counter)}, 'utf8').length % ${every} === ${first === 'yes' ? 0 : 1}) throw new Error('not this time');
});
`;
}

const OWN = `import assert from 'node:assert';
import { test } from 'node:test';
test('thing 1', async () => assert.equal((await import('../src/1.mjs')).one, 1));
`;

function makeFlaky(files: Readonly<Record<string, string>>, edit = 'export const one = 1;'): string {
  const features = [{ id: 1, description: 'Thing 1', test_file: 'test/1.test.mjs', passes: false }];
  return makeProject({
    '.harness.yaml': CONFIG,
    'features.json': getBacklog(features),
    'src/old.mjs': 'export const old = 1;\n',
    'test/1.test.mjs': OWN,
    'agent.yaml': `tasks: { "1": [{ edit: { file: src/1.mjs, content: "${edit}\\n" } }, { claim: done }] }\n`,
    ...files,
  });
}

async function run(dir: string) {
  const { attempts } = await runJson<{ attempts: { outcome: string }[] }>(dir, ['run']);
  const { stdout } = await runCli(dir, ['log', '--json', '--type', 'verdict.given,test.quarantined']);
  return { outcome: attempts[0]?.outcome, log: stdout };
}

describe.concurrent('a flaky test', () => {
  it('that was so before does not block, and is put aside with the evidence', async () => {
    const counter = join(makeTempDir(), 'runs');
    // Yes to the baseline and to the look at one file alone, no to the suite with the change.
    const dir = makeFlaky({ 'test/old.test.mjs': makeTest(counter, 'true', 'yes', 3) });
    expect((await run(dir)).outcome).toBe('landed');
    const { tests } = JSON.parse(readFileSync(join(dir, '.harness', 'quarantine.json'), 'utf8'));
    expect(tests).toMatchObject([{ id: 'test/old.test.mjs > it holds', quarantined: true, released: null }]);
    const outcomes = tests[0].evidence.map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual(expect.arrayContaining(['passed', 'failed']));
    expect(await runJson(dir, ['status'])).toMatchObject({ quarantined: 1 });
    expect((await runCli(dir, ['status'])).stdout).toContain('1 flaky test neither blocks nor proves');
  });

  it('that only the change made so blocks it', async () => {
    const counter = join(makeTempDir(), 'runs');
    const test = `import '../src/old.mjs';\n${makeTest(counter, 'done', 'no')}`;
    const dir = makeFlaky({ 'test/old.test.mjs': test });
    const { outcome, log } = await run(dir);
    expect(outcome).toBe('rejected');
    expect(log).toContain('flaky: test/old.test.mjs > it holds passes on the base');
    expect(log).not.toContain('test.quarantined');
  });

  it('that opens what was changed by a name it finds in data blocks it', async () => {
    const counter = join(makeTempDir(), 'runs');
    const plugin = `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(counter)}, '.');
if (readFileSync(${JSON.stringify(counter)}, 'utf8').length % 2 === 0) process.exit(1);
`;
    const dir = makeFlaky({
      'plugins/vat.mjs': 'process.exit(0);\n',
      'places.json': '{ "tax": ["plugins", "vat.mjs"] }\n',
      'test/old.test.mjs': `import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
const places = JSON.parse(readFileSync('places.json', 'utf8'));
test('it holds', () => { execFileSync(process.execPath, [places.tax.join('/')]); });
`,
      'agent.yaml': JSON.stringify({
        tasks: {
          1: [
            { edit: { file: 'src/1.mjs', content: 'export const one = 1;\n' } },
            { edit: { file: 'plugins/vat.mjs', content: plugin } },
            { claim: 'done' },
          ],
        },
      }),
    });
    const { outcome, log } = await run(dir);
    expect(outcome).toBe('rejected');
    expect(log).toContain('flaky: test/old.test.mjs > it holds passes on the base');
    expect(log).not.toContain('test.quarantined');
  });

  it('never proves its own task', async () => {
    const counter = join(makeTempDir(), 'runs');
    const own = makeTest(counter, 'done').replace('if (!(done)) return;', 'if (!done) throw new Error();');
    const dir = makeFlaky({ 'test/1.test.mjs': own });
    const { outcome, log } = await run(dir);
    expect(outcome).toBe('rejected');
    expect(log).toContain('flaky: test/1.test.mjs > it holds passed, and in the whole suite it was failed');
  });
});

describe.concurrent('a steady test', () => {
  it('that the change breaks is a regression', async () => {
    const breaking = `import { existsSync } from 'node:fs';
import { test } from 'node:test';
test('it holds', () => { if (existsSync('src/1.mjs')) throw new Error('broken'); });
`;
    const dir = makeFlaky({ 'test/old.test.mjs': breaking });
    const { outcome, log } = await run(dir);
    expect(outcome).toBe('rejected');
    expect(log).toContain('test/old.test.mjs > it holds passed before and is now failed');
  });
});
