import * as z from 'zod';
import type { GateRules } from '../../core/model/policy.ts';
import { count, optionalPath, projectPath } from './fields.ts';

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
    app_paths: z
      .array(projectPath())
      .default([])
      .describe(
        'Directories of the product: landed work outside of them is not called unrequested. All when empty.',
      ),
  })
  .prefault({})
  .describe('A backlog kept as one plan file per task.');

/** What was built, held against what was asked for. */
export const fidelity = z
  .strictObject({
    every_n_plans: count(0)
      .nullable()
      .default(null)
      .describe('Landings after which a run asks by itself; never when absent or 0.'),
    spec_path: optionalPath().describe(
      'Specification that is asked about, or its acceptance file: `spec.acceptance.md` beside `spec.md` goes first.',
    ),
    threshold: z
      .number()
      .min(0)
      .max(100)
      .default(25)
      .describe('Drift above which a run pauses and asks: a share up to 1 (0.25), or of 100 (25).'),
  })
  .prefault({})
  .describe('How far the product is from its specification, by proofs.');

/** The last question before a release. */
export const releaseGate = z
  .strictObject({
    spec_path: optionalPath().describe(
      'Acceptance file whose criteria must all be covered, or the specification that it lies beside. A run that finds it so ends, paused.',
    ),
  })
  .prefault({})
  .describe('Whether everything asked for is proven, installs and starts.');

/** What the gates go by. */
export function getGateRules(config: {
  readonly plan: z.infer<typeof plan>;
  readonly fidelity: z.infer<typeof fidelity>;
  readonly release_gate: z.infer<typeof releaseGate>;
}): GateRules {
  const { every_n_plans, spec_path, threshold } = config.fidelity;
  return {
    appPaths: config.plan.app_paths,
    fidelity: { specPath: spec_path, everyLandings: every_n_plans || null, threshold },
    release: { specPath: config.release_gate.spec_path },
  };
}
