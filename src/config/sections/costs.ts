import * as z from 'zod';
import type { Policy } from '../../core/model/policy.ts';
import { EFFORTS, PROVIDER_NAMES } from '../../core/model/provider.ts';
import { count, optionalText, usd } from './fields.ts';

/** What may be spent; on by default. */
export const costs = z
  .strictObject({
    per_session_usd: usd().default(10).describe('Most that one session may cost, in US dollars.'),
    per_feature_usd: usd().default(25).describe('Most that one task may cost over all its sessions.'),
    total_project_usd: usd().default(200).describe('Most that the whole project may cost.'),
    prices: z
      .record(
        z.string(),
        z.strictObject({
          input_per_million: usd().describe('Price of a million input tokens, in US dollars.'),
          output_per_million: usd().describe('Price of a million output tokens.'),
          cached_per_million: usd()
            .default(0)
            .describe('Price of a million input tokens read from the cache.'),
        }),
      )
      .default({})
      .describe('Prices of models that the built-in list does not know or has wrong, by model name.'),
    ceiling_tokens: count()
      .nullable()
      .default(null)
      .describe('Number of tokens at which a notice is logged; it never stops a run.'),
  })
  .prefault({})
  .describe('Budgets; each one is in force unless set higher.');

const DEFAULT_ROLE = {
  provider: '`agent.provider` when absent',
  model: '`claude-sonnet-4` for claude, its own choice for others, when absent',
  effort: 'its own choice when absent',
};

const OTHER_ROLE = {
  provider: 'that of `models.default` when absent',
  model: 'that of `models.default`, or the agent’s own choice, when absent',
  effort: 'that of `models.default` when absent',
};

const role = (what: string, absent = OTHER_ROLE) =>
  z
    .strictObject({
      provider: z
        .enum(PROVIDER_NAMES)
        .nullable()
        .default(null)
        .describe(`The agent that ${what}; ${absent.provider}.`),
      model: optionalText().describe(`Its model; ${absent.model}.`),
      effort: z
        .enum(EFFORTS)
        .nullable()
        .default(null)
        .describe(`How hard the model thinks; ${absent.effort}.`),
    })
    .prefault({})
    .describe(`Whatever ${what}; a text alone is the model.`);

/** Which model does which kind of work. */
export const models = z
  .strictObject({
    default: role('does every kind of work not named below', DEFAULT_ROLE),
    initializer: role('sets a project up, unless `models.planner` says otherwise'),
    coding: role('implements tasks'),
    continuation: role('goes on with unfinished work'),
    cleanup: role('tidies code, a simpler and cheaper job'),
    review: role('reviews what others wrote'),
    test_author: role('writes tests for others to pass'),
    planner: role('plans'),
    summariser: role('sums up'),
    architect: role('does tasks of the phase `architecture`'),
    designer: role('does tasks of the phase `uiux`'),
  })
  .prefault({})
  .describe('Agent, model and effort per kind of session; a text alone is the model.');

/** What may be spent, as the core wants it. */
export function getBudget(limits: z.output<typeof costs>): Policy['budget'] {
  return {
    perSessionUsd: limits.per_session_usd,
    perTaskUsd: limits.per_feature_usd,
    totalUsd: limits.total_project_usd,
  };
}
