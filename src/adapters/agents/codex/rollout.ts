import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Usage } from '../../../core/model/usage.ts';
import { createLineSplitter } from '../../process/line-splitter.ts';
import { asCount, asObject } from '../shared/loose-json.ts';

/** What one answer of the model used, and how full the context was then. */
export interface AnswerUsage {
  readonly usage: Usage;
  readonly contextTokens: number;
}

export interface Rollout {
  /** What has been written since the last call. */
  read(): readonly AnswerUsage[];
}

/**
 * Follows the file that Codex writes a thread to. Its events tell of usage only when a turn has ended
 * well; here every answer is written down as it comes, also in turns that fail or are cut off.
 */
export function followRollout(homeDir: string, threadId: string, from: 'start' | 'end'): Rollout {
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
export function getCodexUsage(raw: unknown): Usage {
  const usage = asObject(raw);
  const cachedTokens = asCount(usage.cached_input_tokens);
  return {
    inputTokens: Math.max(0, asCount(usage.input_tokens) - cachedTokens),
    outputTokens: asCount(usage.output_tokens),
    cachedTokens,
    costUsd: 0,
  };
}

function parseAnswer(line: string): AnswerUsage | null {
  if (!line.includes('"token_usage_record"')) return null;
  try {
    const { type, payload } = asObject(JSON.parse(line));
    if (type !== 'token_usage_record') return null;
    const usage = getCodexUsage(asObject(payload).usage);
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
