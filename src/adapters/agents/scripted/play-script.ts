import { lstat, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Usage } from '../../../core/model/usage.ts';
import { addUsage, NO_USAGE } from '../../../core/model/usage.ts';
import type { AgentEvent, AgentResult, Clock, SessionRequest, Shell } from '../../../ports/index.ts';
import type { AgentSettings } from '../shared/provider.ts';
import { parseStructured } from '../shared/structured.ts';
import type { Move } from './script-schema.ts';

/** Where a script is played: the session, and what it may use. */
export interface Stage {
  readonly request: SessionRequest;
  readonly emit: (event: AgentEvent) => void;
  readonly shell: Shell;
  readonly clock: Clock;
  /** What it may run, as the project has it. */
  readonly allowed: Pick<AgentSettings, 'hasShell' | 'shellTimeoutMs' | 'deny'>;
}

type Ending = Pick<AgentResult, 'outcome' | 'summary' | 'structured' | 'failure' | 'question'>;

/** Plays the moves in order until one of them ends the session, the time is up or somebody stops it. */
export async function playScript(moves: readonly Move[], stage: Stage): Promise<AgentResult> {
  const limit = startLimit(stage);
  let usage = NO_USAGE;
  try {
    for (const move of moves) {
      limit.signal.throwIfAborted();
      if (move.name === 'burn') {
        const burnt = getBurnt(move.what);
        usage = addUsage(usage, burnt);
        stage.emit({ type: 'usage', usage: burnt });
        continue;
      }
      const ending = await playMove(move, stage, limit.signal);
      if (ending) return { ...ending, usage };
    }
    limit.signal.throwIfAborted();
    const silent = moves.some(({ name }) => name === 'say') ? {} : { silent: true as const };
    return { outcome: 'not-done', summary: 'The script ended without a claim.', usage, ...silent };
  } catch (error) {
    return { ...getStopped(error, limit, stage), usage };
  } finally {
    limit.end();
  }
}

interface Limit {
  /** Aborts when the session's time is up or when the caller stops it. */
  readonly signal: AbortSignal;
  isTimeUp(): boolean;
  end(): void;
}

function startLimit({ request, clock }: Stage): Limit {
  const time = new AbortController();
  const over = new AbortController();
  clock.sleep(request.timeoutMs, over.signal).then(
    () => time.abort(),
    () => undefined,
  );
  return {
    signal: AbortSignal.any([request.signal, time.signal]),
    isTimeUp: () => time.signal.aborted,
    end: () => over.abort(),
  };
}

async function playMove(
  move: Exclude<Move, { name: 'burn' }>,
  stage: Stage,
  signal: AbortSignal,
): Promise<Ending | null> {
  switch (move.name) {
    case 'say':
      stage.emit({ type: 'text', text: move.what });
      return null;
    case 'decide':
      stage.emit({ type: 'decision', text: move.what });
      return null;
    case 'checkpoint':
      stage.emit({ type: 'checkpoint', ...move.what });
      return null;
    case 'edit':
      await writeInside(stage.request.cwd, move.what.file, before => getEdited(move.what, before));
      stage.emit({ type: 'file', action: 'write', path: move.what.file });
      return null;
    case 'delete':
      await deleteInside(stage.request.cwd, move.what);
      stage.emit({ type: 'file', action: 'delete', path: move.what });
      return null;
    case 'run':
      await playCommand(move.what, stage, signal);
      return null;
    case 'sleep':
      await stage.clock.sleep(move.what * 1_000, signal);
      return null;
    case 'hang':
      await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
      return null;
    case 'crash':
      stage.emit({ type: 'error', kind: 'crash', message: move.what });
      return { outcome: 'crashed', summary: move.what };
    case 'refuse':
      return getRefusal(move.what, stage);
    case 'claim':
    case 'lie':
      return { outcome: 'claimed', summary: move.what };
    case 'answer':
      return getAnswer(move.what, stage);
    case 'ask':
      return { outcome: 'not-done', summary: move.what.question, question: move.what };
    case 'give_up':
      return { outcome: 'not-done', summary: move.what };
  }
}

/** As a provider does that cannot be had for a while. */
function getRefusal({ kind, retry_seconds }: Refusal, { clock }: Stage): Ending {
  const message = `${kind}: try again in ${retry_seconds} s`;
  const retryAtMs = clock.nowMs() + retry_seconds * 1_000;
  const failure = { kind, message, ...(retry_seconds > 0 ? { retryAtMs } : {}) };
  return { outcome: 'crashed', summary: message, failure };
}

