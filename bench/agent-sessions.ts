import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall, Turn } from '../demo/model-server/script.ts';
import type { ModelServer } from '../demo/model-server/server.ts';
import { createClaudePrompts } from '../src/adapters/agents/claude/claude.ts';
import { getClaudeEnv, getClaudeOptions } from '../src/adapters/agents/claude/options.ts';
import type { ClaudeOptions, ClaudeSdk } from '../src/adapters/agents/claude/sdk.ts';
import { loadPackage } from '../src/adapters/agents/shared/optional-package.ts';
import { createToolboxes } from '../src/adapters/mcp/toolbox.ts';
import type { Run } from '../src/adapters/process/open-run.ts';
import { openPorts } from '../src/app/project/open-ports.ts';
import { openProject } from '../src/app/project/open-project.ts';
import { PROVIDER_FACTS } from '../src/core/model/provider.ts';
import type { TaskDef } from '../src/core/model/task.ts';
import { runLoop } from '../src/loop/loop.ts';
import type { Reporter } from '../src/ports/index.ts';
import { runFakeTests } from './fake-work.ts';
import { runSetup } from './sample-repo.ts';

/** What one session took: on the clock, and of the processors, for this process and all it started. */
export interface Took {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const MODEL = 'claude-sonnet-4-5';

/** The floor: the SDK's own `query` with a session's very options; it starts its agent itself, and nobody listens. */
export async function openBareClaude(cwd: string, server: ModelServer, calls: number, prompt: string) {
  const sdk = await loadPackage<ClaudeSdk>(PROVIDER_FACTS.claude.sdk, cwd);
  const { PATH, HOME, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY } = process.env;
  const plain = { LANG: 'C.UTF-8', TZ: 'UTC', TERM: 'dumb' };
  const env = { ...plain, PATH, HOME, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, ...getClaudeEnv({}) };
  const harness = await createToolboxes(dir => ({ command: 'none', args: [dir], env: {} })).open(cwd, '');
  const request = { ...REQUEST, prompt, cwd, signal: new AbortController().signal, mcpServers: { harness } };
  const place = { env: env as Record<string, string>, start: neverStart };
  const run = async (): Promise<Took> => {
    rmSync(join(cwd, 'notes'), { recursive: true, force: true });
    server.play(getTurns(cwd, calls));
    const timer = startTimer();
    const prompts = createClaudePrompts(prompt);
    const settings = { model: MODEL, refuse: () => null };
    const { spawnClaudeCodeProcess: _, ...options } = getClaudeOptions(sdk, settings, request, place);
    for await (const message of sdk.query({ prompt: prompts, options: options as ClaudeOptions }))
      if ((message as { type: string }).type === 'result') prompts.end();
    checkPlayed(server);
    return timer.stop();
  };
  return { run };
}

const neverStart: Run['start'] = () => {
  throw new Error('the SDK starts its agent itself');
};

const REQUEST = {
  task: { id: '1' } as TaskDef,
  attempt: 1,
  session: 1,
  timeoutMs: 600_000,
};

/** The real loop over the real ports; timed is what lies between the start and the end of the session. */
export async function openWatchedClaude(repo: string, server: ModelServer, calls: number) {
  writeFileSync(join(repo, '.harness.yaml'), CONFIG);
  runSetup(repo, 'commit', '-qam', 'Use Claude');
  const project = await openProject({ cwd: repo, env: process.env });
  // Work that is sent back would begin a second session, with nothing left to play.
  const policy = { ...project.policy, feedbackRounds: 0 };
  let timer = startTimer();
  let took: Took | null = null;
  let dir = '';
  const reporter: Reporter = {
    event: ({ event }) => {
      if (event.type === 'attempt.prepared') {
        dir = event.dir;
        server.play(getTurns(dir, calls));
      }
      if (event.type === 'session.started') timer = startTimer();
      if (event.type === 'session.ended') {
        if (took !== null) throw new Error('a second session was held');
        took = timer.stop();
      }
    },
    agent: () => {},
    phase: () => {},
  };
  const opened = await openPorts(project, { reporter });
  const ports = { ...opened, tests: { run: runFakeTests } };
  const scope = { maxSessions: 1, onlyTask: null, version: 'bench', signal: new AbortController().signal };
  const run = async (): Promise<Took> => {
    took = null;
    await runLoop(ports, policy, scope);
    checkPlayed(server);
    if (took === null) throw new Error('no session was held');
    return took;
  };
  const getPlayed = () => ({ dir, prompt: server.requests[0]?.prompt ?? '' });
  return { run, getPlayed, close: () => opened.store.close() };
}

/** The sandbox is measured apart from this: what it costs is a start, whatever the session does. */
const CONFIG = `project: { name: sample }
testing:
  runner: node
  full: ./test-all
  feature: ./test-one {file}
agent: { provider: claude }
models: { default: ${MODEL} }
sandbox: { mode: "off" }
costs: { per_session_usd: 1000, per_feature_usd: 1000000, total_project_usd: 1000000 }
quality: { cleanup_interval: 0 }
`;

function startTimer(): { stop(): Took } {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const childrenMs = readChildrenCpuMs();
  return {
    stop: () => {
      const { user, system } = process.cpuUsage(before);
      const cpuMs = (user + system) / 1_000 + readChildrenCpuMs() - childrenMs;
      return { wallMs: performance.now() - startedMs, cpuMs };
    },
  };
}

/** Processor time of children that have ended, theirs included; nothing where the kernel does not tell. */
function readChildrenCpuMs(): number {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

const TICK_MS = 10;

/** Both sides must have done the same: a call that was refused is quicker than one that was made. */
function checkPlayed(server: ModelServer): void {
  if (server.left() > 0) throw new Error(`the session ended ${server.left()} answers too early`);
  const failed = server.requests.filter(({ newest }) => newest.includes('<tool_use_error>'));
  if (failed.length > 0) throw new Error(`${failed.length} calls failed, as: ${failed[0]?.newest}`);
}

/** What a session is made of: reading, writing and running, with a word on each. */
function getTurns(cwd: string, calls: number): Turn[] {
  const turns = Array.from({ length: calls }, (_, at): Turn => {
    const usage = { input: 400, output: 120, cacheRead: 100 * at };
    return { text: `Step ${at}: I look at what is there.`, tools: [getCall(cwd, at)], usage };
  });
  return [...turns, { text: 'That was all.' }];
}

function getCall(cwd: string, at: number): ToolCall {
  const file_path = join(cwd, 'notes', `note-${at}.txt`);
  if (at % 4 === 0) return { name: 'Write', input: { file_path, content: `${at}\n`.repeat(20) } };
  if (at % 4 === 1) return { name: 'Bash', input: { command: `ls lib | head -${at}`, description: 'look' } };
  const source = join(cwd, 'lib', `part-${at % 4}`, `module-${(at % 4) * 50}.js`);
  return { name: 'Read', input: { file_path: source } };
}
