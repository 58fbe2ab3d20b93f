import type { AgentEvent } from '../../../ports/index.ts';
import { asObject, asText, type LooseObject } from '../shared/loose-json.ts';
import { getInsidePath, getTypedCommand } from '../shared/tool-paths.ts';

/** All that is known of a tool call: each update tells only what has changed. */
export interface AcpToolCall {
  readonly kind: string;
  readonly title: string;
  readonly rawInput: LooseObject;
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

export function mergeToolCall(call: AcpToolCall, update: LooseObject): AcpToolCall {
  const meta = asObject(update._meta);
  const exit = asObject(meta.terminal_exit).exit_code;
  const more = asText(asObject(meta.terminal_output_delta).data);
  const rawInput = asObject(update.rawInput);
  return {
    kind: asText(update.kind) || call.kind,
    title: asText(update.title) || call.title,
    rawInput: Object.keys(rawInput).length > 0 ? rawInput : call.rawInput,
    rawOutput: update.rawOutput ?? call.rawOutput,
    content: Array.isArray(update.content) ? update.content : call.content,
    locations: Array.isArray(update.locations) ? update.locations : call.locations,
    status: asText(update.status) || call.status,
    terminal: `${call.terminal}${more}`.slice(-MAX_CHARS),
    exitCode: typeof exit === 'number' ? exit : call.exitCode,
  };
}

const MAX_CHARS = 64 * 1024;

/** What a finished call means to the log; calls that change and run nothing are no event. */
export function getAcpToolEvents(call: AcpToolCall, cwd: string): readonly AgentEvent[] {
  const isDone = call.status === 'completed';
  if (call.kind === 'execute') return [getCommandEvent(call)];
  if (!isDone)
    return [{ type: 'text', text: `[${call.title} failed] ${getOutput(call)}`.slice(0, MAX_CHARS) }];
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
  const told = /^Exit code (\d+)\n?/.exec(output);
  const exitCode = call.exitCode ?? (told ? Number(told[1]) : call.status === 'completed' ? 0 : null);
  const rest = told ? output.slice(told[0].length) : output;
  return {
    type: 'command',
    command: getCommandLine(call) || call.title,
    exitCode,
    output: rest.slice(-MAX_CHARS),
  };
}

/** The command as a line for a shell; empty when none was told. */
export function getCommandLine({ rawInput: { command } }: AcpToolCall): string {
  if (!Array.isArray(command)) return getTypedCommand(asText(command));
  return getTypedCommand(command.map(word => quote(String(word))).join(' '));
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Agents put it in one of three places. */
function getOutput({ terminal, rawOutput, content }: AcpToolCall): string {
  if (terminal !== '') return terminal;
  const raw = asObject(rawOutput);
  const told = asText(rawOutput) || asText(raw.formatted_output) || asText(raw.output) || asText(raw.stdout);
  if (told !== '') return told;
  return content.map(part => asText(asObject(asObject(part).content).text)).join('\n');
}

/** Where it said it was, or what it showed of the change. */
function getPaths({ content, locations }: AcpToolCall): readonly string[] {
  const paths = [...content, ...locations].map(part => asText(asObject(part).path));
  return [...new Set(paths)].filter(path => path !== '');
}
