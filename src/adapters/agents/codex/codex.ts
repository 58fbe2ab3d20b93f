import { PROVIDER_FACTS } from '../../../core/model/provider.ts';
import type { AgentFailure, Delivery, SessionRequest } from '../../../ports/index.ts';
import {
  ALL_EMPTY,
  createEmptyTurns,
  type Ending,
  GO_ON,
  getFailedEnding,
  getFailureOfText,
  getTurnEnding,
  getWatchedFailure,
  type SessionEnd,
} from '../shared/ending.ts';
import { createSdkAgent, type SdkAgentOptions, type Session } from '../shared/hold-session.ts';
import type { Driver } from '../shared/provider.ts';
import {
  type CodexSettings,
  findCodexLogin,
  getCodexBaseUrl,
  getCodexEnv,
  getCodexOptions,
  getThreadOptions,
} from './options.ts';
import {
  type CodexProgram,
  createSandboxProbe,
  prepareCodexHome,
  prepareCodexProgram,
  type SandboxProbe,
} from './program.ts';
import type { CodexSdk, CodexThread } from './sdk.ts';
import { type LastTurn, startTurn, type Turn } from './turn.ts';
import { type CodexMeter, createCodexMeter } from './usage.ts';

export interface CodexAgentOptions extends CodexSettings, SdkAgentOptions {
  /** Codex's own files: threads to resume, and a link to the login. Not below a temporary directory. */
  readonly homeDir: string;
  /** How long the model may think without a word. */
  readonly silenceMs?: number;
  /** How long words for the agent wait for a command that is under way. */
  readonly injectPatienceMs?: number;
}

/** What came of a talk: why it could not be begun, or its last turn unless that never came to an end. */
type Talked = AgentFailure | { readonly last: LastTurn | null };

/** Codex through its official SDK. Only a turn that the model itself ended is a claim. */
export function createCodexAgent(options: CodexAgentOptions): Driver {
  const probe = createSandboxProbe();
  const { homeDir, passEnv } = options;
  return createSdkAgent<CodexSdk, CodexMeter, Talked>(options, {
    sdk: PROVIDER_FACTS.codex.sdk,
    getEnvironment: () => ({
      ...(passEnv ? { passEnv } : {}),
      env: getCodexEnv(process.env, homeDir),
    }),
    read: ({ request, emit }) => createCodexMeter(homeDir, request.resume, emit),
    talk: async (session, meter) => await talk(session, meter, options, probe),
    getEnding: ({ request, lastTurn, end }) => {
      if (lastTurn && 'kind' in lastTurn) return getFailedEnding(lastTurn, null);
      const last = lastTurn?.last ?? null;
      const sessionId = last?.threadId ?? request.resume;
      const ending = getCodexEnding({ request, last, end, nowMs: Date.now() });
      return { ...ending, ...(sessionId ? { sessionId } : {}) };
    },
  });
}

