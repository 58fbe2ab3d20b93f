import { getFailingScript } from '../core/failing-script.ts';
import { getStarted } from '../core/started-files.ts';
import type { CheckContext } from './context.ts';
import { runValidation } from './own-tests.ts';
import { readProofFiles } from './proof-files.ts';

/**
 * The task's validation once more, with a line in its script that must make it fail. Null where the script is
 * not plainly the one that judges, or nothing that must fail can be made of it.
 */
export async function runFailingValidation(ctx: CheckContext, nonce: string) {
  const script = await findScript(ctx);
  const text = script && (await ctx.ports.workspace.readFile(ctx.candidate.commit, script));
  const failing = script && text ? getFailingScript(script, text, nonce) : null;
  if (!script || failing === null) return null;
  const put = [{ path: script, text: failing }];
  const tree = await ctx.ports.workspace.compose({ tree: ctx.candidate.tree, put });
  const run = await runValidation(ctx, { side: 'candidate', tree, purpose: 'must fail, validation' });
  return run && { script, run };
}

/** The one file that the command starts, if it is guarded and nothing else reads what it says. */
async function findScript(ctx: CheckContext): Promise<string | null> {
  if (ctx.task.validation === null) return null;
  const files = new Set(await ctx.ports.workspace.listFiles(ctx.baseTree));
  const started = getStarted(ctx.task.validation.command, { folders: [''], files });
  const [only] = started;
  if (started.length !== 1 || only?.kind !== 'file' || only.isHeard) return null;
  return (await readProofFiles(ctx)).has(only.path) ? only.path : null;
}
