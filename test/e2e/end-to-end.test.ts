import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeProject, runCli } from '../support/cli.ts';

const CONFIG = `project: { name: shop }
testing: { runner: node, full: node --test test/, feature: 'node --test {file}' }
agent: { provider: scripted, script: agent.yaml }
verification: { require_evidence: false }
dev_server: { command: node server.mjs, url: 'http://127.0.0.1:HARNESS_PORT' }
e2e: { command: node --test e2e/shop.test.mjs, artifact_dirs: [shots] }
`;

const getServer = (status: number) => `import { createServer } from 'node:http';
const server = createServer((_, response) => response.writeHead(${status}).end('shop'));
server.listen(Number(process.env.PORT), '127.0.0.1');
`;

const FILES = {
  '.harness.yaml': CONFIG,
  'server.mjs': getServer(200),
  'e2e/shop.test.mjs': `import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
test('the shop is open', async () => {
  const { status } = await fetch('http://127.0.0.1:' + process.env.PORT);
  mkdirSync('shots', { recursive: true });
  writeFileSync('shots/status.txt', String(status));
  assert.equal(status, 200);
});
`,
  'test/old.test.mjs': "import { test } from 'node:test';\ntest('old', () => {});\n",
  'test/add.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.mjs';
test('adds', () => assert.equal(add(2, 3), 5));
`,
  'features.json': JSON.stringify({
    project: 'shop',
    features: [{ id: 1, description: 'Add', test_file: 'test/add.test.mjs', passes: false }],
  }),
  'agent.yaml': JSON.stringify({
    tasks: {
      '1': {
        attempts: [
          [
            { edit: { file: 'src/add.mjs', content: 'export const add = (a, b) => a + b;\n' } },
            { edit: { file: 'server.mjs', content: getServer(404) } },
            { claim: 'done' },
          ],
          [{ edit: { file: 'server.mjs', content: getServer(200) } }, { claim: 'done' }],
        ],
      },
    },
  }),
};

interface Verdict {
  readonly word: string;
  readonly decidedBy: string | null;
  readonly findings: readonly string[];
}

it('work that breaks the running application goes back with what is red, and lands once it is green', async () => {
  const dir = makeProject(FILES);
  const run = await runCli(dir, ['run']);
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('task 1 landed')]);

  const { stdout } = await runCli(dir, ['log', '--json', '--type', 'verdict.given']);
  const verdicts = stdout
    .trimEnd()
    .split('\n')
    .map(line => (JSON.parse(line) as { verdict: Verdict }).verdict);
  expect(verdicts).toMatchObject([{ word: 'rejected', decidedBy: 'e2e' }, { word: 'proven' }]);
  expect(verdicts[0]?.findings.join('\n')).toMatch(
    /the shop is open passes on the base and is red now[\s\S]*404/,
  );

  const proof = JSON.parse((await runCli(dir, ['proof', '1', '--json'])).stdout) as {
    statement: { tests: { e2e: object } };
    record: { artifacts: { path: string }[] };
  };
  const passed = ['e2e/shop.test.mjs > the shop is open'];
  expect(proof.statement.tests.e2e).toEqual({ before: { passed }, after: { passed } });
  const [kept] = proof.record.artifacts.map(({ path }) => join(dir, '.harness', path));
  expect([existsSync(kept ?? ''), readFileSync(kept ?? '', 'utf8')]).toEqual([true, '200']);

  const again = await runCli(dir, ['verify', '1']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('the same as when it landed')]);
});
