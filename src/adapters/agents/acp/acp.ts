import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROVIDER_FACTS } from '../../../core/model/provider.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import type { AgentEvent, AgentResult, SessionRequest } from '../../../ports/index.ts';
import { MARKER_VARIABLE } from '../../process/marker.ts';
import { openRun, type Run } from '../../process/open-run.ts';
import { getShellCommand } from '../../process/shell.ts';
import type { SpawnOwner } from '../../process/spawn-contained.ts';
import { asObject } from '../shared/loose-json.ts';
import { loadPackage } from '../shared/optional-package.ts';
import type { Driver } from '../shared/provider.ts';
import { type SessionEnd, type SessionWatch, watchSession } from '../shared/watch-session.ts';
import { getAcpEnding } from './ending.ts';
import type { AcpSdk } from './sdk.ts';
import { type AcpTaken, startAcpTalk } from './talk.ts';
import { type AcpUpdates, createAcpUpdates } from './updates.ts';

export interface AcpAgentOptions {
  readonly owner: SpawnOwner;
  /** The user's checkout, where their packages are looked for. */
  readonly projectRoot: string;
  /** A shell line that starts the agent with the protocol on its pipes. */
  readonly command: string;
  /** Names of variables that it may see from our own environment. */
  readonly passEnv?: readonly string[];
  /** Whether what the repository brings for the agent may be taken, where the agent leaves that to us. */
  readonly trustRepo?: boolean;
  /** Why a command must not run; asked when the agent asks. */
  readonly refuse?: (command: string) => string | null;
  readonly graceMs?: number;
  /** How long nothing may be heard while no tool is at work. */
  readonly silenceMs?: number;
}

/** Any agent that speaks the Agent Client Protocol. Only a turn that it ended itself, and well, is a claim. */
export function createAcpAgent(options: AcpAgentOptions): Driver {
  return {
    run: async (request, emit) => {
      const sdk = await loadPackage<AcpSdk>(PROVIDER_FACTS.acp.sdk, options.projectRoot);
      const run = await openRun(options.owner, {
        ...(options.passEnv ? { passEnv: options.passEnv } : {}),
        ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
      });
      try {
        return await runSession(sdk, options, request, emit, run);
      } finally {
        await run.close();
      }
    },
  };
}

async function runSession(
  sdk: AcpSdk,
  options: AcpAgentOptions,
  request: SessionRequest,
  emit: (event: AgentEvent) => void,
  run: Run,
): Promise<AgentResult> {
  const watch = watchSession(request, run.stop);
  const updates = createAcpUpdates(request.cwd, emit, request.resume !== undefined);
  const talk = watch.end() ? NO_TALK : await runTalk(sdk, options, request, emit, run, watch, updates);
  watch.close();
  const ending = getAcpEnding({
    ...talk,
    request,
    end: talk.reply === null ? watch.end() : talk.end,
    lastMessage: updates.lastMessage(),
    hasSpoken: updates.hasSpoken(),
    nowMs: Date.now(),
  });
  if (ending.failure) emit({ type: 'error', kind: ending.failure.kind, message: ending.failure.message });
  const sessionId = talk.session?.isKept ? { sessionId: talk.session.id } : {};
  return { ...ending, usage: updates.usage(), ...sessionId };
}

interface Talk extends AcpTaken {
  readonly problem: string | null;
  /** Who had asked for an end when the answer came. */
  readonly end: SessionEnd | null;
  readonly isSilent: boolean;
  readonly exit: string;
}

const NO_TALK: Talk = {
  ...{ session: null, reply: null, error: null, problem: null, end: null, isSilent: false },
  exit: 'The agent was not started.',
};

/** Starts the program, has one turn with it and lets it go. */
async function runTalk(
  sdk: AcpSdk,
  options: AcpAgentOptions,
  request: SessionRequest,
  emit: (event: AgentEvent) => void,
  run: Run,
  watch: SessionWatch,
  updates: AcpUpdates,
): Promise<Talk> {
  const { cwd, mode = 'exec' } = request;
  const [file, ...args] = getShellCommand(options.command, run.env.PATH);
  const child = run.start(file, args, { cwd, isCwdReadOnly: mode !== 'exec' });
  const { stdout: output, stdin: input } = child;
  if (!output || !input) return NO_TALK;
  const exit = watchExit(child, options.command, run);
  const silence = watchSilence(options.silenceMs ?? 15 * 60_000, updates, emit, run);
  const mark = { [MARKER_VARIABLE]: run.env[MARKER_VARIABLE] ?? '' };
  const isRepoTrusted = options.trustRepo === true && mode === 'exec';
  const place = { mark, isBoxed: options.owner.sandbox !== undefined, isRepoTrusted };
  const ears = {
    ...{ onHeard: silence.heard, onUpdate: updates.read, onTurn: watch.onInterrupt },
    ...{ hasSpoken: updates.hasSpoken, onEmptyTurn: updates.end },
  };
  const rules = {
    ...(options.refuse ? { refuse: options.refuse } : {}),
    findCall: updates.findCall,
    onRefused: (why: string, command: string) => emit({ type: 'text', text: `[${why}] ${command}` }),
  };
  const talk = startAcpTalk(sdk, { output, input, ...place, ...ears, ...rules }, request);
  const taken = await Promise.race([talk.taken, watch.overdue]);
  const end = watch.end();
  // What it says on its way out is of no interest.
  const problem = talk.problem();
  silence.close();
  updates.end(asObject(taken?.reply).usage);
  talk.close();
  input.end();
  // One that is asked to leave writes down its session first.
  await Promise.race([exit.ended, sleep(LEAVE_MS, undefined, { ref: false })]);
  return { ...NO_TALK, ...taken, problem, end, isSilent: silence.isOver(), exit: exit.text() };
}

const LEAVE_MS = 500;

/** How the program ended, in words; whatever it left behind is ended with it. */
function watchExit(child: ChildProcess, command: string, run: Run) {
  let how = 'ended before its turn was over';
  let stderr = '';
  child.stderr?.on('data', chunk => {
    stderr = `${stderr}${chunk}`.slice(-STDERR_CHARS);
  });
  const ended = new Promise<void>(resolve => {
    child.once('error', error => {
      how = `could not be started: ${error.message}`;
      resolve();
    });
    child.once('exit', (code, signal) => {
      how = `ended with ${signal ?? `exit code ${code}`} before its turn was over`;
      run.stop();
      resolve();
    });
  });
  const text = (): string => `${command} ${how}${stderr.trim() ? `: ${stderr.trim()}` : '.'}`;
  return { ended, text };
}

const STDERR_CHARS = 500;

/** Ends a session in which nothing is heard and no tool is at work; says now and then that it lives. */
function watchSilence(silenceMs: number, updates: AcpUpdates, emit: (event: AgentEvent) => void, run: Run) {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const alive = setInterval(() => emit({ type: 'usage', usage: NO_USAGE }), ALIVE_EVERY_MS);
  function heard(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (updates.openCalls() > 0) heard();
      else {
        isOver = true;
        run.stop();
      }
    }, silenceMs);
  }
  heard();
  return {
    heard,
    isOver: () => isOver,
    close: () => {
      clearTimeout(timer);
      clearInterval(alive);
    },
  };
}

const ALIVE_EVERY_MS = 20_000;