async function talk(
  session: Session<CodexSdk>,
  meter: CodexMeter,
  options: CodexAgentOptions,
  probe: SandboxProbe,
): Promise<Talked> {
  const { sdk, request, run } = session;
  const { owner, homeDir } = options;
  const login = findCodexLogin(process.env);
  await prepareCodexHome(homeDir, login);
  const program = prepareCodexProgram(session, owner.sandbox, homeDir);
  const baseUrl = getCodexBaseUrl(process.env, options);
  if (login === null && baseUrl === null && !('CODEX_API_KEY' in run.env)) return NO_LOGIN;
  const problem = await findSandboxProblem(program, request, probe);
  if (problem) return problem;
  const codex = new sdk.Codex({
    ...getCodexOptions(options, request, program.env, baseUrl),
    ...(program.boxed ? { codexPathOverride: program.boxed } : {}),
  });
  const how = getThreadOptions(options, request, program.boxed !== null);
  const openThread = (id: string | null) => (id ? codex.resumeThread(id, how) : codex.startThread(how));
  const { silenceMs = 15 * 60_000, injectPatienceMs = 30_000 } = options;
  return { last: await converse(session, meter, { openThread, silenceMs, injectPatienceMs }) };
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

interface Conversation extends Required<Pick<CodexAgentOptions, 'silenceMs' | 'injectPatienceMs'>> {
  /** A new one for null. */
  openThread(id: string | null): CodexThread;
}

/** Turn after turn, as long as there are words for the agent that it has not heard. */
async function converse(
  { request, emit, watch }: Session<unknown>,
  meter: CodexMeter,
  { openThread, silenceMs, injectPatienceMs }: Conversation,
): Promise<LastTurn | null> {
  const { cwd, schema, mode } = request;
  const words: { readonly text: string; onTaken(delivery: Delivery): void }[] = [];
  const goesOn = createEmptyTurns(mode);
  let turn: Turn | null = null;
  const unsubscribe = request.injections?.subscribe(text => {
    const delivered = new Promise<Delivery>(onTaken => words.push({ text, onTaken }));
    turn?.cut('injection', injectPatienceMs);
    return delivered;
  });
  try {
    let threadId = request.resume ?? null;
    let input = request.prompt;
    while (watch.end() === null) {
      const outputSchema = mode === 'complete' ? schema : undefined;
      const now = startTurn(openThread(threadId), input, outputSchema, { cwd, meter, emit, silenceMs });
      turn = now;
      watch.onInterrupt(async () => now.cut('interrupt', 0));
      const end = await Promise.race([now.end, watch.overdue]);
      if (!end) return null;
      const last = { ...end, cutFor: now.cutFor() };
      const isEmpty = goesOn(end.how === 'completed' && !end.hasSpoken);
      if (watch.end()) return last;
      if (words.length > 0 && (end.how === 'completed' || last.cutFor === 'injection')) {
        const news = words.splice(0).map(takeWords).join('\n\n');
        // A turn that was cut before the first answer has left nothing in the thread, not even the prompt.
        input = end.hasBegun ? news : `${input}\n\n${news}`;
        threadId = end.hasBegun ? end.threadId : threadId;
      } else if (isEmpty && words.length === 0) {
        input = GO_ON;
        threadId = end.threadId;
      } else return last;
    }
    return null;
  } finally {
    unsubscribe?.();
  }
}

/** From here on it is part of the next turn. */
function takeWords({ text, onTaken }: { readonly text: string; onTaken(delivery: Delivery): void }): string {
  onTaken('told');
  return text;
}

interface CodexStory {
  readonly request: Pick<SessionRequest, 'mode' | 'schema'>;
  /** Null when there was none, or it never came to an end. */
  readonly last: LastTurn | null;
  readonly end: SessionEnd | null;
  readonly nowMs: number;
}

/** What the end of a session means: a claim only when the last turn was completed. */
export function getCodexEnding(story: CodexStory): Ending {
  const { request, last, end } = story;
  const isEmpty = last?.how === 'completed' && !last.hasSpoken;
  if (isEmpty) return getFailedEnding(ALL_EMPTY, null);
  if (last?.how === 'completed') return getTurnEnding(request, last.lastMessage, 'Codex ended its turn.');
  return getFailedEnding(getFailure(story), end);
}

/** Who ended it from outside is asked first: what Codex says when it is stopped is of no interest. */
function getFailure({ last, end, nowMs }: CodexStory): AgentFailure {
  if (end) return getWatchedFailure(end);
  if (last?.cutFor === 'silence') {
    return { kind: 'timeout', message: 'Nothing was heard of the model for too long.' };
  }
  const message = last?.message ?? '';
  if (last?.how === 'failed') return getFailureOfText(message || 'Codex failed and did not say why.', nowMs);
  const crash = { kind: 'crash', message: message || 'Codex ended in the middle of its turn.' } as const;
  if (message === '') return crash;
  const failure = getFailureOfText(message, nowMs);
  return failure.kind === 'unknown' ? crash : failure;
}
