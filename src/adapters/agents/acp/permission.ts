import type { AgentMode } from '../../../ports/index.ts';
import { asList, asObject, asText } from '../shared/loose-json.ts';
import { type AcpToolCall, getCommandLine, mergeToolCall, NEW_TOOL_CALL } from './tools.ts';

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
  const { toolCall, options } = asObject(params);
  const asked = asObject(toolCall);
  const call = mergeToolCall(rules.findCall?.(asText(asked.toolCallId)) ?? NEW_TOOL_CALL, asked);
  const isAllowed = rules.mode === 'exec' ? !isRefused(call, rules) : LOOKING.includes(asText(asked.kind));
  const wanted = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const offered = asList(options).map(asObject);
  for (const kind of wanted) {
    const option = offered.find(one => one.kind === kind);
    if (option) return { outcome: { outcome: 'selected', optionId: asText(option.optionId) } };
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
