import { getBacklogRecord } from '../core/views/backlog-record.ts';
import type { SessionContext } from './context.ts';

/** A backlog as it lands: the task's flag, and what the file keeps of the work so far. */
export function getLandedBacklog(
  { ports: { backlog }, state }: Pick<SessionContext, 'ports' | 'state'>,
  before: string,
  { task, atMs }: { readonly task: string; readonly atMs: number },
): string {
  return backlog.keepRecord(backlog.setPasses(before, task, true), getBacklogRecord(state, atMs, task));
}
