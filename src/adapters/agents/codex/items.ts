import type { AgentEvent } from '../../../ports/index.ts';
import { emitText } from '../shared/emit-text.ts';
import { asList, asObject, asText, type LooseObject } from '../shared/loose-json.ts';
import { getInsidePath, getTypedCommand } from '../shared/tool-paths.ts';

/** Tells what a finished item means; anything it does not know is left aside. */
export function emitCodexItem(item: LooseObject, cwd: string, emit: (event: AgentEvent) => void): void {
  switch (item.type) {
    case 'agent_message':
    case 'reasoning':
      emitText(asText(item.text), emit);
      break;
    case 'command_execution':
      emit({
        type: 'command',
        command: getTypedCommand(asText(item.command)),
        exitCode: typeof item.exit_code === 'number' ? item.exit_code : null,
        output: asText(item.aggregated_output).slice(-MAX_CHARS),
      });
      break;
    case 'file_change':
      for (const event of getFileEvents(item, cwd)) emit(event);
      break;
    case 'mcp_tool_call':
      emit({ type: 'text', text: getCallText(item) });
      break;
    // A warning, such as a model it has no description of; failures come as events of their own.
    case 'error':
      emit({ type: 'text', text: `[codex] ${asText(item.message)}`.slice(0, MAX_CHARS) });
      break;
  }
}

function getFileEvents(item: LooseObject, cwd: string): readonly AgentEvent[] {
  if (item.status !== 'completed') return [];
  return asList(item.changes)
    .map(asObject)
    .map(({ kind, path }) => ({
      type: 'file',
      action: kind === 'delete' ? 'delete' : 'write',
      path: getInsidePath(asText(path), cwd),
    }));
}

function getCallText(item: LooseObject): string {
  const error = asText(asObject(item.error).message);
  return `[${asText(item.server)}.${asText(item.tool)}${error ? ` failed] ${error}` : ']'}`.slice(
    0,
    MAX_CHARS,
  );
}

const MAX_CHARS = 64 * 1024;
