import type { Attempt } from './core/attempt.ts';
import { HANDOFF_FILE } from './core/handoff.ts';
import { isBacklogPath, type Policy } from './core/policy.ts';
import type { Leftover } from './core/recovery.ts';
import type { Ports } from './ports.ts';

/** After a session that died with its harness: what there is to go on with. */
export async function readLeftover(
  { workspace, toolbox }: Pick<Ports, 'workspace' | 'toolbox'>,
  policy: Policy,
  attempt: Attempt,
  tree: string,
): Promise<Leftover> {
  const changes = await workspace.changes(attempt.checkpoint?.commit ?? attempt.base, tree);
  const words = new Set([policy.notesPath, HANDOFF_FILE]);
  const said = attempt.dir && toolbox ? await toolbox.read(attempt.dir) : [];
  return {
    changed: changes.some(({ path }) => !isBacklogPath(policy, path) && !words.has(path)),
    steps: said.filter(({ type }) => type === 'checkpoint').length,
  };
}
