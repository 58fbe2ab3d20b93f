import { getFailingScripts, mayEndItself } from '../../core/code/failing-script.ts';
import type { TestRun } from '../../core/model/testing.ts';
import { getCommandWords } from '../../core/shell/command-line.ts';
import type { CheckContext } from '../shared/context.ts';
import { type runTestFile, runValidation } from '../shared/own-tests.ts';
import { tryEmptyScript } from '../shared/trials.ts';

/** What came of a script that must fail: it did, it was content, or the line was never reached. */
export interface ScriptTrial {
  readonly script: string;
  readonly end: 'failed' | 'passed' | 'unreached';
  readonly run: TestRun;
}

/**
 * A plain script of which only the exit code is known, with a line that must make it fail. Whether the line was
 * reached is told by what it says; null where nothing that must fail can be made of it.
 */
export async function tryFailingScript(
  ctx: CheckContext,
  script: string,
  nonce: string,
  run: typeof runTestFile | typeof runValidation,
): Promise<ScriptTrial | null> {
  const { workspace } = ctx.ports;
  const text = await workspace.readFile(ctx.candidate.commit, script);
  if (text === null) return null;
  let unreached: ScriptTrial | null = null;
  for (const failing of getFailingScripts(script, text, nonce)) {
    const put = [{ path: script, text: failing.text }];
    const tree = await workspace.compose({ tree: ctx.candidate.tree, put });
    const result = await run(ctx, { side: 'candidate', tree, purpose: 'must fail, script' });
    if (result === null) return null;
    const isRed = result.exitCode !== 0 || result.timedOut;
    if (isRed) return { script, end: failing.isFirst && unreached ? 'unreached' : 'failed', run: result };
    const isHidden = result.outputTail.includes(nonce) || !mayEndItself(text);
    if (failing.isFirst || isHidden) return { script, end: 'passed', run: result };
    unreached = { script, end: 'unreached', run: result };
  }
  return unreached;
}

/** The same of the script that the task's validation starts; null where no script of it plainly judges. */
export async function tryFailingValidation(ctx: CheckContext, nonce: string): Promise<ScriptTrial | null> {
  const script = await findScript(ctx);
  return script === null ? null : tryFailingScript(ctx, script, nonce, runValidation);
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
