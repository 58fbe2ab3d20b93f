import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getRateLimit } from '../../demo/model-server/faults.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { findMarked } from '../../src/adapters/process/sweep.ts';
import { createWorkers } from '../../src/adapters/process/workers.ts';
import { probeSandbox } from '../../src/adapters/sandbox/probe.ts';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.ts';
import { getRequest } from '../contracts/agent.ts';
import { buildProgram } from '../support/build-program.ts';
import { getEscapeLine, isRunning, readPidFile } from '../support/real-processes.ts';
import { useStage } from './agent-stage.ts';
import { claudeSdk, createClaude } from './claude-sdk.ts';
import { MCP_SERVER } from './mcp-server.ts';

const stage = useStage(claudeSdk);

describe('Claude Code and its account', () => {
  test('a limit of the subscription says when it is lifted', async () => {
    const { play } = stage();
    delete process.env.ANTHROPIC_API_KEY;
    process.env.CLAUDE_CODE_OAUTH_TOKEN = 'sk-ant-oat01-scripted';
    const resetAtMs = Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000;
    const { result } = await play([{ fault: getRateLimit(3_600, resetAtMs) }]);
    delete process.env.CLAUDE_CODE_OAUTH_TOKEN;
    expect(result.failure).toMatchObject({ kind: 'rate_limit', retryAtMs: resetAtMs });
  });

  test('without a login nothing is asked of the model, and the failure says so', async () => {
    const { play, server } = stage();
    delete process.env.ANTHROPIC_API_KEY;
    const { result } = await play([{ text: 'hi' }]);
    expect(result).toMatchObject({ outcome: 'crashed', failure: { kind: 'auth' } });
    expect(server.requests).toHaveLength(0);
  });

  test('model and effort go to the provider as asked, and what it costs comes back', async () => {
    const { play, server } = stage();
    const usage = { input: 1_000_000, output: 0 };
    const { result } = await play([{ text: 'hi', usage }], { model: 'claude-opus-4-5', effort: 'low' });
    expect(server.requests[0]?.body).toMatchObject({
      model: 'claude-opus-4-5',
      output_config: { effort: 'low' },
    });
    expect(result.usage.costUsd).toBeGreaterThan(1);
  });
});

describe('Claude Code and the repository', () => {
  test('a server of ours is offered and can be called', async () => {
    const { play, cwd, server } = stage();
    const script = join(cwd, 'server.mjs');
    writeFileSync(script, MCP_SERVER);
    const call = { name: 'mcp__notes__note', input: { text: 'remember' } };
    const mcpServers = { notes: { command: process.execPath, args: [script], env: { NOTES: 'notes.txt' } } };
    await play([{ tools: [call] }, { text: 'done' }], { mcpServers });
    expect(server.requests[0]?.toolNames).toContain('mcp__notes__note');
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('remember');
  });

  test('files named in the prompt are not read behind its back', async () => {
    const { play, cwd, server } = stage();
    writeFileSync(join(cwd, 'secret.txt'), 'swordfish');
    await play([{ text: 'done' }], { prompt: 'Look at @secret.txt and tell me.' });
    expect(server.requests[0]?.newest).toContain('Look at @secret.txt and tell me.');
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('swordfish');
  });
});

describe('Claude Code and the command policy', () => {
  test('a denied command is not run, and the agent is told why', async () => {
    const { server, cwd } = stage();
    const owner = { workerId: `w-refused${process.pid}`, random: createRandom() };
    const refuse = (command: string) => (command.includes('denied') ? 'Refused: not here.' : null);
    const agent = createClaude(owner, { refuse });
    server.play([
      { tools: [claudeSdk.run('touch denied.txt')] },
      { tools: [claudeSdk.run('touch allowed.txt')] },
      { text: 'done' },
    ]);
    await agent.run(getRequest(cwd), () => undefined);
    expect(existsSync(join(cwd, 'denied.txt'))).toBe(false);
    expect(existsSync(join(cwd, 'allowed.txt'))).toBe(true);
    expect(server.requests[1]?.newest).toContain('Refused: not here.');
  });
});

describe('Claude Code in the sandbox', () => {
  test('works, is gone on with and is stopped as without', async ({ skip }) => {
    const { server, cwd } = stage();
    const { bwrap } = await probeSandbox();
    if (bwrap === null) return skip();
    const home = process.env.HOME ?? '';
    const sandbox = createSandbox({
      ...{ bwrap: bwrap.path, features: bwrap.features, network: 'on', home, agents: ['claude'] },
      ...{ hidden: [], readable: [], writable: [] },
    });
    const workerId = `w-boxed${process.pid}`;
    const agent = createClaude({ workerId, random: createRandom(), sandbox });
    server.play([
      { tools: [claudeSdk.run(`echo in > made.txt; echo out > ${home}/out.txt`)] },
      { text: 'The first answer.' },
      { text: 'Second.' },
      { tools: [claudeSdk.run(`${getEscapeLine('pid')}\nsleep 300`)] },
    ]);
    const first = await agent.run(getRequest(cwd), () => undefined);
    expect(first).toMatchObject({ outcome: 'claimed', summary: 'The first answer.' });
    expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('in\n');
    expect(existsSync(join(home, 'out.txt'))).toBe(false);
    const resume = first.sessionId ?? '';
    const second = await agent.run({ ...getRequest(cwd), resume }, () => undefined);
    expect(second).toMatchObject({ outcome: 'claimed', summary: 'Second.' });
    expect(JSON.stringify(server.requests[2]?.body)).toContain('The first answer.');
    const stop = new AbortController();
    const third = agent.run({ ...getRequest(cwd), signal: stop.signal }, () => undefined);
    await readPidFile(join(cwd, 'pid'));
    expect(findMarked(`${workerId}:`).length).toBeGreaterThan(1);
    stop.abort();
    expect(await third).toMatchObject({ outcome: 'not-done', failure: { kind: 'cancelled' } });
    expect(findMarked(`${workerId}:`)).toEqual([]);
  });
});

describe('a harness that is killed while Claude Code works', () => {
  test('leaves processes that the next one finds and ends', async () => {
    const { cwd, server } = stage();
    server.play([{ tools: [claudeSdk.run(`${getEscapeLine('pid')}\nsleep 300`)] }]);
    const build = mkdtempSync(join(tmpdir(), 'harness-killed-'));
    const program = await buildProgram('test/agents/run-claude.ts', build);
    const workerId = `w-killed${process.pid}`;
    const harness = spawn(process.execPath, [program, workerId, cwd], { stdio: 'ignore' });
    const pid = await readPidFile(join(cwd, 'pid'));
    harness.kill('SIGKILL');
    expect(isRunning(pid)).toBe(true);
    const workers = createWorkers(createRandom(), { host: hostname() });
    await workers.reap({ ...workers.self, id: workerId, pid: harness.pid ?? 0 });
    expect(isRunning(pid)).toBe(false);
    expect(findMarked(`${workerId}:`)).toEqual([]);
    rmSync(build, { recursive: true });
  });
});
