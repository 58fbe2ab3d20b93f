import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/adapters/process/random.ts';
import type { Agent } from '../../src/ports/index.ts';
import { getRequest } from '../contracts/agent.ts';
import { claudeOverAcp, createClaudeAcp } from './acp-agents.ts';
import { type RealAgent, useStage } from './agent-stage.ts';
import { claudeSdk, createClaude } from './claude-sdk.ts';
import { codexSdk, createCodex } from './codex-sdk.ts';
import { MCP_SERVER } from './mcp-server.ts';

const owner = { workerId: `w-trust${process.pid}`, random: createRandom() };

type Make = (trustRepo: boolean, url: string) => Agent;

describe.each<[string, RealAgent, Make]>([
  ['Claude Code', claudeSdk, trustRepo => createClaude(owner, { trustRepo })],
  ['Claude Code over ACP', claudeOverAcp, trustRepo => createClaudeAcp(owner, { trustRepo })],
])('what the repository brings for %s', (_, sdk, make) => {
  const stage = useStage(sdk);

  test.each([
    [false, 'is not taken'],
    [true, 'is taken where the configuration trusts it'],
  ])('trusted: %s, %s', async trustRepo => {
    const { cwd, server } = stage();
    writeClaudeSettings(cwd);
    server.play([
      { tools: [claudeSdk.run('touch ran.txt')] },
      { tools: [{ name: 'mcp__notes__note', input: { text: 'remember' } }] },
      { text: 'done' },
    ]);
    const { outcome } = await make(trustRepo, server.url).run(getRequest(cwd), () => undefined);
    expect(outcome).toBe('claimed');
    expect(existsSync(join(cwd, 'ran.txt'))).toBe(true);
    expect(existsSync(join(cwd, 'hooked.txt'))).toBe(trustRepo);
    expect(existsSync(join(cwd, 'noted.txt'))).toBe(trustRepo);
    // An agent over ACP that may take everything takes the user's own servers as well.
    if (sdk === claudeSdk || !trustRepo) expect(existsSync(join(cwd, 'own.txt'))).toBe(false);
    const heard = JSON.stringify(server.requests.map(request => request.body));
    expect(heard.includes('swordfish')).toBe(trustRepo);
  });

  test('is not taken for a review, trusted or not', async () => {
    const { cwd, server } = stage();
    writeClaudeSettings(cwd);
    server.play([{ text: 'done' }]);
    await make(true, server.url).run({ ...getRequest(cwd), mode: 'review' }, () => undefined);
    expect(existsSync(join(cwd, 'hooked.txt'))).toBe(false);
  });
});

describe('what the repository brings for Codex', () => {
  const stage = useStage(codexSdk);

  test.each([
    [false, 'is not taken'],
    [true, 'is taken where the configuration trusts it'],
  ])('trusted: %s, %s', async trustRepo => {
    const { cwd, server } = stage();
    write(cwd, 'server.mjs', MCP_SERVER);
    const file = JSON.stringify(join(cwd, 'server.mjs'));
    const notes = `command = "${process.execPath}"\nargs = [${file}]\ndefault_tools_approval_mode = "approve"\n`;
    const env = `[mcp_servers.notes.env]\nNOTES = "${join(cwd, 'noted.txt')}"\n`;
    write(cwd, '.codex/config.toml', `[mcp_servers.notes]\n${notes}${env}`);
    write(cwd, 'AGENTS.md', 'The password is swordfish.');
    server.play([
      { tools: [codexSdk.run('true')] },
      { tools: [{ name: 'mcp__notes__note', input: { text: 'remember' } }] },
      { text: 'done' },
    ]);
    const agent = createCodex(server.url, process.env.HOME ?? '', owner, { trustRepo });
    expect((await agent.run(getRequest(cwd), () => undefined)).outcome).toBe('claimed');
    expect(existsSync(join(cwd, 'noted.txt'))).toBe(trustRepo);
    const heard = JSON.stringify(server.requests.map(request => request.body));
    expect(heard.includes('swordfish')).toBe(trustRepo);
  });
});

/** Hooks, a server and instructions of the repository, and a server of the user's own. */
function writeClaudeSettings(cwd: string): void {
  const hook = { hooks: [{ type: 'command', command: 'touch hooked.txt' }] };
  const hooks = { PreToolUse: [hook], UserPromptSubmit: [hook], Stop: [hook] };
  write(cwd, '.claude/settings.json', JSON.stringify({ hooks }));
  write(cwd, 'server.mjs', MCP_SERVER);
  const env = { NOTES: join(cwd, 'noted.txt') };
  const notes = { command: process.execPath, args: [join(cwd, 'server.mjs')], env };
  write(cwd, '.mcp.json', JSON.stringify({ mcpServers: { notes } }));
  const own = { command: 'touch', args: [join(cwd, 'own.txt')] };
  write(process.env.HOME ?? '', '.claude.json', JSON.stringify({ mcpServers: { own } }));
  write(cwd, 'CLAUDE.md', 'The password is swordfish.');
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
