import type { EventOf, HarnessEvent } from '../core/events/event.ts';
import { cutDrop, type GivenFile, getDropKey, getDropRoles, MAX_DROP_CHARS } from '../core/model/drop.ts';
import type { Attempt } from '../core/state/attempt.ts';
import type { TaskState } from '../core/state/task-state.ts';
import type { Drop } from '../ports/index.ts';
import type { SessionContext } from './context.ts';
import { askSummariser } from './summariser.ts';

/** Whose session it is; nobody's, where a planner is told. */
type ForWhom = { readonly task: TaskState; readonly attempt: Attempt } | null;

export interface DropContext extends SessionContext {
  readonly record: (events: readonly HarnessEvent[]) => Promise<void>;
}

/** What one session is told at most; the rest waits for the next. */
const MAX_DROPS = 5;

/**
 * Takes what people left for a role. It is recorded first and put away then: a crash in between leaves a file
 * already recorded, and is only put away. What is taken belongs to the task until that has landed.
 */
export async function takeDrops(
  ctx: DropContext,
  role: string,
  whom: ForWhom,
): Promise<readonly GivenFile[]> {
  const { drops } = ctx.ports;
  const roles = getDropRoles(role);
  const found = drops && roles.length > 0 ? await drops.list(roles) : [];
  const given: GivenFile[] = [];
  for (const drop of found) {
    if (ctx.state.people.drops.has(getDropKey(drop.role, drop.sha256))) {
      await drops?.archive(drop, { became: 'known already' });
      continue;
    }
    if (given.length >= MAX_DROPS) break;
    const taken = await getTaken(ctx, drop, whom);
    await ctx.record([taken]);
    await drops?.archive(drop, {
      became: taken.how,
      task: taken.task,
      session: whom?.attempt.session ?? null,
      text: taken.text,
    });
    if (taken.how !== 'refused') given.push(taken);
  }
  return given;
}

async function getTaken(ctx: DropContext, drop: Drop, whom: ForWhom): Promise<EventOf<'drop.taken'>> {
  const { name, role, sha256 } = drop;
  const task = whom?.task.def.id ?? null;
  const head = { type: 'drop.taken', name, role, sha256, task } as const;
  if (drop.text === null) return { ...head, how: 'refused', text: drop.problem ?? 'it cannot be read' };
  const text = ctx.ports.redact?.(drop.text) ?? drop.text;
  if (text.length <= MAX_DROP_CHARS) return { ...head, how: 'whole', text };
  const summary = whom ? await summarise(ctx, whom, name, text) : null;
  return summary === null
    ? { ...head, how: 'cut', text: cutDrop(text) }
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
  ctx: DropContext,
  { task, attempt }: NonNullable<ForWhom>,
  name: string,
  text: string,
): Promise<string | null> {
  const material = `Sum up ${name} for somebody who works on "${task.def.title}", in \`summary\`: at most 400 words, all that bears on that task, names and numbers exactly.\n\n${text.slice(0, MAX_MATERIAL_CHARS)}`;
  const request = { task: task.def, attempt, material, schema: SUMMARY_SCHEMA };
  const { value, spent } = await askSummariser(ctx, request);
  if (spent.length > 0) await ctx.record(spent);
  const { summary } = (value ?? {}) as { readonly summary?: unknown };
  return typeof summary === 'string' && summary.trim() !== '' ? cutDrop(summary) : null;
}
