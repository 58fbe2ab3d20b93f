import type { EventOf } from '../core/events/event.ts';
import { isMeasured, type Policy } from '../core/model/policy.ts';
import { getNewSizes } from '../core/state/quality.ts';
import type { State } from '../core/state/state.ts';
import type { Workspace } from '../ports/index.ts';

interface Context {
  readonly ports: { readonly workspace: Pick<Workspace, 'countLines'> };
  readonly policy: Policy;
  readonly state: Pick<State, 'quality'>;
}

/** How long all files are, as far as that is news; nothing where this very tree was measured. */
export async function measureSizes(
  { ports, policy, state }: Context,
  tree: string,
): Promise<readonly EventOf<'sizes.measured'>[]> {
  if (state.quality.tree === tree) return [];
  const counted = Object.entries(await ports.workspace.countLines(tree));
  const written = counted.filter(([path]) => isMeasured(policy, path));
  const lines = getNewSizes(state.quality, Object.fromEntries(written));
  return [{ type: 'sizes.measured', tree, lines }];
}
