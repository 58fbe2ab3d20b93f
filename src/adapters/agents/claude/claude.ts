import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PROVIDER_FACTS } from '../../../core/model/provider.ts';
import type { AgentEvent, AgentResult, SessionRequest } from '../../../ports/index.ts';
import { openRun, type Run } from '../../process/open-run.ts';
import type { SpawnOwner } from '../../process/spawn-contained.ts';
import { createEmptyTurns, GO_ON } from '../shared/empty-turn.ts';
import { loadPackage } from '../shared/optional-package.ts';
import type { Driver } from '../shared/provider.ts';
import { type SessionWatch, watchSession } from '../shared/watch-session.ts';
import { getClaudeEnding } from './ending.ts';
import { createClaudePrompts } from './input.ts';
import { type ClaudeSettings, getClaudeEnv, getClaudeOptions, getClaudePassEnv } from './options.ts';
import { type ClaudeReader, createClaudeReader } from './reader.ts';
import type { ClaudeQuery, ClaudeResult, ClaudeSdk } from './sdk.ts';

export interface ClaudeAgentOptions extends ClaudeSettings {
  readonly owner: SpawnOwner;
  /** The user's checkout, where their packages are looked for. */
  readonly projectRoot: string;
  readonly graceMs?: number;
}

/** Claude Code through its official SDK. Only a turn that the model itself ended is a claim. */
export function createClaudeAgent(options: ClaudeAgentOptions): Driver {
  return {
    run: async (request, emit) => {
      const sdk = await loadPackage<ClaudeSdk>(PROVIDER_FACTS.claude.sdk, options.projectRoot);
      const run = await openRun(options.owner, {
        passEnv: getClaudePassEnv(process.env, options),
        env: getClaudeEnv(options),
        ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
      });
      // Sessions are kept there for resuming; a sandbox lets through only what exists.
      if (options.owner.sandbox) mkdirSync(join(homedir(), '.claude', 'projects'), { recursive: true });
      try {
        return await runSession(sdk, options, request, emit, run);
      } finally {
        await run.close();
      }
    },
  };
}

async function runSession(
  sdk: ClaudeSdk,
  options: ClaudeAgentOptions,
  request: SessionRequest,
  emit: (event: AgentEvent) => void,
  run: Run,
): Promise<AgentResult> {
  const reader = createClaudeReader(request.cwd, emit, () => performance.now());
  const watch = watchSession(request, run.stop);
  const crash = watch.end() ? null : await play(sdk, options, request, reader, run, watch);
  watch.close();
  const ending = getClaudeEnding({
    request,
    result: reader.lastResult(),
    hints: reader.hints(),
    end: watch.end(),
    crash,
    lastText: reader.lastText(),
  });
  if (ending.failure) emit({ type: 'error', kind: ending.failure.kind, message: ending.failure.message });
  const sessionId = reader.sessionId();
  return { ...ending, usage: reader.usage(), ...(sessionId ? { sessionId } : {}) };
}

/** Talks with Claude Code until it has left; returns what went wrong with that, if anything did. */
async function play(
  sdk: ClaudeSdk,
  options: ClaudeAgentOptions,
  request: SessionRequest,
  reader: ClaudeReader,
  run: Run,
  watch: SessionWatch,
): Promise<string | null> {
  const prompts = createClaudePrompts(request.prompt);
  const stderr = { text: '' };
  const start: Run['start'] = (...words) => {
    const child = run.start(...words);
    child.stderr?.on('data', chunk => {
      stderr.text = `${stderr.text}${chunk}`.slice(-STDERR_CHARS);
    });
    return child;
  };
  const unsubscribe = request.injections?.subscribe(prompts.push);
  let claude: ClaudeQuery | null = null;
  try {
    const how = getClaudeOptions(sdk, options, request, { env: run.env, start });
    const query = sdk.query({ prompt: prompts, options: how });
    claude = query;
    watch.onInterrupt(() => query.interrupt());
    const goesOn = createEmptyTurns(request.mode);
    const reading = readAll(query, reader, ({ isEmpty }) => {
      if (watch.end() === null && goesOn(isEmpty)) return prompts.push(GO_ON);
      prompts.end();
      watch.finish();
    });
    await Promise.race([reading, watch.overdue]);
    return null;
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)} ${stderr.text}`.trim();
  } finally {
    unsubscribe?.();
    claude?.close();
  }
}

const STDERR_CHARS = 2_000;

async function readAll(
  query: ClaudeQuery,
  reader: ClaudeReader,
  onLastWord: (result: ClaudeResult) => void,
): Promise<void> {
  for await (const message of query) {
    const result = reader.read(message);
    if (result?.queuedTurns === 0) onLastWord(result);
  }
}
