import { canScan } from '../../core/code/imports.ts';
import { isCompiled } from '../../core/code/source-files.ts';
import type { GateFinding } from '../../core/model/gates.ts';
import type { FileChange } from '../../ports/index.ts';
import type { CheckContext } from '../shared/context.ts';
import { readRuns } from '../shared/read-judge-files.ts';

/** Changed code that no command of the proof opened: nothing has run it. */
export async function findUntested(
  ctx: CheckContext,
  changes: readonly FileChange[],
): Promise<readonly GateFinding[]> {
  if (ctx.policy.gates.untested === 'off') return [];
  const runs = await readRuns(ctx, 'candidate');
  if (!runs.some(({ opened }) => opened)) return [];
  const opened = new Set(runs.flatMap(run => run.opened ?? []));
  return changes
    .filter(({ path, kind }) => kind !== 'deleted' && (canScan(path) || isCompiled(path)))
    .filter(({ path }) => !opened.has(path))
    .map(({ path }) => ({ gate: 'untested', text: `${path} was changed, and no test opens it` }));
}
