import * as z from 'zod';
import { count, optionalPath, projectPath, share } from './fields.ts';

/** Where plan files live. */
export const plan = z
  .strictObject({
    dir: optionalPath().describe(
      'Directory of plan files still to be done: the backlog, unless `paths.features` names another.',
    ),
    completed_dir: optionalPath().describe(
      'Directory that a plan moves to in the commit that lands it, and whose plans count as landed; without it a plan stays and is marked.',
    ),
    context_dir: optionalPath().describe('Directory where people leave context for each phase.'),
    app_paths: z.array(projectPath()).default([]).describe('Directories of the application, for audits.'),
  })
  .prefault({})
  .describe('A backlog kept as one plan file per task.');

/** The audit of what was built against what was asked. */
export const fidelity = z
  .strictObject({
    every_n_plans: count()
      .nullable()
      .default(null)
      .describe('Merged plans between two audits; none when absent.'),
    spec_path: optionalPath().describe('Specification that the audit compares with.'),
    threshold: share().default(0.3).describe('Drift from the specification at which work pauses.'),
  })
  .prefault({})
  .describe('Audit of how far the product has drifted from its specification.');

/** The last check before a release. */
export const releaseGate = z
  .strictObject({
    spec_path: optionalPath().describe('Specification whose acceptance criteria must all be covered.'),
  })
  .prefault({})
  .describe('Check that everything asked for has been built.');
