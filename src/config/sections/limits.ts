import * as z from 'zod';
import type { Policy } from '../../core/model/policy.ts';
import { count, seconds, toMs } from './fields.ts';

/** How often a task is tried. */
export const attempts = z
  .strictObject({
    max_attempts: count().default(3).describe('Rejected or failed tries before a task is given up.'),
    max_interruptions: count()
      .default(20)
      .describe('Crashes and kills of one task before a person is asked.'),
  })
  .prefault({})
  .describe('How often one task is tried.');

/** When a person is asked although work could go on. */
export const escalation = z
  .strictObject({
    on_rejected: z
      .enum(['go-on', 'ask'])
      .default('go-on')
      .describe('What follows when an agent’s claim is rejected and attempts are left.'),
    on_large: z
      .enum(['ask', 'go-on'])
      .default('ask')
      .describe('What follows for a task with more than `features.max_verification_steps` steps.'),
  })
  .prefault({})
  .describe('When a person is asked although work could go on.');

/** How long a worker may be silent. */
export const lease = z
  .strictObject({
    ttl_seconds: seconds().default(60).describe('Silence after which a worker loses its task.'),
    heartbeat_seconds: seconds().default(15).describe('Time between two signs of life of a worker.'),
  })
  .prefault({})
  .describe('How a worker holds a task.');

/** How many rollback points are kept. */
export const checkpoints = z
  .strictObject({
    per_task: count()
      .default(5)
      .describe('Attempts that did not land whose checkpoint and work are kept, for one task.'),
    max_age_days: count().default(7).describe('Days they are kept.'),
  })
  .prefault({})
  .describe('Retention of the points a task can be rolled back to.');

/** What keeps rework from going on for ever. */
export const convergence = z
  .strictObject({
    max_qa_cycles: count()
      .default(3)
      .describe('Rounds of fixing and testing again that one QA task may cause.'),
    max_rework_tasks: count().default(8).describe('Repair tasks that may be added to the whole project.'),
    max_iterations: count()
      .default(50)
      .describe('Attempts of one run that land nothing, after which it stops.'),
    stale_rounds: count()
      .default(2)
      .describe('How often everything ready may come to the same end again before a run stops.'),
  })
  .prefault({})
  .describe('Limits that make every run come to an end.');

const DAY_MS = 86_400_000;

/** How often a task is tried, and what is kept of it, as the core wants it. */
export function getTaskRules(
  tries: z.output<typeof attempts>,
  asks: z.output<typeof escalation>,
  kept: z.output<typeof checkpoints>,
): Pick<Policy, 'maxAttempts' | 'maxInterruptions' | 'escalation' | 'checkpoints'> {
  return {
    maxAttempts: tries.max_attempts,
    maxInterruptions: tries.max_interruptions,
    escalation: { onRejected: asks.on_rejected, onLarge: asks.on_large },
    checkpoints: { perTask: kept.per_task, maxAgeMs: kept.max_age_days * DAY_MS },
  };
}

/** A worker's signs of life, as the core wants them. */
export function getLeaseRules(held: z.output<typeof lease>): Pick<Policy, 'leaseMs' | 'heartbeatMs'> {
  return { leaseMs: toMs(held.ttl_seconds), heartbeatMs: toMs(held.heartbeat_seconds) };
}
