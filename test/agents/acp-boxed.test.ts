import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODEX_TOOLS } from '../../demo/model-server/responses.ts';
import { probeSandbox } from '../../src/adapters/sandbox/probe.ts';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.ts';
import { getRequest } from '../contracts/agent.ts';
import { codexOverAcp, createCodexAcp } from './acp-agents.ts';
import { useStage } from './agent-stage.ts';

const stage = useStage(codexOverAcp);

test('Codex over ACP works and reviews in our sandbox, where it cannot make its own', async ({ skip }) => {
  const { server, cwd } = stage();
  const { bwrap } = await probeSandbox();
  if (bwrap === null) return skip();
  const home = process.env.HOME ?? '';
  const sandbox = createSandbox({
    ...{ bwrap: bwrap.path, features: bwrap.features, network: 'on', home, agents: ['codex'] },
    ...{ hidden: [], readable: [import.meta.dirname], writable: [] },
  });
  const agent = createCodexAcp({ workerId: `w-acpboxed${process.pid}`, sandbox });
  const moves = [
    CODEX_TOOLS.write('patched.txt', 'patched\n'),
    CODEX_TOOLS.run('touch made.txt; cat there.txt'),
  ];
  server.play([{ tools: moves }, { text: 'Looks fine.' }, { tools: moves }, { text: 'Done.' }]);
  const review = await agent.run({ ...getRequest(cwd), mode: 'review' }, () => undefined);
  expect(review).toMatchObject({ outcome: 'claimed', summary: 'Looks fine.' });
  expect(['patched.txt', 'made.txt'].filter(name => existsSync(join(cwd, name)))).toEqual([]);
  const work = await agent.run(getRequest(cwd), () => undefined);
  expect(work).toMatchObject({ outcome: 'claimed', summary: 'Done.' });
  expect(readFileSync(join(cwd, 'patched.txt'), 'utf8')).toBe('patched\n');
  expect(existsSync(join(cwd, 'made.txt'))).toBe(true);
});

test.each([
  ['refuses', false],
  ['allows', true],
])('Codex over ACP asks before it leaves its own sandbox, and the policy %s', async (_, isAllowed) => {
  const { server, cwd } = stage();
  const outside = join(process.env.HOME ?? '', 'outside.txt');
  const asked: string[] = [];
  const refuse = (command: string) => {
    asked.push(command);
    return isAllowed ? null : 'Refused: not here.';
  };
  const input = {
    cmd: `touch ${outside}`,
    sandbox_permissions: 'require_escalated',
    justification: 'why not',
  };
  server.play([{ tools: [{ name: 'exec_command', input }] }, { text: 'Done.' }]);
  await createCodexAcp({ workerId: `w-acpasks${process.pid}` }, { refuse }).run(
    getRequest(cwd),
    () => undefined,
  );
  expect(asked).toEqual([`touch ${outside}`]);
  expect(existsSync(outside)).toBe(isAllowed);
});
