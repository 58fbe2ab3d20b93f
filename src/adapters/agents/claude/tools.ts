import { isAbsolute, relative, resolve } from 'node:path';
import type { AgentEvent } from '../../../ports/index.ts';
import { asList, asObject, asText, type LooseObject } from '../shared/loose-json.ts';

/** A tool call that has not been answered yet. */
export interface ToolUse {
  readonly name: string;
  readonly input: LooseObject;
}

/** What a finished tool call means to the log; calls that change and run nothing are no event. */
export function getToolEvents(use: ToolUse, result: LooseObject, cwd: string): readonly AgentEvent[] {
  const isError = result.is_error === true;
  const output = getResultText(result.content);
  if (use.name === 'Bash') return [getCommandEvent(asText(use.input.command), output, isError)];
  const path = getPath(use.input, cwd);
  if (isError) return [{ type: 'text', text: `[${use.name} ${path} failed] ${output}`.slice(0, MAX_CHARS) }];
  const action = FILE_ACTIONS[use.name];
  return action && path !== '' ? [{ type: 'file', action, path }] : [];
}

const FILE_ACTIONS: Readonly<Record<string, 'read' | 'write'>> = {
  Read: 'read',
  Write: 'write',
  Edit: 'write',
  MultiEdit: 'write',
  NotebookEdit: 'write',
};

const MAX_CHARS = 64 * 1024;

/** Text of a tool result, which is a string or a list of blocks. */
function getResultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map(block => asText(asObject(block).text))
    .join('\n');
}

/** A failed command says its code in its first line; a refused one has none. */
function getCommandEvent(command: string, output: string, isError: boolean): AgentEvent {
  const [line = '', code] = /^Exit code (\d+)\n?/.exec(output) ?? [];
  const exitCode = isError ? (code === undefined ? null : Number(code)) : 0;
  const rest = isError ? output.slice(line.length) : output;
  return { type: 'command', command, exitCode, output: rest.slice(-MAX_CHARS) };
}

/** Relative to the worktree when inside it, as git spells it. */
function getPath(input: LooseObject, cwd: string): string {
  const path = asText(input.file_path) || asText(input.notebook_path);
  if (path === '') return '';
  const inside = relative(cwd, resolve(cwd, path));
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}
