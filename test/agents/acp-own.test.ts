import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAcpAgent } from '../../src/adapters/agents/acp/acp.ts';
import type { Driver } from '../../src/adapters/agents/shared/provider.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { findMarked } from '../../src/adapters/process/sweep.ts';
import { probeSandbox } from '../../src/adapters/sandbox/probe.ts';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.ts';
import type { AgentEvent } from '../../src/ports/index.ts';
import { runBadPrograms } from '../agents-streams/real-streams.ts';
import { getRequest } from '../contracts/agent.ts';
import { claudeOverAcp, createClaudeAcp } from './acp-agents.ts';
import { useStage } from './agent-stage.ts';
import { MCP_SERVER } from './mcp-server.ts';

const stage = useStage(claudeOverAcp);
const workerId = `w-acpown${process.pid}`;

function createAcp(command: string, more: object = {}): Driver {
  const owner = { workerId, random: createRandom(), ...more };
  return createAcpAgent({ owner, projectRoot: process.cwd(), command, graceMs: 500, silenceMs: 10_000 });
}

test('programs that speak badly break nothing, claim nothing and leave nothing', async () => {
  const results = await runBadPrograms(command => createAcp(command));
  expect(results.map(({ name, result }) => `${name}: ${result.outcome}`)).toEqual(
    results.map(({ name }) => `${name}: crashed`),
  );
  expect(findMarked(`${workerId}:`)).toEqual([]);
});

test('a program that cannot be started is a crash that says so', async () => {
  const { cwd } = stage();
  const result = await createAcp('no-such-agent --acp').run(getRequest(cwd), () => undefined);
  expect(result).toMatchObject({ outcome: 'crashed', failure: { kind: 'crash' } });
  expect(result.summary).toMatch(/no-such-agent --acp ended with exit code 127.*not found/s);
});

test('a server of ours is offered and can be called', async () => {
  const { play, cwd } = stage();
  const script = join(cwd, 'server.mjs');
  writeFileSync(script, MCP_SERVER);
  const call = { name: 'mcp__notes__note', input: { text: 'remember' } };
  const env = { NOTES: join(cwd, 'notes.txt') };
  const mcpServers = { notes: { command: process.execPath, args: [script], env } };
  await play([{ tools: [call] }, { text: 'done' }], { mcpServers });
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('remember');
});

test('a command that the policy refuses is not run, any other is', async () => {
  const { server, cwd } = stage();
  const refuse = (command: string) => (command.includes('denied') ? 'Refused: not here.' : null);
  const agent = createClaudeAcp({ workerId }, { refuse });
  const events: AgentEvent[] = [];
  server.play([
    { tools: [claudeOverAcp.run('touch denied.txt')] },
    { tools: [claudeOverAcp.run('touch allowed.txt')] },
    { text: 'done' },
  ]);
  await agent.run(getRequest(cwd), event => events.push(event));
  expect(existsSync(join(cwd, 'denied.txt'))).toBe(false);
  expect(existsSync(join(cwd, 'allowed.txt'))).toBe(true);
  expect(events).toContainEqual({ type: 'text', text: '[Refused: not here.] touch denied.txt' });
});

describe('an agent that writes without asking', () => {
  /** Answers everything with what the protocol wants to hear, and writes into its directory. */
  const program = `
const out = message => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
for await (const line of require('readline').createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') out({ id, result: { protocolVersion: 1 } });
  if (method === 'session/new') out({ id, result: { sessionId: 's' } });
  if (method !== 'session/prompt') continue;
  let text = 'written';
  try { require('fs').writeFileSync('made.txt', 'x'); } catch (error) { text = error.code; }
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } };
  out({ method: 'session/update', params: { sessionId: 's', update } });
  out({ id, result: { stopReason: 'end_turn' } });
}`;
  const command = `exec '${process.execPath}' -e '(async () => {${program.replaceAll("'", `'\\''`)}})()'`;

  test('works, and is held back by the sandbox when it is to review', async ({ skip }) => {
    const { cwd } = stage();
    const { bwrap } = await probeSandbox();
    if (bwrap === null) return skip();
    const sandbox = createSandbox({
      ...{ bwrap: bwrap.path, features: bwrap.features, network: 'off', home: process.env.HOME ?? '/' },
      ...{ agents: [], hidden: [], readable: [], writable: [] },
    });
    const agent = createAcp(command, { sandbox });
    const review = await agent.run({ ...getRequest(cwd), mode: 'review' }, () => undefined);
    expect(review).toMatchObject({ outcome: 'claimed', summary: 'EROFS' });
    expect(existsSync(join(cwd, 'made.txt'))).toBe(false);
    const work = await agent.run(getRequest(cwd), () => undefined);
    expect(work).toMatchObject({ outcome: 'claimed', summary: 'written' });
    expect(existsSync(join(cwd, 'made.txt'))).toBe(true);
  });
});
