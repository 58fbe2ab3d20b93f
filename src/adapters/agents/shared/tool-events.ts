import { isAbsolute, relative, resolve } from 'node:path';
import { parseCheckpoint } from '../../../core/monitor/agent-prefixes.ts';
import type { CommandFinding } from '../../../core/shell/command-policy.ts';
import type { Agent, AgentEvent } from '../../../ports/index.ts';

/** What one event may hold of a command's output. */
export const MAX_OUTPUT_CHARS = 64 * 1024;

/** What an agent says; lines that start with `[DECISION]` or `[CHECKPOINT]` are told as such, too. */
export function emitText(text: string, emit: (event: AgentEvent) => void): void {
  if (text.trim() === '') return;
  emit({ type: 'text', text });
  for (const [, decision = ''] of text.matchAll(/^\s*\[DECISION\][ \t]*(\S.*)$/gm)) {
    emit({ type: 'decision', text: decision.trim() });
  }
  for (const line of text.split('\n')) {
    const reached = parseCheckpoint(line);
    if (reached) emit({ type: 'checkpoint', ...reached });
  }
}

/** Relative to the worktree when inside it, as git spells it. */
export function getInsidePath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

/** What the model typed, out of `/bin/bash -lc '…'`. */
export function getTypedCommand(command: string): string {
  const word = /^\S*sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  if (word === undefined) return command;
  const parts = word.match(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^'"\\\s]+/g) ?? [];
  // More than one word, or quotes that do not close: better shown as it came.
  return parts.join('') === word ? parts.map(unquote).join('') : command;
}

function unquote(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replace(/\\([\\"$`\n])/g, '$1');
  return part.startsWith('\\') ? part.slice(1) : part;
}

/** The same agent, with a word after each of its commands that is worth one. */
export function withAdvice(agent: Agent, find: (command: string) => readonly CommandFinding[]): Agent {
  return {
    ...agent,
    run: (request, onEvent) =>
      agent.run(request, event => {
        onEvent(event);
        if (event.type !== 'command') return;
        for (const { rule, reason } of find(event.command)) {
          onEvent({ type: 'advice', rule, message: reason, command: event.command });
        }
      }),
  };
}
