import type { AgentMode } from '../../ports.ts';
import { asList, asObject, asText } from './loose-json.ts';

export type AcpPermission = {
  readonly outcome:
    | { readonly outcome: 'cancelled' }
    | { readonly outcome: 'selected'; readonly optionId: string };
};

/** Nobody is there to be asked: working may do anything in its containment, looking may only look. */
export function getAcpPermission(params: unknown, mode: AgentMode): AcpPermission {
  const { toolCall, options } = asObject(params);
  const isAllowed = mode === 'exec' || LOOKING.includes(asText(asObject(toolCall).kind));
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
