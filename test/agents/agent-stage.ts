import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { ToolCall, Turn } from '../../demo/model-server/script.ts';
import { type ModelServer, startModelServer } from '../../demo/model-server/server.ts';
import { findMarked } from '../../src/adapters/process/sweep.ts';
import type {
  Agent,
  AgentErrorKind,
  AgentEvent,
  AgentResult,
  SessionRequest,
} from '../../src/ports/index.ts';
import { getRequest } from '../contracts/agent.ts';

/** What the suite has to know of an agent’s SDK to script its model. */
export interface RealAgent {
  /** An agent whose model is that server; it may keep what it needs for resuming under `home`. */
  make(place: { readonly server: ModelServer; readonly home: string; readonly workerId: string }): Agent;
  /** Tool calls in the SDK's own words. */
  write(cwd: string, path: string, content: string): ToolCall;
  run(command: string): ToolCall;
  /** The turn that answers with a value, right or wrong, in `complete` mode. */
  answer(value: unknown): Turn;
  /** Its commands run in a pid namespace: the numbers they see mean nothing outside, only the mark does. */
  readonly hasOwnPids?: boolean;
  /** What a turn used is told only when it ends well; otherwise it is put at no less than it was. */
  readonly hasRoughUsage?: boolean;
  /** A tool that is refused ends its turn. */
  readonly isEndedByRefusal?: boolean;
  /** Faults that this SDK can tell only otherwise, by their name in the suite. */
  readonly faultKinds?: Readonly<Record<string, AgentErrorKind>>;
}

/** One session, played. */
export interface Played {
  readonly result: AgentResult;
  readonly events: readonly AgentEvent[];
  readonly cwd: string;
}

export interface Stage {
  readonly server: ModelServer;
  readonly agent: Agent;
  readonly cwd: string;
  /** Runs one session in `cwd` against what the server plays. */
  play(turns: readonly Turn[], more?: Partial<SessionRequest>): Promise<Played>;
  /** Processes of this stage's sessions that still run. */
  countLeft(): number;
}

/** A server, an agent, an empty worktree and an empty home for each test; nothing is left of them. */
export function useStage(sdk: RealAgent): () => Stage {
  let stage: Stage | undefined;
  let clean: () => Promise<void> = async () => undefined;
  beforeEach(async () => {
    const dir = mkdtempSync(join(tmpdir(), 'harness-agents-'));
    const [cwd, home] = [join(dir, 'work'), join(dir, 'home')];
    mkdirSync(cwd);
    mkdirSync(home);
    const server = await startModelServer();
    const workerId = `w-contract${process.pid}${++stages}`;
    const agent = sdk.make({ server, home, workerId });
    stage = {
      server,
      agent,
      cwd,
      countLeft: () => findMarked(`${workerId}:`).length,
      play: async (turns, more = {}) => {
        server.play(turns);
        const events: AgentEvent[] = [];
        const request = { ...getRequest(cwd), timeoutMs: 40_000, ...more };
        return { result: await agent.run(request, event => events.push(event)), events, cwd };
      },
    };
    clean = async () => {
      await server.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
    };
  });
  afterEach(() => clean());
  return () => {
    if (!stage) throw new Error('the stage is set only while a test runs');
    return stage;
  };
}

let stages = 0;
