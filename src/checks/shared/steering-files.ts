import { getIncluded, getReferred, isInstruction, isSteering } from '../../core/code/steering.ts';
import type { CheckContext } from './context.ts';

/** How far agents follow files that include others. */
const MAX_DEPTH = 5;

/** Tells which files steer agents: those that are read for their names, and what these pull in on the base. */
export async function readIsSteering(
  ctx: CheckContext,
  base: readonly string[],
  files: ReadonlySet<string>,
): Promise<(path: string) => boolean> {
  const pulled = new Set<string>();
  let open = base.filter(isInstruction);
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth++) {
    const next = new Set<string>();
    for (const path of open) {
      const text = (await ctx.ports.workspace.readFile(ctx.baseTree, path)) ?? '';
      for (const other of getIncluded(path, text, files)) if (!pulled.has(other)) next.add(other);
      if (depth === 0) for (const other of getReferred(path, text, files)) pulled.add(other);
    }
    for (const path of next) pulled.add(path);
    open = [...next];
  }
  return path => isSteering(path) || pulled.has(path);
}
