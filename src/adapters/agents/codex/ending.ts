import type { AgentFailure, SessionRequest } from '../../../ports/index.ts';
import {
  ALL_EMPTY,
  type Ending,
  getFailedEnding,
  getSaidEnding,
  getWatchedFailure,
} from '../shared/ending.ts';
import { getFailureOfText } from '../shared/provider-failure.ts';
import type { SessionEnd } from '../shared/watch-session.ts';
import type { LastTurn } from './turn.ts';

export interface CodexStory {
  readonly request: Pick<SessionRequest, 'mode' | 'schema'>;
  /** Null when there was none, or it never came to an end. */
  readonly last: LastTurn | null;
  readonly end: SessionEnd | null;
  readonly nowMs: number;
}

/** What the end of a session means: a claim only when the last turn was completed. */
export function getCodexEnding(story: CodexStory): Ending {
  const { request, last, end } = story;
  const isEmpty = last?.how === 'completed' && !last.hasSpoken;
  if (isEmpty) return getFailedEnding(ALL_EMPTY, null);
  if (last?.how === 'completed') return getSaidEnding(request, last.said, 'Codex ended its turn.');
  return getFailedEnding(getFailure(story), end);
}

/** Who ended it from outside is asked first: what Codex says when it is stopped is of no interest. */
function getFailure({ last, end, nowMs }: CodexStory): AgentFailure {
  if (end) return getWatchedFailure(end);
  if (last?.cutFor === 'silence') {
    return { kind: 'timeout', message: 'Nothing was heard of the model for too long.' };
  }
  const message = last?.message ?? '';
  if (last?.how === 'failed') return getFailureOfText(message || 'Codex failed and did not say why.', nowMs);
  const crash = { kind: 'crash', message: message || 'Codex ended in the middle of its turn.' } as const;
  if (message === '') return crash;
  const failure = getFailureOfText(message, nowMs);
  return failure.kind === 'unknown' ? crash : failure;
}
