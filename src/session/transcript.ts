import type { AgentEvent } from '../core/model/agent-event.ts';
import type { ArtifactRef } from '../core/model/facts.ts';
import { addUsage, NO_USAGE, type Usage } from '../core/model/usage.ts';
import { createDigest, type Digest } from '../core/monitor/session-note.ts';
import { getSafeName } from '../core/proof/commit-message.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { SessionContext } from './context.ts';

/** Where the transcript of an attempt's session lies: known without asking, also to whoever takes it over. */
export function getTranscriptPath({ session, task, number, round }: Attempt): string {
  const again = round > 0 ? `-round-${round}` : '';
  return `sessions/session-${session}-task-${getSafeName(task)}-attempt-${number}${again}.jsonl`;
}

/** The end of a long session says more than its beginning. */
const MAX_LINES = 2_000;

/** What a session did and used whose worker is gone, as far as its transcript tells. */
export async function readTranscriptDigest(
  { ports }: SessionContext,
  ref: ArtifactRef | null,
  root: string,
): Promise<{ readonly digest: Digest; readonly usage: Usage }> {
  const digest = createDigest(root);
  const text = ref === null ? null : await ports.artifacts.read(ref);
  const lines = (text ?? '').split('\n');
  for (const line of lines.slice(-MAX_LINES)) {
    const event = parseEvent(line);
    if (event) digest.note(event);
  }
  return { digest: digest.get(), usage: getUsage(lines) };
}

/** All of it counts, also what was used at the beginning of a long session. */
function getUsage(lines: readonly string[]): Usage {
  return lines.reduce((sum, line) => {
    const event = line.includes('"usage"') ? parseEvent(line) : null;
    return event?.type === 'usage' ? addUsage(sum, event.usage) : sum;
  }, NO_USAGE);
}

/** A line may have been cut off in the middle. */
function parseEvent(line: string): AgentEvent | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'type' in value ? (value as AgentEvent) : null;
  } catch {
    return null;
  }
}
