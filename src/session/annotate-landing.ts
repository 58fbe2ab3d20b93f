import { getShellQuoted } from '../core/base/shell-quoted.ts';
import type { HarnessEvent } from '../core/events/event.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { SessionContext } from './context.ts';

/** Sends the proof along with the commit. One that has been lost meanwhile can be made again by anybody. */
export async function annotate(
  ctx: SessionContext,
  attempt: Attempt,
  commit: string,
): Promise<HarnessEvent[]> {
  if (attempt.resumes?.override) return [];
  const text = await readProof(ctx, attempt);
  if (text !== null) {
    await ctx.ports.workspace.annotate(commit, text);
    return [];
  }
  const lost = `the proof of task ${attempt.task} was lost before it was kept in git: harness verify ${getShellQuoted(attempt.task)}`;
  return [{ type: 'note.added', level: 'important', text: lost, task: attempt.task }];
}

/** The proof of what was judged; null where there is none, or none any more. */
export async function readProof(ctx: SessionContext, { judged }: Attempt): Promise<string | null> {
  const { proof } = judged ?? {};
  return proof?.hash && proof.recordHash ? ctx.ports.artifacts.read(proof) : null;
}
