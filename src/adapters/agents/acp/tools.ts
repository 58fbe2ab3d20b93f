import { type Fields, getFields, getList, getText } from '../../../core/base/json.ts';
import type { AgentEvent, AgentMode } from '../../../ports/index.ts';
import { getInsidePath, getTypedCommand, MAX_OUTPUT_CHARS } from '../shared/tool-events.ts';

/** All that is known of a tool call: each update tells only what has changed. */
export interface AcpToolCall {
  readonly kind: string;
  readonly title: string;
  readonly rawInput: Fields;
  readonly rawOutput: unknown;
  readonly content: readonly unknown[];
  readonly locations: readonly unknown[];
  readonly status: string;
  /** Output that came outside the protocol's own fields. */
  readonly terminal: string;
  readonly exitCode: number | null;
}

export const NEW_TOOL_CALL: AcpToolCall = {
  kind: '',
  title: '',
  rawInput: {},
  rawOutput: undefined,
  content: [],
  locations: [],
  status: 'pending',
  terminal: '',
  exitCode: null,
};

export function mergeToolCall(call: AcpToolCall, update: Fields): AcpToolCall {
  const meta = getFields(update._meta);
  const exit = getFields(meta.terminal_exit).exit_code;
  const more = getText(getFields(meta.terminal_output_delta).data);
  const rawInput = getFields(update.rawInput);
  return {
    kind: getText(update.kind) || call.kind,
    title: getText(update.title) || call.title,
    rawInput: Object.keys(rawInput).length > 0 ? rawInput : call.rawInput,
    rawOutput: update.rawOutput ?? call.rawOutput,
    content: Array.isArray(update.content) ? update.content : call.content,
    locations: Array.isArray(update.locations) ? update.locations : call.locations,
    status: getText(update.status) || call.status,
    terminal: `${call.terminal}${more}`.slice(-MAX_OUTPUT_CHARS),
    exitCode: typeof exit === 'number' ? exit : call.exitCode,
  };
}

/** What a finished call means to the log; calls that change and run nothing are no event. */
export function getAcpToolEvents(call: AcpToolCall, cwd: string): readonly AgentEvent[] {
  const isDone = call.status === 'completed';
  if (call.kind === 'execute') return [getCommandEvent(call)];
  if (!isDone)
    return [{ type: 'text', text: `[${call.title} failed] ${getOutput(call)}`.slice(0, MAX_OUTPUT_CHARS) }];
  const action = ACTIONS[call.kind];
  if (!action) return [];
  return getPaths(call).map(path => ({ type: 'file', action, path: getInsidePath(path, cwd) }));
}

const ACTIONS: Readonly<Record<string, 'read' | 'write' | 'delete'>> = {
  read: 'read',
  edit: 'write',
  move: 'write',
  delete: 'delete',
};

function getCommandEvent(call: AcpToolCall): AgentEvent {
  const output = getOutput(call);
  const lastTurn = /^Exit code (\d+)\n?/.exec(output);
  const exitCode = call.exitCode ?? (lastTurn ? Number(lastTurn[1]) : call.status === 'completed' ? 0 : null);
  const rest = lastTurn ? output.slice(lastTurn[0].length) : output;
  return {
    type: 'command',
    command: getCommandLine(call) || call.title,
    exitCode,
    output: rest.slice(-MAX_OUTPUT_CHARS),
  };
}

/** The command as a line for a shell; empty when none was told. */
function getCommandLine({ rawInput: { command } }: AcpToolCall): string {
  if (!Array.isArray(command)) return getTypedCommand(getText(command));
  return getTypedCommand(command.map(word => quote(String(word))).join(' '));
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Agents put it in one of three places. */
function getOutput({ terminal, rawOutput, content }: AcpToolCall): string {
  if (terminal !== '') return terminal;
  const raw = getFields(rawOutput);
  const lastTurn =
    getText(rawOutput) || getText(raw.formatted_output) || getText(raw.output) || getText(raw.stdout);
  if (lastTurn !== '') return lastTurn;
  return content.map(part => getText(getFields(getFields(part).content).text)).join('\n');
}

/** Where it said it was, or what it showed of the change. */
function getPaths({ content, locations }: AcpToolCall): readonly string[] {
  const paths = [...content, ...locations].map(part => getText(getFields(part).path));
  return [...new Set(paths)].filter(path => path !== '');
}

export type AcpPermission = {
  readonly outcome:
    | { readonly outcome: 'cancelled' }
    | { readonly outcome: 'selected'; readonly optionId: string };
};

/** What decides about what an agent asks to do. */
export interface AcpRules {
  readonly mode: AgentMode;
  /** Why a command must not run; null when it may. */
  readonly refuse?: (command: string) => string | null;
  /** What has been told of a call before; a question may hold no more than its id. */
  readonly findCall?: (id: string) => AcpToolCall | undefined;
  /** The protocol has no words for the agent; for the log there are some. */
  readonly onRefused?: (reason: string, command: string) => void;
}

/**
 * Nobody is there to be asked: looking may only look, and working may do anything in its containment
 * but what the command policy refuses.
 */
export function getAcpPermission(params: unknown, rules: AcpRules): AcpPermission {
  const { toolCall, options } = getFields(params);
  const asked = getFields(toolCall);
  const call = mergeToolCall(rules.findCall?.(getText(asked.toolCallId)) ?? NEW_TOOL_CALL, asked);
  const isAllowed = rules.mode === 'exec' ? !isRefused(call, rules) : LOOKING.includes(getText(asked.kind));
  const wanted = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const offered = getList(options).map(getFields);
  for (const kind of wanted) {
    const option = offered.find(one => one.kind === kind);
    if (option) return { outcome: { outcome: 'selected', optionId: getText(option.optionId) } };
  }
  return { outcome: { outcome: 'cancelled' } };
}

/** Kinds of tools that change nothing; one without a kind may do anything. */
const LOOKING = ['read', 'search', 'think'];

function isRefused(call: AcpToolCall, { refuse, onRefused }: AcpRules): boolean {
  const line = getCommandLine(call) || (call.kind === 'execute' ? call.title : '');
  const reason = line === '' ? null : (refuse?.(line) ?? null);
  if (reason === null) return false;
  onRefused?.(reason, line);
  return true;
}
