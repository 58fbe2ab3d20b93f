import type { Usage } from '../../../core/model/usage.ts';
import { addUsage, NO_USAGE } from '../../../core/model/usage.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { followRollout, getCodexUsage, type Rollout } from './rollout.ts';

/** What a session has used, told as it is used. */
export interface CodexMeter {
  /** A thread has been opened, anew or again; looking at the same one twice changes nothing. */
  follow(threadId: string): void;
  /** Tells what has been used since the last look. */
  look(): void;
  /** The end of a turn, with all that its thread has ever used: counted only where nothing else is known. */
  endTurn(threadUsage: unknown): void;
  /** Says that the agent lives, at no cost. */
  alive(): void;
  total(): Usage;
}

/** Counts from what Codex writes down; `resumed` is the thread whose past is somebody else's. */
export function createCodexMeter(
  homeDir: string,
  resumed: string | undefined,
  emit: (event: AgentEvent) => void,
): CodexMeter {
  const rollouts = new Map<string, Rollout>();
  let total = NO_USAGE;
  let threadTotal = NO_USAGE;
  let hasRecords = false;

  function follow(threadId: string): void {
    if (rollouts.has(threadId)) return;
    rollouts.set(threadId, followRollout(homeDir, threadId, threadId === resumed ? 'end' : 'start'));
  }

  function tell(usage: Usage, contextTokens: number): void {
    total = addUsage(total, usage);
    emit({ type: 'usage', usage, contextTokens });
  }

  function look(): void {
    for (const rollout of rollouts.values()) {
      for (const { usage, contextTokens } of rollout.read()) {
        hasRecords = true;
        tell(usage, contextTokens);
      }
    }
  }

  if (resumed) follow(resumed);
  return {
    follow,
    look,
    endTurn: raw => {
      look();
      if (hasRecords) return;
      const now = getCodexUsage(raw);
      // How full the context is cannot be told from a sum.
      tell(subtract(now, threadTotal), 0);
      threadTotal = now;
    },
    alive: () => emit({ type: 'usage', usage: NO_USAGE }),
    total: () => total,
  };
}

function subtract(whole: Usage, part: Usage): Usage {
  return {
    inputTokens: Math.max(0, whole.inputTokens - part.inputTokens),
    outputTokens: Math.max(0, whole.outputTokens - part.outputTokens),
    cachedTokens: Math.max(0, whole.cachedTokens - part.cachedTokens),
    costUsd: 0,
  };
}
