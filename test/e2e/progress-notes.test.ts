import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli, runJson } from '../support/cli.ts';
import { makeRepo } from '../support/git-fixture.ts';
import { getNodeFiles } from '../support/node-project.ts';

const NOTES = 'claude-progress.txt';
const HEAD = `${'='.repeat(80)}\nCLAUDE PROGRESS LOG - shop\n${'='.repeat(80)}\n`;

const FEATURES = [1, 2, 4].map(id => ({
  id,
  description: `Number ${id} is known`,
  test_file: `test/${id}.test.mjs`,
  ...(id === 2 ? { depends_on: [1] } : {}),
  passes: false,
}));

const AGENT = `tasks:
  "1":
    attempts:
      - [{ edit: { file: src/1.mjs, content: "export const n = 0;\\n" } }, { give_up: Number 1 is begun }]
      - [{ edit: { file: src/1.mjs, content: "export const n = 1;\\n" } }, { claim: "Number 1 is exported\\n# duration_ms 226.8\\nok 1 - number 1" }]
  "*": [{ edit: { file: src/2.mjs, content: "export const n = 2;\\n" } }, { claim: done }]
`;

it('an entry has what the tests said, how the suite stands after it, and the task that next names', async () => {
  const files = { ...getNodeFiles({ agent: AGENT, features: FEATURES }), [NOTES]: HEAD };
  const dir = makeRepo(files, '--template=');
  await runCli(dir, ['run']);
  const { code, stderr } = await runCli(dir, ['run', '--task', '1']);
  expect([code, stderr]).toEqual([0, expect.stringContaining('landed')]);
  const notes = readFileSync(join(dir, NOTES), 'utf8');
  const [before = '', entry = ''] = notes.split(/^SESSION /m).slice(1);
  expect(before).toMatch(
    /^1 - .*\n-+\n\nFEATURE: #1 [\s\S]*CURRENT STATE:\n- Feature #1 failed: .*Number 1 is begun/,
  );
  expect(entry).toContain('WHAT I DID:\n- Number 1 is exported\n- Changed src/1.mjs\n');
  expect(entry).toMatch(
    /VERIFICATION:\n\$ node --test test\/1\.test\.mjs\ntest\/1\.test\.mjs > number 1 PASSED\n1 pass, 0 fail in [\d.]+ s\n\$ node --test\n2 pass, 2 fail\n\$ harness proof 1\n/,
  );
  expect(entry).toContain('- Tests after this: 2 pass, 2 fail\n');
  const { next } = await runJson<{ next: { id: string } }>(dir, ['next']);
  expect(next.id).toBe('2');
  expect(entry).toContain('NEXT: Feature #2 (Number 2 is known)');
  expect(await runJson(dir, ['audit', '--rerun'])).toMatchObject({ ok: true });
});
