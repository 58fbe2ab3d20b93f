import type { AgentEvent, Question, ReachedStep } from '../model/agent-event.ts';
import type { Usage } from '../model/usage.ts';

/** What a line of an agent's output can stand for. */
export type PrefixEvent = Exclude<AgentEvent, { type: 'error' | 'advice' }>;

/** A command that was announced and has not ended yet; null between commands. */
export type OpenCommand = {
  readonly command: string;
  /** Null until the agent says that the command's output follows. */
  readonly output: string | null;
} | null;

export interface PrefixStep {
  readonly open: OpenCommand;
  readonly events: readonly PrefixEvent[];
  /** Something only a person can give. */
  readonly question?: Question;
}

/**
 * Reads one line in the form that agents are asked to write: `[FILE:WRITE] path`, `[CMD:RUN] command`
 * and so on. A command becomes one event when its exit code is known. Any other line is text; nothing
 * here is trusted for more than the log.
 */
export function parsePrefixLine(open: OpenCommand, line: string): PrefixStep {
  const [prefix = '', name = ''] = /^\s*\[([A-Z]+(?::[A-Z]+)?)\]/.exec(line) ?? [];
  const rest = line.slice(prefix.length).trim();
  const reached = open?.output == null ? parseCheckpoint(line) : null;
  if (reached) return { open, events: [{ type: 'checkpoint', ...reached }] };
  switch (name) {
    case 'FILE:READ':
    case 'FILE:WRITE':
    case 'FILE:DELETE':
      return rest === '' ? getText(open, line) : { open, events: [getFileEvent(name, rest)] };
    case 'DECISION':
      return rest === '' ? getText(open, line) : { open, events: [{ type: 'decision', text: rest }] };
    case 'VERIFY:START':
    case 'VERIFY:PASS':
    case 'VERIFY:FAIL':
      return { open, events: [{ type: 'verify', what: VERIFY_WORDS[name], text: rest }] };
    case 'VISUAL:SCREENSHOT':
    case 'VISUAL:VERIFY':
      return rest === ''
        ? getText(open, line)
        : { open, events: [{ type: 'visual', what: VISUAL_WORDS[name], text: rest }] };
    case 'CMD:RUN':
      return rest === ''
        ? getText(open, line)
        : { open: { command: rest, output: null }, events: closeCommand(open, null) };
    case 'CMD:OUTPUT':
      return open ? { open: { ...open, output: rest }, events: [] } : getText(open, line);
    case 'CMD:EXIT':
      return open && /^-?\d{1,10}$/.test(rest)
        ? { open: null, events: closeCommand(open, Number(rest)) }
        : getText(open, line);
    case 'USAGE': {
      const used = parseUsage(rest);
      return used ? { open, events: [{ type: 'usage', ...used }] } : getText(open, line);
    }
    case 'ASK': {
      const question = parseQuestion(rest);
      const asked: PrefixStep = { open, events: [{ type: 'text', text: line }] };
      return question ? { ...asked, question } : getText(open, line);
    }
    default:
      return getText(open, line);
  }
}

const CHECKPOINT =
  /^\s*(?:\[[^\]]*\]\s*){0,2}(?:\[CHECKPOINT\]|CHECKPOINT(?:\s+\[[^\]]*\])?)\s+step=(\d{1,3})\/(\d{1,3})\s+(\S.*)$/;

/** A line such as `[CHECKPOINT] step=2/4 "routes created"`, or as it would stand in the log; null for any other. */
export function parseCheckpoint(line: string): ReachedStep | null {
  const [, step, total, words = ''] = CHECKPOINT.exec(line) ?? [];
  const description = words
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .slice(0, MAX_WORDS_CHARS);
  return step === undefined ? null : { step: Number(step), total: Number(total), description };
}

/** The event of a command whose end was never told, at the end of the output. */
export function closeCommand(open: OpenCommand, exitCode: number | null): readonly PrefixEvent[] {
  if (!open) return [];
  return [{ type: 'command', command: open.command, exitCode, output: open.output ?? '' }];
}

/** A line of a command's output belongs to the command, any other one stands for itself. */
function getText(open: OpenCommand, line: string): PrefixStep {
  if (!open || open.output === null) return { open, events: [{ type: 'text', text: line }] };
  const output = open.output === '' ? line : `${open.output}\n${line}`;
  return { open: { ...open, output: output.slice(-MAX_OUTPUT_CHARS) }, events: [] };
}

const MAX_OUTPUT_CHARS = 64 * 1024;

function getFileEvent(name: 'FILE:READ' | 'FILE:WRITE' | 'FILE:DELETE', path: string): PrefixEvent {
  const action = name === 'FILE:READ' ? 'read' : name === 'FILE:WRITE' ? 'write' : 'delete';
  return { type: 'file', action, path };
}

const VERIFY_WORDS = { 'VERIFY:START': 'start', 'VERIFY:PASS': 'pass', 'VERIFY:FAIL': 'fail' } as const;
const VISUAL_WORDS = { 'VISUAL:SCREENSHOT': 'screenshot', 'VISUAL:VERIFY': 'verify' } as const;

/** Null for anything that is not an object of plain, finite, non-negative numbers. */
function parseUsage(json: string): { readonly usage: Usage; readonly contextTokens?: number } | null {
  const fields = parseFields(json);
  if (fields === null) return null;
  const [inputTokens, outputTokens, cachedTokens, costUsd] = USAGE_FIELDS.map(name => fields.get(name) ?? 0);
  if (!isAmount(inputTokens) || !isAmount(outputTokens) || !isAmount(cachedTokens) || !isAmount(costUsd)) {
    return null;
  }
  const contextTokens = fields.get('context_tokens');
  if (contextTokens !== undefined && !isAmount(contextTokens)) return null;
  const usage = { inputTokens, outputTokens, cachedTokens, costUsd };
  return { usage, ...(contextTokens === undefined ? {} : { contextTokens }) };
}

/** Null without a question in words; the rest may be left out. */
function parseQuestion(json: string): Question | null {
  const fields = parseFields(json);
  const question = getWords(fields?.get('question'));
  if (!fields || question === '') return null;
  const listed = fields.get('steps');
  const steps = Array.isArray(listed) ? listed.slice(0, MAX_STEPS).map(getWords).filter(Boolean) : [];
  return { question, why: getWords(fields.get('why')), steps, check: getWords(fields.get('check')) };
}

const MAX_STEPS = 20;
const MAX_WORDS_CHARS = 2_000;

function getWords(value: unknown): string {
  return typeof value === 'string' ? value.trim().slice(0, MAX_WORDS_CHARS) : '';
}

/** Null for anything that is no JSON object. */
function parseFields(json: string): ReadonlyMap<string, unknown> | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value));
}

const USAGE_FIELDS = ['input_tokens', 'output_tokens', 'cached_tokens', 'cost_usd'];

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
