import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { getFields } from '../../../core/base/json.ts';
import { PROVIDER_FACTS } from '../../../core/model/provider.ts';
import { NO_USAGE } from '../../../core/model/usage.ts';
import { MARKER_VARIABLE } from '../../process/marker.ts';
import type { Run } from '../../process/open-run.ts';
import { getShellCommand } from '../../process/shell.ts';
import type { SessionEnd } from '../shared/ending.ts';
import { createSdkAgent, type SdkAgentOptions, type Session } from '../shared/hold-session.ts';
import type { AgentSettings, Driver } from '../shared/provider.ts';
import { getAcpEnding } from './ending.ts';
import type { AcpSdk } from './sdk.ts';
import { type AcpTaken, startAcpTalk } from './talk.ts';
import { type AcpUpdates, createAcpUpdates } from './updates.ts';

export interface AcpAgentOptions
  extends SdkAgentOptions,
    Pick<AgentSettings, 'passEnv' | 'trustRepo' | 'refuse'> {
  /** A shell line that starts the agent with the protocol on its pipes. */
  readonly command: string;
  /** How long nothing may be heard while no tool is at work. */
  readonly silenceMs?: number;
}

/** Any agent that speaks the Agent Client Protocol. Only a turn that it ended itself, and well, is a claim. */
export function createAcpAgent(options: AcpAgentOptions): Driver {
  const { passEnv } = options;
  return createSdkAgent<AcpSdk, AcpUpdates, Talk>(options, {
    sdk: PROVIDER_FACTS.acp.sdk,
    getEnvironment: () => (passEnv ? { passEnv } : {}),
    read: ({ request, emit }) => createAcpUpdates(request.cwd, emit, request.resume !== undefined),
    talk: async (session, updates) => await talk(session, updates, options),
    getEnding: ({ request, reader, lastTurn, end }) => {
      const talked = lastTurn ?? NO_TALK;
      const ending = getAcpEnding({
        ...talked,
        request,
        end: talked.reply === null ? end : talked.end,
        lastMessage: reader.lastMessage(),
        hasSpoken: reader.hasSpoken(),
        nowMs: Date.now(),
      });
      return { ...ending, ...(talked.session?.isKept ? { sessionId: talked.session.id } : {}) };
    },
  });
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
async function talk(session: Session<AcpSdk>, updates: AcpUpdates, options: AcpAgentOptions): Promise<Talk> {
  const { sdk, request, run, watch, emit } = session;
  const [file, ...args] = getShellCommand(options.command, run.env.PATH);
  const isCwdReadOnly = (request.mode ?? 'exec') !== 'exec';
  const child = run.start(file, args, { cwd: request.cwd, isCwdReadOnly });
  const { stdout: output, stdin: input } = child;
  if (!output || !input) return NO_TALK;
  const exit = watchExit(child, options.command, run);
  const silence = watchSilence(session, updates, options.silenceMs ?? 15 * 60_000);
  const line = {
    ...{ output, input, updates, onSignOfLife: silence.noteSignOfLife, onTurn: watch.onInterrupt },
    mark: { [MARKER_VARIABLE]: run.env[MARKER_VARIABLE] ?? '' },
    isBoxed: options.owner.sandbox !== undefined,
    isRepoTrusted: options.trustRepo === true && !isCwdReadOnly,
    ...(options.refuse ? { refuse: options.refuse } : {}),
    onRefused: (why: string, what: string) => emit({ type: 'text', text: `[${why}] ${what}` }),
  };
  const turn = startAcpTalk(sdk, line, request);
  const taken = await Promise.race([turn.taken, watch.overdue]);
  const end = watch.end();
  // What it says on its way out is of no interest.
  const problem = turn.problem();
  silence.close();
  updates.end(getFields(taken?.reply).usage);
  turn.close();
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
function watchSilence({ emit, run }: Session<AcpSdk>, updates: AcpUpdates, silenceMs: number) {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const alive = setInterval(() => emit({ type: 'usage', usage: NO_USAGE }), ALIVE_EVERY_MS);
  function noteSignOfLife(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (updates.openCalls() > 0) noteSignOfLife();
      else {
        isOver = true;
        run.stop();
      }
    }, silenceMs);
  }
  noteSignOfLife();
  return {
    noteSignOfLife,
    isOver: () => isOver,
    close: () => {
      clearTimeout(timer);
      clearInterval(alive);
    },
  };
}

const ALIVE_EVERY_MS = 20_000;
