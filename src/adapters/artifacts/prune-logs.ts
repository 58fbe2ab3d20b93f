import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getKeepDays, LEVELS } from '../../core/events/log-rules.ts';
import type { EventLevel } from '../../core/model/facts.ts';
import type { LogRules } from '../../core/model/policy.ts';
import { readArchives, rotate } from './log-file.ts';
import { PRUNED_LOGS } from './logs.ts';
import { writeAtomic } from './write-atomic.ts';

const DAY_MS = 86_400_000;

/** Transcripts and lines of logs that were kept long enough go; the record in the store is never touched. */
export function pruneLogs(stateDir: string, nowMs: number, rules: LogRules, cursor: number): void {
  for (const name of PRUNED_LOGS) {
    const path = join(stateDir, 'logs', name);
    const oldestMs = readFirstMs(path);
    if (oldestMs !== null && nowMs - oldestMs > getKeepDays('routine', rules) * DAY_MS) rotate(path, cursor);
    pruneArchives(path, nowMs, rules);
  }
  for (const name of readdirSync(join(stateDir, 'sessions'))) {
    const path = join(stateDir, 'sessions', name);
    if (isOlder(path, nowMs, getKeepDays('important', rules))) rmSync(path, { force: true });
  }
}

/** The newest stays, if only as an empty file: its name says how far the log has come. */
function pruneArchives(path: string, nowMs: number, rules: LogRules): void {
  const archives = readArchives(path);
  for (const archive of archives) {
    if (!isOlder(archive.path, nowMs, getKeepDays('debug', rules))) continue;
    const lines = readFileSync(archive.path, 'utf8').split('\n').filter(Boolean);
    const kept = lines.filter(line => isKept(line, nowMs, rules));
    if (kept.length === 0 && archive !== archives.at(-1)) rmSync(archive.path, { force: true });
    else if (kept.length < lines.length)
      writeAtomic(archive.path, kept.map(line => `${line}\n`).join(''), { durable: false });
  }
}

/** Not touched for so long; what was has nothing in it that could go. */
function isOlder(path: string, nowMs: number, days: number): boolean {
  const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
  return nowMs - modifiedMs > days * DAY_MS;
}

/** What cannot be read is kept: it was not ours, or it is damaged. */
function isKept(line: string, nowMs: number, rules: LogRules): boolean {
  const atMs = getLineMs(line);
  return atMs === null || nowMs - atMs <= getKeepDays(getLineLevel(line), rules) * DAY_MS;
}

function getLineMs(line: string): number | null {
  const time = /^\[([^\]]+)\]/.exec(line)?.[1] ?? /"ts":"([^"]+)"/.exec(line)?.[1];
  const atMs = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(atMs) ? null : atMs;
}

/** Where a line does not say it: an agent's reads, writes and commands are routine, the rest is important. */
function getLineLevel(line: string): EventLevel {
  const level = /^\{"seq":\d+,"ts":"[^"]+","level":"(\w+)"/.exec(line)?.[1];
  const named = LEVELS.find(one => one === level);
  if (named) return named;
  return /^\{"seq":\d+,"ts":"[^"]+","type":"(?:file|cmd)_/.test(line) ? 'routine' : 'important';
}

function readFirstMs(path: string): number | null {
  try {
    return getLineMs(readFileSync(path, 'utf8').split('\n', 1)[0] ?? '');
  } catch {
    return null;
  }
}
