import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CODEX_TOOLS } from '../../demo/model-server/responses.ts';
import { createRandom } from '../../src/adapters/process/random.ts';
import { findMarked } from '../../src/adapters/process/sweep.ts';
import { createWorkers } from '../../src/adapters/process/workers.ts';
import { probeSandbox } from '../../src/adapters/sandbox/probe.ts';
import { createSandbox } from '../../src/adapters/sandbox/sandbox.ts';
import { getRequest } from '../contracts/agent.ts';
import { buildProgram } from '../support/build-program.ts';
import { getEscapeLine, readPidFile } from '../support/real-processes.ts';
import { useStage } from './agent-stage.ts';
import { codexSdk, createCodex } from './codex-sdk.ts';
import { MCP_SERVER } from './mcp-server.ts';

const stage = useStage(codexSdk);
const getHome = (): string => process.env.HOME ?? '';

describe('Codex and its account', () => {
  test('without a login nothing is started, and the failure says what to do', async () => {
    const { cwd } = stage();
    delete process.env.CODEX_API_KEY;
    const agent = createCodex(null, getHome(), { workerId: 'w-nologin' });
    const result = await agent.run(getRequest(cwd), () => undefined);
    expect(result).toMatchObject({ outcome: 'crashed', failure: { kind: 'auth' } });
    expect(result.summary).toContain('codex login');
  });

  test("the user's login is linked, never copied, and nothing else of theirs is taken", async () => {
    const { play } = stage();
    mkdirSync(join(getHome(), '.codex'));
    writeFileSync(join(getHome(), '.codex', 'auth.json'), '{"OPENAI_API_KEY":"sk-users"}');
    writeFileSync(join(getHome(), '.codex', 'config.toml'), 'model = "theirs"');
    const { result } = await play([{ text: 'done' }]);
    expect(result.outcome).toBe('claimed');
    const link = readlinkSync(join(getHome(), 'harness', 'codex', 'auth.json'));
    expect(link).toBe(join(getHome(), '.codex', 'auth.json'));
  });

  test('model and effort go to the provider as asked', async () => {
    const { play, server } = stage();
    await play([{ text: 'hi' }], { model: 'gpt-6-luna', effort: 'high' });
    expect(server.requests[0]?.body).toMatchObject({ model: 'gpt-6-luna', reasoning: { effort: 'high' } });
  });

  test('commands see neither the key nor its name', async () => {
    const { play, cwd } = stage();
    await play([{ tools: [CODEX_TOOLS.run('env > env.txt')] }, { text: 'done' }]);
    expect(readFileSync(join(cwd, 'env.txt'), 'utf8')).not.toMatch(/sk-scripted|API_KEY/);
  });
});

describe('Codex and the repository', () => {
  test('servers and instructions that the repository or an earlier agent left are not taken', async () => {
    const { play, cwd, server } = stage();
    const evil = `[mcp_servers.evil]\ncommand = "touch"\nargs = ["${cwd}/served.txt"]\n`;
    mkdirSync(join(cwd, '.codex'));
    writeFileSync(join(cwd, '.codex', 'config.toml'), evil);
    writeFileSync(join(cwd, 'AGENTS.md'), 'The password is swordfish.');
    const codexHome = join(getHome(), 'harness', 'codex');
    mkdirSync(codexHome, { recursive: true });
    writeFileSync(join(codexHome, 'config.toml'), evil);
    writeFileSync(join(codexHome, 'AGENTS.md'), 'The password is swordfish.');
    const { result } = await play([{ tools: [CODEX_TOOLS.run('true')] }, { text: 'done' }]);
    expect(result.outcome).toBe('claimed');
    expect(existsSync(join(cwd, 'served.txt'))).toBe(false);
    expect(JSON.stringify(server.requests.map(request => request.body))).not.toContain('swordfish');
  });

  test('a server of ours can be called, and is ended with the session', async () => {
    const { play, cwd, countLeft } = stage();
    const script = join(cwd, 'server.mjs');
    writeFileSync(script, MCP_SERVER);
    const call = { name: 'mcp__my_notes__note', input: { text: 'remember' } };
    const env = { NOTES: join(cwd, 'notes.txt') };
    const mcpServers = { 'my-notes': { command: process.execPath, args: [script], env } };
    const { result } = await play([{ tools: [call] }, { text: 'done' }], { mcpServers });
    expect(result.outcome).toBe('claimed');
    expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('remember');
    expect(countLeft()).toBe(0);
  });

  test('words that come before the first answer do not push the prompt out', async () => {
    const { play, server } = stage();
    let tell: (text: string) => void = () => undefined;
    const subscribe = (listener: (text: string) => void) => {
      tell = listener;
      return () => undefined;
    };
    const playing = play(
      [
        { text: 'late', delayMs: 3_000 },
        { text: 'heard', when: 'use tabs' },
      ],
      {
        injections: { subscribe },
        prompt: 'The first prompt.',
      },
    );
    await server.waitForRequest(1);
    tell('Please use tabs.');
    expect((await playing).result).toMatchObject({ outcome: 'claimed', summary: 'heard' });
    expect(server.requests[1]?.newest).toContain('The first prompt.');
  });
});

