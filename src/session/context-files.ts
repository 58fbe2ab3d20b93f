import type { EventOf, HarnessEvent } from '../core/events/event.ts';
import {
  cutContextFile,
  type GivenFile,
  getContextFileKey,
  getContextFileRoles,
  MAX_CONTEXT_FILE_CHARS,
} from '../core/model/context-file.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { ContextFile } from '../ports/index.ts';
import type { SessionContext } from './context.ts';
import { askSummariser } from './summariser.ts';

/** Whose session it is; nobody's, where a planner is told. */
type ForWhom = { readonly task: TaskState; readonly attempt: Attempt } | null;

export interface ContextFilesContext extends SessionContext {
  readonly record: (events: readonly HarnessEvent[]) => Promise<void>;
}

/** What one session is told at most; the rest waits for the next. */
const MAX_CONTEXT_FILES = 5;

/**
 * Takes what people left for a role. It is recorded first and put away then: a crash in between leaves a file
 * already recorded, and is only put away. What is taken belongs to the task until that has landed.
 */
export async function takeContextFiles(
  ctx: ContextFilesContext,
  role: string,
  whom: ForWhom,
): Promise<readonly GivenFile[]> {
  const { contextFiles } = ctx.ports;
  const roles = getContextFileRoles(role);
  const reader = whom && { task: whom.task.def.id, phase: whom.task.def.category };
  const found = contextFiles && roles.length > 0 ? await contextFiles.list(roles, reader) : [];
  const given: GivenFile[] = [];
  for (const file of found) {
    if (ctx.state.people.contextFiles.has(getContextFileKey(file.role, file.sha256))) {
      await contextFiles?.archive(file, { became: 'known already' });
      // A planner has no task that would keep it.
      if (file.isLasting && whom === null && file.text !== null)
        given.push({ name: file.name, role: file.role, text: cutContextFile(file.text) });
      continue;
    }
    if (given.length >= MAX_CONTEXT_FILES) break;
    const taken = await getTaken(ctx, file, whom);
    await ctx.record([taken]);
    await contextFiles?.archive(file, {
      became: taken.how,
      task: taken.task,
      session: whom?.attempt.session ?? null,
      text: taken.text,
    });
    if (taken.how !== 'refused') given.push(taken);
  }
  return given;
}

async function getTaken(
  ctx: ContextFilesContext,
  file: ContextFile,
  whom: ForWhom,
): Promise<EventOf<'drop.taken'>> {
  const { name, role, sha256 } = file;
  const task = whom?.task.def.id ?? null;
  const head = { type: 'drop.taken', name, role, sha256, task } as const;
  if (file.text === null) return { ...head, how: 'refused', text: file.problem ?? 'it cannot be read' };
  const text = ctx.ports.redact?.(file.text) ?? file.text;
  if (text.length <= MAX_CONTEXT_FILE_CHARS) return { ...head, how: 'whole', text };
  const summary = whom ? await summarise(ctx, whom, name, text) : null;
  return summary === null
    ? { ...head, how: 'cut', text: cutContextFile(text) }
    : { ...head, how: 'summary', text: summary };
}

const SUMMARY_SCHEMA = {
  type: 'object',
  properties: { summary: { type: 'string' } },
  required: ['summary'],
  additionalProperties: false,
} as const;

const MAX_MATERIAL_CHARS = 60_000;

async function summarise(
  ctx: ContextFilesContext,
  { task, attempt }: NonNullable<ForWhom>,
  name: string,
  text: string,
): Promise<string | null> {
  const material = `Sum up ${name} for somebody who works on "${task.def.title}", in \`summary\`: at most 400 words, all that bears on that task, names and numbers exactly.\n\n${text.slice(0, MAX_MATERIAL_CHARS)}`;
  const request = { task: task.def, attempt, material, schema: SUMMARY_SCHEMA };
  const { value, spent } = await askSummariser(ctx, request);
  if (spent.length > 0) await ctx.record(spent);
  const { summary } = (value ?? {}) as { readonly summary?: unknown };
  return typeof summary === 'string' && summary.trim() !== '' ? cutContextFile(summary) : null;
}
