import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CONFIG, commit, makeProject, runCli, runJson } from '../support/cli.ts';

const LONG = 'x\n'.repeat(600);

it('all files are measured from the first look, and those that were there came with no session', async () => {
  const dir = makeProject({ 'src/long.txt': LONG, 'package-lock.json': LONG });
  const read = () => JSON.parse(readFileSync(join(dir, '.harness', 'file_sizes.json'), 'utf8')).files;
  await runCli(dir, ['run']);
  expect(read()).toMatchObject({
    'src/long.txt': { lines: 600, session_added: 0 },
    'test/thing-3.sh': { lines: 1, session_added: 0 },
    'src/1.txt': { lines: 1, session_added: 1 },
  });
  expect(Object.keys(read())).not.toEqual(expect.arrayContaining(['package-lock.json', 'features.json']));
  expect(await runJson(dir, ['health'])).toMatchObject({
    largest: [{ path: 'src/long.txt', lines: 600, isOversized: true }, {}, {}, {}, {}],
    files: { oversized: 1 },
  });
  commit(dir, { 'src/long.txt': 'x\n', 'src/by-hand.txt': 'a\nb\n' });
  await runCli(dir, ['run']);
  expect(read()).toMatchObject({
    'src/long.txt': { lines: 1, session_added: 0 },
    'src/by-hand.txt': { lines: 2, session_added: 2 },
  });
});

it('the first growth of a file that was there is growth', async () => {
  const agent = `tasks: { "*": [{ edit: { file: src/old.txt, content: "${'x\\n'.repeat(80)}" } }, { edit: { file: src/1.txt, content: x } }, { claim: done }] }\n`;
  const dir = makeProject({ '.harness.yaml': CONFIG, 'agent.yaml': agent, 'src/old.txt': 'x\n' });
  await runCli(dir, ['run']);
  expect((await runCli(dir, ['health'])).stdout).toMatch(
    /src\/old\.txt: 80 lines, \+79 a session: grows fast/,
  );
});
