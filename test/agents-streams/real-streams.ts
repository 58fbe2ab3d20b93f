import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver } from '../../src/adapters/agents/shared/provider.ts';
import type { AgentResult, SessionRequest } from '../../src/ports/index.ts';

const LINE_OF_100_MB = `for (let i = 0; i < 100; i++) out('x'.repeat(1024 * 1024))`;
const GREETING = `out('{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}\\n')`;
const SESSION = `out('{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}\\n')`;
const REPLY = '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}';
const WORDS =
  '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"All is done."}}}}';

/** Programs that speak badly: what each does as soon as it has been spoken to, and how it ends. */
const BAD_PROGRAMS: readonly (readonly [string, string])[] = [
  ['a line of 100 MB', `${LINE_OF_100_MB}; out('\\n'); exit(1)`],
  ['a line of 100 MB and no end', `${LINE_OF_100_MB}; kill()`],
  [
    '100 MB of good JSON',
    `out('{"jsonrpc":"2.0","id":0,"result":"'); ${LINE_OF_100_MB}; out('"}\\n'); exit(1)`,
  ],
  ['10 MB of empty lines', `for (let i = 0; i < 10; i++) out('\\n'.repeat(1024 * 1024)); exit(1)`],
  ['noise', `for (let i = 0; i < 64; i++) out(require('crypto').randomBytes(65536)); exit(1)`],
  ['a greeting and death', `${GREETING}; kill()`],
  ['half of the last line', `${GREETING}; ${SESSION}; out(${JSON.stringify(REPLY.slice(0, 40))}); exit(1)`],
  ['a claim before the question', `out(${JSON.stringify(`${WORDS}\n${REPLY}\n`)}); exit(1)`],
  ['a silent death', 'kill()'],
];

/** Starts each program as the agent and tells how that ended. */
export async function runBadPrograms(
  makeAgent: (command: string) => Driver,
): Promise<readonly { readonly name: string; readonly result: AgentResult }[]> {
  const results = [];
  for (const [name, lines] of BAD_PROGRAMS) {
    const cwd = mkdtempSync(join(tmpdir(), 'harness-streams-'));
    const program = `const { writeSync } = require('fs'); const out = data => { for (let rest = Buffer.from(data); rest.length > 0; ) try { rest = rest.subarray(writeSync(1, rest)); } catch (error) { if (error.code !== 'EAGAIN') exit(1); } }; const exit = code => process.exit(code); const kill = () => process.kill(process.pid, 'SIGKILL'); process.stdin.once('data', () => { ${lines} });`;
    const agent = makeAgent(`exec '${process.execPath}' -e '${program.replaceAll("'", `'\\''`)}'`);
    const request = { cwd, prompt: 'Do it.', timeoutMs: 60_000, signal: new AbortController().signal };
    const result = await agent.run({ ...request, task: { id: '1' } } as SessionRequest, () => undefined);
    results.push({ name, result });
    rmSync(cwd, { recursive: true, force: true });
  }
  return results;
}
