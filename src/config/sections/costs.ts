import * as z from 'zod';
import { count, optionalText, text, usd } from './fields.ts';

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

/** Which model does which kind of work. */
export const models = z
  .strictObject({
    default: text().default('claude-sonnet-4').describe('Model for every kind of session not named below.'),
    initializer: optionalText().describe('Model that sets a project up; `models.default` when absent.'),
    coding: optionalText().describe('Model that implements tasks; `models.default` when absent.'),
    continuation: optionalText().describe(
      'Model that continues unfinished work; `models.default` when absent.',
    ),
    cleanup: text().default('claude-haiku-3').describe('Model that tidies code, a simpler and cheaper job.'),
  })
  .prefault({})
  .describe('Model per kind of session.');