describe('Codex in the sandbox', () => {
  test('works, is gone on with, reviews without writing, and is stopped as without', async ({ skip }) => {
    const { server, cwd } = stage();
    const { bwrap } = await probeSandbox();
    if (bwrap === null) return skip();
    const home = getHome();
    const sandbox = createSandbox({
      ...{ bwrap: bwrap.path, features: bwrap.features, network: 'on', home, agents: ['codex'] },
      // As in production, where Codex's own folder lies in one that is hidden.
      ...{ hidden: [join(home, 'harness')], readable: [], writable: [] },
    });
    const workerId = `w-boxed${process.pid}`;
    const agent = createCodex(server.url, home, { workerId, sandbox });
    server.play([
      { tools: [CODEX_TOOLS.run(`echo in > made.txt; echo out > ${home}/out.txt`)] },
      { tools: [CODEX_TOOLS.write('patched.txt', 'patched\n')] },
      { text: 'The first answer.' },
      { tools: [CODEX_TOOLS.run('touch reviewed.txt'), CODEX_TOOLS.write('reviewed.txt', 'x')] },
      { text: 'Second.' },
      { tools: [CODEX_TOOLS.run(`${getEscapeLine('pid')}\nsleep 300`)] },
    ]);
    const first = await agent.run(getRequest(cwd), () => undefined);
    expect(first).toMatchObject({ outcome: 'claimed', summary: 'The first answer.' });
    expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('in\n');
    expect(readFileSync(join(cwd, 'patched.txt'), 'utf8')).toBe('patched\n');
    expect(existsSync(join(home, 'out.txt'))).toBe(false);
    const resume = first.sessionId ?? '';
    const second = await agent.run({ ...getRequest(cwd), mode: 'review', resume }, () => undefined);
    expect(second).toMatchObject({ outcome: 'claimed', summary: 'Second.' });
    expect(JSON.stringify(server.requests[3]?.body)).toContain('The first answer.');
    expect(existsSync(join(cwd, 'reviewed.txt'))).toBe(false);
    const stop = new AbortController();
    const third = agent.run({ ...getRequest(cwd), signal: stop.signal }, () => undefined);
    await readPidFile(join(cwd, 'pid'));
    expect(findMarked(`${workerId}:`).length).toBeGreaterThan(1);
    stop.abort();
    expect(await third).toMatchObject({ outcome: 'not-done', failure: { kind: 'cancelled' } });
    expect(findMarked(`${workerId}:`)).toEqual([]);
  });
});

describe('a harness that is killed while Codex works', () => {
  test('leaves processes that the next one finds and ends', async () => {
    const { cwd, server } = stage();
    server.play([{ tools: [CODEX_TOOLS.run(`${getEscapeLine('pid')}\nsleep 300`)] }]);
    const build = mkdtempSync(join(tmpdir(), 'harness-killed-'));
    const program = await buildProgram('test/agents/run-codex.ts', build);
    const workerId = `w-killed${process.pid}`;
    const harness = spawn(process.execPath, [program, workerId, cwd, getHome(), server.url], {
      stdio: 'ignore',
    });
    await readPidFile(join(cwd, 'pid'));
    harness.kill('SIGKILL');
    expect(findMarked(`${workerId}:`).length).toBeGreaterThan(1);
    const workers = createWorkers(createRandom(), { host: hostname() });
    await workers.reap({ ...workers.self, id: workerId, pid: harness.pid ?? 0 });
    expect(findMarked(`${workerId}:`)).toEqual([]);
    rmSync(build, { recursive: true });
  });
});
