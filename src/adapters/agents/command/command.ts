import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { getShellQuoted } from '../../../core/base/shell-quoted.ts';
import { getCommands, isAssignment, type Word } from '../../../core/shell/command-line.ts';
import type { AgentEvent, AgentResult, SessionRequest } from '../../../ports/index.ts';
import { getTmpPrefix } from '../../process/group-notes.ts';
import { getShellCommand } from '../../process/shell.ts';
import { type SpawnOwner, type SpawnResult, spawnContained } from '../../process/spawn-contained.ts';
import type { AgentSettings, Driver } from '../shared/provider.ts';
import { getPromptWithForm, parseStructured } from '../shared/structured.ts';
import { createCommandListener, createOrder } from './listener.ts';
import { openMessages } from './messages.ts';
import { createTraces, type Traces } from './traces.ts';

export interface CommandOptions
  extends Pick<
    AgentSettings,
    'passEnv' | 'readPrefixes' | 'tracksFallback' | 'missingPrefixes' | 'graceMs' | 'shellTimeoutMs'
  > {
  readonly owner: SpawnOwner;
  /** A shell line; a relative program is looked for in the worktree. */
  readonly command: string;
  /** Where files that the line names are when there is no worktree to look in, as for a planner. */
  readonly projectRoot?: string;
}

/** Any program as the agent: the prompt on stdin, exit 0 is the claim. */
export function createCommandAgent(options: CommandOptions): Driver {
  return {
    run: async (request, emit) => {
      const order = createOrder(emit);
      const listener = createCommandListener(order.emit, options.readPrefixes ?? true);
      const traces = getTraces(options, request, emit);
      const dir = await mkdtemp(getTmpPrefix(options.owner.workerId));
      const messages = await openMessages(dir);
      const unsubscribe = request.injections?.subscribe(messages.say);
      try {
        const onLine = (line: string): void => {
          // Before its use is counted, it is looked at what it did for that.
          if (traces && line.includes('[USAGE]')) order.wait(traces.look());
          listener.onLine(line);
        };
        const onStart = traces?.begin ?? (() => undefined);
        const result = await runProgram(options, request, { dir, env: messages.env, onLine, onStart });
        listener.end();
        await order.settled();
        return endSession(options, request, { result, listener, emit });
      } finally {
        unsubscribe?.();
        traces?.close();
        messages.close();
        await rm(dir, { recursive: true, force: true });
      }
    },
  };
}

interface Handed {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  onLine(line: string): void;
  onStart(pid: number): void;
}

/** Only work leaves traces, and only where they are wanted. */
function getTraces(
  { tracksFallback, command }: CommandOptions,
  { mode, cwd }: SessionRequest,
  emit: (event: AgentEvent) => void,
): Traces | null {
  return tracksFallback && (mode ?? 'exec') === 'exec' ? createTraces({ cwd, command, emit }) : null;
}

/** Runs the program to its end; what it is told lies in `dir`, outside of the worktree. */
async function runProgram(
  options: CommandOptions,
  request: SessionRequest,
  { dir, env, onLine, onStart }: Handed,
): Promise<SpawnResult> {
  const promptFile = join(dir, 'prompt.md');
  const taskFile = join(dir, 'task.json');
  const prompt = getPromptWithForm(request);
  await writeFile(promptFile, prompt);
  await writeFile(taskFile, `${JSON.stringify(getTaskJson(request), null, 2)}\n`);
  const servers = await writeServers(dir, request);
  const { line, seen } = getProgram(options, request);
  const cwd = request.role === 'summariser' ? await mkdtemp(join(dir, 'empty-')) : request.cwd;
  const [file, ...args] = getShellCommand(line, process.env.PATH);
  return await spawnContained(options.owner, {
    file,
    args,
    cwd,
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    stdin: prompt,
    readable: [dir, ...seen, ...(request.candidateDir ? [request.candidateDir] : [])],
    ...(options.passEnv ? { passEnv: options.passEnv } : {}),
    surroundings: request.surroundings ?? {},
    ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
    env: {
      ...env,
      HARNESS_PROMPT_FILE: promptFile,
      HARNESS_TASK_FILE: taskFile,
      HARNESS_TASK_ID: request.task.id,
      HARNESS_ATTEMPT: String(request.attempt),
      HARNESS_SESSION: String(request.session),
      // Programs tell those who answer from those who work by it: the second reader of a review is one of the first.
      HARNESS_ROLE: request.role === 'second-reader' ? 'review' : (request.role ?? 'coding'),
      HARNESS_ROUND: String(request.round ?? 0),
      ...(request.model ? { HARNESS_MODEL: request.model } : {}),
      ...(options.shellTimeoutMs
        ? { HARNESS_SHELL_TIMEOUT_SECONDS: String(options.shellTimeoutMs / 1_000) }
        : {}),
      ...(servers ? { HARNESS_MCP_CONFIG: servers } : {}),
      ...(request.effort ? { HARNESS_EFFORT: request.effort } : {}),
      ...(request.candidateDir ? { HARNESS_CANDIDATE_DIR: request.candidateDir } : {}),
    },
    onStart,
    onStdoutLine: onLine,
  });
}

/** The servers that the project has for its agents, in the form that most programs take; null without any. */
async function writeServers(dir: string, { mcpServers = {} }: SessionRequest): Promise<string | null> {
  if (Object.keys(mcpServers).length === 0) return null;
  const path = join(dir, 'mcp.json');
  await writeFile(path, `${JSON.stringify({ mcpServers }, null, 2)}\n`);
  return path;
}

interface Ended {
  readonly result: SpawnResult;
  readonly listener: ReturnType<typeof createCommandListener>;
  emit(event: AgentEvent): void;
}

