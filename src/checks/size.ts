import { isMeasured } from '../core/model/policy.ts';
import type { CheckContext } from './shared/context.ts';
import { defineCheck } from './shared/context.ts';

/** No file grows beyond what people can read; one that is too long already may stay, and may shrink. */
export const size = defineCheck('size', async ctx => {
  const { maxFileLines } = ctx.policy;
  const sizeBlocks = ctx.policy.sizeBlocks || ctx.task.kind === 'cleanup';
  const findings: string[] = [];
  for (const path of getWritten(ctx)) {
    const after = await readLines(ctx, ctx.candidate.commit, path);
    if (after === null || after <= maxFileLines) continue;
    const before = (await readLines(ctx, ctx.baseTree, path)) ?? 0;
    if (after > before) findings.push(getFinding(path, before, after, maxFileLines));
  }
  const measures = { oversized: findings.length };
  if (findings.length === 0) {
    return { status: 'passed', summary: `no file grew beyond ${maxFileLines} lines`, measures };
  }
  const summary = `${findings.length} files grew beyond ${maxFileLines} lines`;
  return { status: sizeBlocks ? 'failed' : 'warned', summary, findings, measures };
});

function getWritten({ changes, policy }: CheckContext): string[] {
  return changes
    .filter(
      ({ kind, mode, path }) => kind !== 'deleted' && mode.startsWith('100') && isMeasured(policy, path),
    )
    .map(({ path }) => path);
}

/** Null for what is not text, and for a file that is not there. */
async function readLines(ctx: CheckContext, treeish: string, path: string): Promise<number | null> {
  const text = await ctx.ports.workspace.readFile(treeish, path);
  if (text === null || text.includes('\0')) return null;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function getFinding(path: string, before: number, after: number, limit: number): string {
  const from = before === 0 ? 'is new' : `grew from ${before} lines`;
  return `${path} ${from} and has ${after} lines, more than ${limit}: split it by what belongs together`;
}
