import { PROVIDER_FACTS } from '../../../core/model/provider.ts';
import type { AgentEvent, AgentFailure, AgentResult, SessionRequest } from '../../../ports/index.ts';
import { openRun, type Run } from '../../process/open-run.ts';
import type { SpawnOwner } from '../../process/spawn-contained.ts';
import { createEmptyTurns, GO_ON } from '../shared/empty-turn.ts';
import { getFailedEnding } from '../shared/ending.ts';
import { loadPackage } from '../shared/optional-package.ts';
import type { Driver } from '../shared/provider.ts';
import { type SessionWatch, watchSession } from '../shared/watch-session.ts';
import { getCodexEnding } from './ending.ts';
import { prepareCodexHome } from './home.ts';
import { findCodexLogin } from './login.ts';
import {
  type CodexSettings,
  getCodexBaseUrl,
  getCodexEnv,
  getCodexOptions,
  getThreadOptions,
} from './options.ts';
import { type CodexProgram, prepareCodexProgram } from './program.ts';
import { createSandboxProbe, type SandboxProbe } from './sandbox.ts';
import type { Codex, CodexSdk, ThreadOptions } from './sdk.ts';
import { type LastTurn, startTurn, type Turn } from './turn.ts';
import { type CodexMeter, createCodexMeter } from './usage.ts';

export interface CodexAgentOptions extends CodexSettings {
  readonly owner: SpawnOwner;
  /** The user's checkout, where their packages are looked for. */
  readonly projectRoot: string;
  /** Codex's own files: threads to resume, and a link to the login. Not below a temporary directory. */
  readonly homeDir: string;
  readonly graceMs?: number;
  /** How long the model may think without a word. */
  readonly silenceMs?: number;
  /** How long words for the agent wait for a command that is under way. */
  readonly injectPatienceMs?: number;
}

/** Codex through its official SDK. Only a turn that the model itself ended is a claim. */
export function createCodexAgent(options: CodexAgentOptions): Driver {
  const probe = createSandboxProbe();
  return {
    run: async (request, emit) => {
      const sdk = await loadPackage<CodexSdk>(PROVIDER_FACTS.codex.sdk, options.projectRoot);
      const run = await openRun(options.owner, {
        ...(options.passEnv ? { passEnv: options.passEnv } : {}),
        env: getCodexEnv(process.env, options.homeDir),
        ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
      });
      try {
        return await runSession(sdk, options, request, emit, run, probe);
      } finally {
        await run.close();
      }
    },
  };
}

async function runSession(
  sdk: CodexSdk,
  options: CodexAgentOptions,
  request: SessionRequest,
  emit: (event: AgentEvent) => void,
  run: Run,
  probe: SandboxProbe,
): Promise<AgentResult> {
  const watch = watchSession(request, run.stop);
  const meter = createCodexMeter(options.homeDir, request.resume, emit);
  const login = findCodexLogin(process.env);
  await prepareCodexHome(options.homeDir, login);
  const program = prepareCodexProgram(sdk, options.owner.sandbox, run, request, options.homeDir);
  const baseUrl = getCodexBaseUrl(process.env, options);
  const hasAccess = login !== null || baseUrl !== null || 'CODEX_API_KEY' in run.env;
  const problem = hasAccess ? await findSandboxProblem(program, request, probe) : NO_LOGIN;
  const codex = new sdk.Codex({
    ...getCodexOptions(options, request, program.env, baseUrl),
    ...(program.boxed ? { codexPathOverride: program.boxed } : {}),
  });
  const how = getThreadOptions(options, request, program.boxed !== null);
  const last =
    problem || watch.end() ? null : await converse(codex, how, options, request, emit, meter, watch);
  watch.close();
  const ending = problem
    ? getFailedEnding(problem, null)
    : getCodexEnding({ request, last, end: watch.end(), nowMs: Date.now() });
  if (ending.failure) emit({ type: 'error', kind: ending.failure.kind, message: ending.failure.message });
  const sessionId = last?.threadId ?? request.resume;
  return { ...ending, usage: meter.total(), ...(sessionId ? { sessionId } : {}) };
}

const NO_LOGIN: AgentFailure = {
  kind: 'auth',
  message: 'Codex is not logged in. Run `codex login`, or set OPENAI_API_KEY.',
};

/** Commands run in our sandbox or in Codex's own, and not at all when there is neither. */
async function findSandboxProblem(
  { path, env, boxed }: CodexProgram,
  { mode, cwd, signal }: SessionRequest,
  probe: SandboxProbe,
): Promise<AgentFailure | null> {
  if (!path || boxed || mode === 'complete' || signal.aborted) return null;
  const message = await probe(path, env, cwd);
  return message ? { kind: 'bad_request', message } : null;
}

/** Turn after turn, as long as there are words for the agent that it has not heard. */
async function converse(
  codex: Codex,
  how: ThreadOptions,
  options: CodexAgentOptions,
  request: SessionRequest,
  emit: (event: AgentEvent) => void,
  meter: CodexMeter,
  watch: SessionWatch,
): Promise<LastTurn | null> {
  const { cwd, schema, mode } = request;
  const tools = { cwd, meter, emit, silenceMs: options.silenceMs ?? 15 * 60_000 };
  const words: string[] = [];
  const goesOn = createEmptyTurns(mode);
  let turn: Turn | null = null;
  const unsubscribe = request.injections?.subscribe(text => {
    words.push(text);
    turn?.cut('injection', options.injectPatienceMs ?? 30_000);
  });
  try {
    let threadId = request.resume ?? null;
    let input = request.prompt;
    for (;;) {
      const thread = threadId ? codex.resumeThread(threadId, how) : codex.startThread(how);
      const now = startTurn(thread, input, mode === 'complete' ? schema : undefined, tools);
      turn = now;
      watch.onInterrupt(async () => now.cut('interrupt', 0));
      const end = await Promise.race([now.end, watch.overdue]);
      if (!end) return null;
      if (goesOn(end.how === 'completed' && !end.hasSpoken) && words.length === 0 && !watch.end()) {
        input = GO_ON;
        threadId = end.threadId;
        continue;
      }
      const isWanted = end.how === 'completed' || now.cutFor() === 'injection';
      if (words.length === 0 || !isWanted || watch.end()) return { ...end, cutFor: now.cutFor() };
      const news = words.splice(0).join('\n\n');
      // A turn that was cut before the first answer has left nothing in the thread, not even the prompt.
      input = end.hasBegun ? news : `${input}\n\n${news}`;
      threadId = end.hasBegun ? end.threadId : threadId;
    }
  } finally {
    unsubscribe?.();
  }
}
