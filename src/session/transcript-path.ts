import { getSafeName } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';

/** Where the transcript of an attempt's session lies: known without asking, also to whoever takes it over. */
export function getTranscriptPath({ session, task, number, round }: Attempt): string {
  const again = round > 0 ? `-round-${round}` : '';
  return `sessions/session-${session}-task-${getSafeName(task)}-attempt-${number}${again}.jsonl`;
}
