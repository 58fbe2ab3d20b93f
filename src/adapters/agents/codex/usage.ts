import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { getAmount, getFields } from '../../../core/base/json.ts';
import { addUsage, NO_USAGE, subtractUsage, type Usage } from '../../../core/model/usage.ts';
import type { AgentEvent } from '../../../ports/index.ts';
import { createLineSplitter } from '../../process/read-output.ts';

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
  usage(): Usage;
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

  function emitUsage(usage: Usage, contextTokens: number): void {
    total = addUsage(total, usage);
    emit({ type: 'usage', usage, contextTokens });
  }

  function look(): void {
    for (const rollout of rollouts.values()) {
      for (const { usage, contextTokens } of rollout.read()) {
        hasRecords = true;
        emitUsage(usage, contextTokens);
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
      emitUsage(subtractUsage(now, threadTotal), 0);
      threadTotal = now;
    },
    alive: () => emit({ type: 'usage', usage: NO_USAGE }),
    usage: () => total,
  };
}

/** What one answer of the model used, and how full the context was then. */
interface AnswerUsage {
  readonly usage: Usage;
  readonly contextTokens: number;
}

interface Rollout {
  /** What has been written since the last call. */
  read(): readonly AnswerUsage[];
}

/**
 * Follows the file that Codex writes a thread to. Its events tell of usage only when a turn has ended
 * well; here every answer is written down as it comes, also in turns that fail or are cut off.
 */
function followRollout(homeDir: string, threadId: string, from: 'start' | 'end'): Rollout {
  const file = findRollout(homeDir, threadId);
  let place = file;
  let offset = from === 'end' && file ? readSize(file) : 0;
  let found: AnswerUsage[] = [];
  const lines = createLineSplitter(MAX_LINE_CHARS, line => {
    const answer = parseAnswer(line);
    if (answer) found.push(answer);
  });
  return {
    read: () => {
      place ??= findRollout(homeDir, threadId);
      if (place) offset = readFrom(place, offset, lines.push);
      const answers = found;
      found = [];
      return answers;
    },
  };
}

/** Records of usage are short; longer lines are something else. */
const MAX_LINE_CHARS = 64 * 1024;

/** Codex counts cached tokens among the input; here they are apart. */
function getCodexUsage(raw: unknown): Usage {
  const usage = getFields(raw);
  const cachedTokens = getAmount(usage.cached_input_tokens);
  return {
    inputTokens: Math.max(0, getAmount(usage.input_tokens) - cachedTokens),
    outputTokens: getAmount(usage.output_tokens),
    cachedTokens,
    costUsd: 0,
  };
}

function parseAnswer(line: string): AnswerUsage | null {
  if (!line.includes('"token_usage_record"')) return null;
  try {
    const { type, payload } = getFields(JSON.parse(line));
    if (type !== 'token_usage_record') return null;
    const usage = getCodexUsage(getFields(payload).usage);
    return { usage, contextTokens: usage.inputTokens + usage.cachedTokens + usage.outputTokens };
  } catch {
    return null;
  }
}

/** `sessions/2026/11/15/rollout-<time>-<thread>.jsonl`; newest days first, since that is where it is. */
function findRollout(homeDir: string, threadId: string): string | null {
  let folders = [join(homeDir, 'sessions')];
  for (let depth = 0; depth < 3; depth++) folders = folders.flatMap(readFolders);
  for (const folder of folders) {
    const name = readNames(folder).find(file => file.endsWith(`-${threadId}.jsonl`));
    if (name) return join(folder, name);
  }
  return null;
}

function readFolders(folder: string): string[] {
  return readNames(folder)
    .sort()
    .reverse()
    .map(name => join(folder, name));
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readSize(file: string): number {
  return readFrom(file, 0, () => undefined);
}

/** Hands over what is beyond the offset, in pieces; returns the new one. */
function readFrom(file: string, offset: number, onChunk: (chunk: Buffer) => void): number {
  let at = offset;
  try {
    const handle = openSync(file, 'r');
    try {
      const { size } = fstatSync(handle);
      while (at < size) {
        const piece = Buffer.alloc(Math.min(size - at, 1024 * 1024));
        const count = readSync(handle, piece, 0, piece.length, at);
        if (count === 0) break;
        onChunk(piece.subarray(0, count));
        at += count;
      }
    } finally {
      closeSync(handle);
    }
  } catch {
    // Not there yet, or gone: there is nothing to count.
  }
  return at;
}