function endSession(
  { command, readPrefixes = true, missingPrefixes }: CommandOptions,
  request: SessionRequest,
  { result, listener, emit }: Ended,
): AgentResult {
  const isMissing = readPrefixes && request.mode !== 'complete' && !listener.hasPrefixes();
  const { error, ...ending } = getEndingByForm(
    getEnding(command, result, listener.lastText(), request.mode === 'complete'),
    isMissing ? missingPrefixes : 'ignore',
  );
  if (isMissing && missingPrefixes === 'warn')
    emit({ type: 'advice', rule: 'prefixes', message: NO_PREFIXES, command });
  if (error) emit({ type: 'error', kind: error, message: ending.summary });
  const answer = ending.outcome === 'claimed' ? getAnswer(request, listener.allText()) : {};
  const question = listener.question();
  return { ...ending, usage: listener.usage(), ...(question ? { question } : {}), ...answer };
}

/** Who plans or sums up works in an empty folder: what the line names of the project is found, and seen, there. */
function getProgram({ command, projectRoot }: CommandOptions, { role }: SessionRequest) {
  const isApart = role === 'planner' || role === 'summariser';
  if (!isApart || projectRoot === undefined) return { line: command, seen: [] };
  let line = command;
  const seen: string[] = [];
  for (const { value, start, end } of getCommands(command).flatMap(getPaths).reverse()) {
    const file = join(projectRoot, value);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    line = `${line.slice(0, start)}${getShellQuoted(file)}${line.slice(end)}`;
    seen.push(file);
  }
  return { line, seen };
}

/** The words of a command that may be paths in the project; a program's bare name is looked for elsewhere. */
function getPaths(words: readonly Word[]): readonly Word[] {
  const program = words.find(({ value }) => !isAssignment(value));
  return words.filter(
    word =>
      !isAbsolute(word.value) &&
      !word.value.split('/').includes('..') &&
      (word !== program || word.value.includes('/')),
  );
}

/** In `complete` mode: the JSON document that the program printed, with or without words around it. */
function getAnswer(
  { mode, schema }: SessionRequest,
  text: string,
): Pick<AgentResult, 'structured'> | Pick<AgentResult, 'outcome' | 'failure'> {
  if (mode !== 'complete' || !schema) return {};
  const answer = parseStructured(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1), schema);
  if (answer.ok) return { structured: answer.value };
  return { outcome: 'crashed', failure: { kind: 'malformed', message: answer.why, words: text } };
}

/** The task in the words of the backlog file. */
function getTaskJson({ task, attempt, session }: SessionRequest): unknown {
  const { validation } = task;
  return {
    id: task.id,
    title: task.title,
    category: task.category,
    priority: task.priority,
    depends_on: task.dependsOn,
    test_file: task.testFile,
    validation: validation && { command: validation.command, timeout_seconds: validation.timeoutSeconds },
    verification_steps: task.verificationSteps,
    verification_type: task.verificationType,
    may_change: task.mayChange,
    size: task.size,
    max_attempts: task.maxAttempts,
    attempt,
    session,
  };
}

interface Ending extends Pick<AgentResult, 'outcome' | 'summary' | 'silent' | 'failure'> {
  readonly error: 'timeout' | 'cancelled' | 'crash' | 'start' | null;
}

/** What the end of the program means; shells tell of signals and missing programs by exit code. */
function getEnding(command: string, result: SpawnResult, lastText: string, isAsked: boolean): Ending {
  const { exitCode, signal } = result;
  const text = lastText.slice(0, 500);
  const because = getReason(result.stderr, text);
  if (result.end === 'timeout') {
    return { outcome: 'timeout', summary: `${command} took too long and was stopped.`, error: 'timeout' };
  }
  if (result.end === 'aborted') {
    return { outcome: 'not-done', summary: `${command} was stopped.`, error: 'cancelled' };
  }
  if (result.error !== null) return getUnstarted(`${command} could not be started: ${result.error}`);
  // Whoever has said something was there, whatever it then did not find. Shells end with 2 over a script that
  // they cannot open: whoever is asked for words alone and has none has not begun.
  const isMissing = exitCode === 126 || exitCode === 127 || (isAsked && exitCode === 2);
  if (isMissing && !text) return getUnstarted(`${command} could not be started${because}`);
  if (exitCode === null || (exitCode > 128 && exitCode < 160)) {
    const name = signal ?? `signal ${(exitCode ?? 128) - 128}`;
    return { outcome: 'crashed', summary: `${command} was ended by ${name}${because}`, error: 'crash' };
  }
  if (exitCode === 0 && !text)
    return { outcome: 'claimed', summary: `${command} exited 0.`, silent: true, error: null };
  if (exitCode === 0) return { outcome: 'claimed', summary: text, error: null };
  return { outcome: 'not-done', summary: `${command} exited ${exitCode}${because}`, error: null };
}

/** That it did not begin says nothing about the task: nobody is charged for it. */
function getUnstarted(message: string): Ending {
  return { outcome: 'crashed', summary: message, error: 'start', failure: { kind: 'start', message } };
}

const NO_PREFIXES =
  'no line of its output has a prefix such as [FILE:WRITE] or [CMD:RUN]: what it did cannot be told';

/** A claim in a form that nobody can follow is none, where that is asked for. */
function getEndingByForm(ending: Ending, missing: AgentSettings['missingPrefixes']): Ending {
  if (missing !== 'refuse' || ending.outcome !== 'claimed') return ending;
  return { outcome: 'not-done', summary: `${NO_PREFIXES} (logging.require_prefixes)`, error: null };
}

/** The end of stderr says best why a program failed; else its last words. */
function getReason(stderr: string, text: string): string {
  const why = stderr.trim().slice(-500) || text;
  return why === '' ? '.' : `: ${why}`;
}