type Refusal = Extract<Move, { name: 'refuse' }>['what'];

/** Held to the form that was asked for, as the answer of any agent is. */
function getAnswer(value: unknown, { request, emit }: Stage): Ending {
  const text = JSON.stringify(value);
  emit({ type: 'text', text });
  const answer = parseStructured(text, request.schema ?? {});
  if (answer.ok) return { outcome: 'claimed', summary: 'answered', structured: answer.value };
  const failure = { kind: 'malformed', message: answer.why } as const;
  return { outcome: 'crashed', summary: answer.why, failure };
}

function getEdited(edit: Extract<Move, { name: 'edit' }>['what'], before: string | null): string {
  if (edit.content !== undefined) return edit.content;
  if (edit.append !== undefined) return (before ?? '') + edit.append;
  const { find = '', replace = '' } = edit;
  if (before === null) throw new RefusedMove(`${edit.file} does not exist, so there is nothing to replace`);
  if (!before.includes(find)) throw new RefusedMove(`${edit.file} does not hold the text to replace`);
  return before.replace(find, () => replace);
}

async function playCommand(command: string, stage: Stage, signal: AbortSignal): Promise<void> {
  const { hasShell, deny, shellTimeoutMs = Number.POSITIVE_INFINITY } = stage.allowed;
  if (hasShell === false) throw new RefusedMove(`"${command}" was not run: tools.shell.enabled is false`);
  const refusal = deny?.(command) ?? null;
  if (refusal !== null) throw new RefusedMove(`"${command}" was not run. ${refusal}`);
  const { cwd, surroundings = {} } = stage.request;
  const timeoutMs = Math.min(stage.request.timeoutMs, shellTimeoutMs);
  const result = await stage.shell.run({ command, cwd, surroundings, timeoutMs, signal });
  stage.emit({ type: 'command', command, exitCode: result.exitCode, output: result.output });
}

function getBurnt(what: Extract<Move, { name: 'burn' }>['what']): Usage {
  return {
    inputTokens: what.input,
    outputTokens: what.output,
    cachedTokens: what.cached,
    costUsd: what.cost_usd,
  };
}

/** What ended the play: a move that could not be made, the clock, or the caller. */
function getStopped(error: unknown, limit: Limit, { request, emit }: Stage): Ending {
  if (error instanceof RefusedMove) {
    emit({ type: 'error', kind: 'bad_request', message: error.message });
    return { outcome: 'not-done', summary: error.message };
  }
  if (request.signal.aborted) {
    emit({ type: 'error', kind: 'cancelled', message: 'The session was stopped.' });
    return { outcome: 'not-done', summary: 'The session was stopped.' };
  }
  if (!limit.isTimeUp()) throw error;
  emit({ type: 'error', kind: 'timeout', message: 'The time for this session is up.' });
  return { outcome: 'timeout', summary: 'The time for this session is up.' };
}

/** A move that cannot be made; the message is for the person who wrote the script. */
class RefusedMove extends Error {}

/** Writes a file below `root`, made from its present text (null when there is none). */
async function writeInside(
  root: string,
  file: string,
  getText: (before: string | null) => string,
): Promise<void> {
  const target = await resolveInside(root, file, 'through');
  try {
    const text = getText(await readIfThere(target));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  } catch (error) {
    if (error instanceof RefusedMove) throw error;
    throw new RefusedMove(`cannot write ${file}: ${(error as Error).message}`);
  }
}

/** Deletes a file or folder below `root`; a symlink goes itself, not what it points to. */
async function deleteInside(root: string, file: string): Promise<void> {
  const target = await resolveInside(root, file, 'up-to');
  try {
    await rm(target, { recursive: true });
  } catch (error) {
    throw new RefusedMove(`cannot delete ${file}: ${(error as Error).message}`);
  }
}

/** The path to use, once neither `..` nor a symlink on the way (or at its end) leads out of `root`. */
async function resolveInside(root: string, file: string, links: 'through' | 'up-to'): Promise<string> {
  const realRoot = await realpath(root);
  const target = resolve(realRoot, file);
  const existing = await findExisting(links === 'through' ? target : dirname(target));
  const real = await realpath(existing).catch(() => null);
  if (real === null || !isWithin(realRoot, real)) {
    throw new RefusedMove(`${file} is outside the working directory`);
  }
  return target;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function findExisting(path: string): Promise<string> {
  try {
    await lstat(path);
    return path;
  } catch {
    return await findExisting(join(path, '..'));
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
