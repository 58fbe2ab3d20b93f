import { getCommandWords } from '../core/command-line.ts';
import { getFailingScript } from '../core/failing-script.ts';
import type { CheckContext } from './context.ts';
import { runValidation } from './own-tests.ts';
import { tryEmptyScript } from './trials.ts';

/**
 * The task's validation once more, with a line in its script that must make it fail. Null where no script of it
 * plainly judges, or nothing that must fail can be made of it.
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

/** The one file that the command names and that decides: with nothing in it, the command is content. */
async function findScript(ctx: CheckContext): Promise<string | null> {
  if (ctx.task.validation === null) return null;
  const files = new Set(await ctx.ports.workspace.listFiles(ctx.baseTree));
  const named = getCommandWords(ctx.task.validation.command).filter(word => files.has(word));
  const [only, ...others] = new Set(named);
  if (only === undefined || others.length > 0) return null;
  return (await tryEmptyScript(ctx, 'candidate', only)) === 'green' ? only : null;
}
