import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getErrorMessage } from '../../../core/base/failure.ts';
import { PROVIDER_FACTS } from '../../../core/model/provider.ts';
import type { Delivery } from '../../../ports/index.ts';
import type { Run } from '../../process/open-run.ts';
import { createEmptyTurns, GO_ON } from '../shared/ending.ts';
import { createSdkAgent, type SdkAgentOptions, type Session } from '../shared/hold-session.ts';
import type { Driver } from '../shared/provider.ts';
import { getClaudeEnding } from './ending.ts';
import { type ClaudeSettings, getClaudeEnv, getClaudeOptions, getClaudePassEnv } from './options.ts';
import { type ClaudeReader, createClaudeReader } from './reader.ts';
import type { ClaudeInput, ClaudeQuery, ClaudeResult, ClaudeSdk } from './sdk.ts';

export interface ClaudeAgentOptions extends ClaudeSettings, SdkAgentOptions {}

/** Claude Code through its official SDK. Only a turn that the model itself ended is a claim. */
export function createClaudeAgent(options: ClaudeAgentOptions): Driver {
  return createSdkAgent<ClaudeSdk, ClaudeReader, { readonly crash: string | null }>(options, {
    sdk: PROVIDER_FACTS.claude.sdk,
    getEnvironment: () => ({
      passEnv: getClaudePassEnv(process.env, options),
      env: getClaudeEnv(options),
    }),
    read: ({ request, emit }) => createClaudeReader(request.cwd, emit, () => performance.now()),
    talk: async (session, reader) => ({ crash: await talk(session, reader, options) }),
    getEnding: ({ request, reader, lastTurn, end }) => {
      const sessionId = reader.sessionId();
      const ending = getClaudeEnding({
        request,
        result: reader.lastResult(),
        hints: reader.hints(),
        end,
        crash: lastTurn?.crash ?? null,
        lastText: reader.lastText(),
      });
      return { ...ending, ...(sessionId ? { sessionId } : {}) };
    },
  });
}

/** Talks with Claude Code until it has left; returns what went wrong with that, if anything did. */
async function talk(
  { sdk, request, run, watch }: Session<ClaudeSdk>,
  reader: ClaudeReader,
  options: ClaudeAgentOptions,
): Promise<string | null> {
  // Sessions are kept there for resuming; a sandbox lets through only what exists.
  if (options.owner.sandbox) mkdirSync(join(homedir(), '.claude', 'projects'), { recursive: true });
  const prompts = createClaudePrompts(request.prompt);
  const { start, stderr } = onStderr(run);
  const unsubscribe = request.injections?.subscribe(prompts.push);
  let claude: ClaudeQuery | null = null;
  try {
    const how = getClaudeOptions(sdk, options, request, { env: run.env, start });
    const query = sdk.query({ prompt: prompts, options: how });
    claude = query;
    watch.onInterrupt(() => query.interrupt());
    const goesOn = createEmptyTurns(request.mode);
    const reading = readAll(query, reader, ({ isEmpty }) => {
      if (watch.end() === null && goesOn(isEmpty)) {
        void prompts.push(GO_ON);
        return;
      }
      prompts.end();
      watch.finish();
    });
    await Promise.race([reading, watch.overdue]);
    return null;
  } catch (error) {
    return `${getErrorMessage(error)} ${stderr()}`.trim();
  } finally {
    unsubscribe?.();
    claude?.close();
  }
}

/** The SDK keeps to itself what its program complains of. */
function onStderr(run: Run): { readonly start: Run['start']; stderr(): string } {
  let text = '';
  return {
    start: (...given) => {
      const child = run.start(...given);
      child.stderr?.on('data', chunk => {
        text = `${text}${chunk}`.slice(-STDERR_CHARS);
      });
      return child;
    },
    stderr: () => text,
  };
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

/** What the agent is told: the prompt, then whatever is put before it while it works. */
export interface ClaudePrompts extends AsyncIterable<ClaudeInput> {
  /** Unheard once the end has been said; else resolves when it is taken. */
  push(text: string): Promise<Delivery>;
  end(): void;
}

export function createClaudePrompts(first: string): ClaudePrompts {
  const waiting: { readonly text: string; onTaken(): void }[] = [{ text: first, onTaken: () => undefined }];
  let ended = false;
  let wake = (): void => undefined;
  return {
    push: async text => {
      if (ended) return 'unheard';
      return await new Promise(resolve => {
        waiting.push({ text, onTaken: () => resolve('told') });
        wake();
      });
    },
    end: () => {
      ended = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) {
          next.onTaken();
          yield getInput(next.text);
        } else if (ended) return;
        else
          await new Promise<void>(resolve => {
            wake = resolve;
          });
      }
    },
  };
}

function getInput(content: string): ClaudeInput {
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    client_composed: true,
  };
}
