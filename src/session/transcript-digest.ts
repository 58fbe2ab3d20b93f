import type { AgentEvent } from '../core/agent-event.ts';
import { createDigest, type Digest } from '../core/digest.ts';
import type { ArtifactRef } from '../core/event.ts';
import type { SessionContext } from './context.ts';

/** The end of a long session says more than its beginning. */
const MAX_LINES = 2_000;

/** What a session did whose worker is gone, as far as its transcript tells. */
export async function readTranscriptDigest(
  { ports }: SessionContext,
  ref: ArtifactRef | null,
  root: string,
): Promise<Digest> {
  const digest = createDigest(root);
  const text = ref === null ? null : await ports.artifacts.read(ref);
  for (const line of (text ?? '').split('\n').slice(-MAX_LINES)) {
    const event = parseEvent(line);
    if (event) digest.note(event);
  }
  return digest.get();
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
