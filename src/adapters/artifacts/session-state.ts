import { HARNESS_VERSION, SCHEMA_VERSION } from '../../core/base/version.ts';
import type { PastAttempt } from '../../core/state/attempt.ts';
import type { LastSession, State } from '../../core/state/state.ts';
import { getFeatureId, getIsoSeconds, getJsonFile } from './format.ts';

/** `session_state.json`: where things stand, in fields that other tools read. */
export function getSessionState(state: State): string {
  const last = state.recent.lastSession;
  const ending = last ? getEnding(state, last) : undefined;
  const status = getStatus(last, ending);
  return getJsonFile({
    harness_version: HARNESS_VERSION,
    schema_version: SCHEMA_VERSION,
    last_session: last?.session ?? 0,
    status,
    current_feature: getCurrentFeature(state, status),
    termination_reason: last ? getTerminationReason(last, status, state.trouble.stuckCount) : null,
    next_prompt: status === 'partial' ? 'continuation' : 'coding',
    stuck_count: state.trouble.stuckCount,
    timestamp: getIsoSeconds(ending?.endedAtMs ?? last?.endedAtMs ?? state.createdAtMs),
  });
}

type Status = 'complete' | 'partial' | 'failed';

/** How the attempt of the last session ended; undefined while it is still being judged. */
function getEnding(state: State, last: LastSession): PastAttempt | undefined {
  return state.tasks.get(last.task)?.history.findLast(attempt => attempt.session === last.session);
}

function getStatus(last: LastSession | null, ending: PastAttempt | undefined): Status {
  if (last === null || ending?.outcome === 'landed') return 'complete';
  return ending === undefined || ending.outcome === 'partial' ? 'partial' : 'failed';
}

function getCurrentFeature(state: State, status: Status): string | number | null {
  const [active] = state.active.keys();
  const task = active ?? (status === 'complete' ? null : state.recent.lastSession?.task);
  return task === null || task === undefined ? null : getFeatureId(task);
}

function getTerminationReason(last: LastSession, status: Status, stuckCount: number): string | null {
  if (status === 'complete') return null;
  switch (last.outcome) {
    case 'context':
      return 'context_limit';
    case 'stuck':
      return 'stuck';
    case 'asked':
      return 'user_pause';
    case 'timeout':
      return 'timeout';
    case 'interrupted':
      return 'user_pause';
    case 'budget':
      return 'budget';
    case 'crashed':
    case 'unavailable':
      return 'error';
    case 'claimed':
    case 'not-done':
      if (status === 'partial') return null;
      return stuckCount >= 3 ? 'stuck' : 'error';
  }
}
