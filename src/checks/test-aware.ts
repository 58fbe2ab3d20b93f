import { getChangedLines } from '../core/changed-lines.ts';
import { getTestAwareLines } from '../core/test-aware.ts';
import { readChangedSources } from './changed-sources.ts';
import { type CheckContext, defineCheck } from './context.ts';

/** New product code neither asks whether it is under test nor reaches for what judges it. */
export const testAware = defineCheck('test-aware', async ctx => {
  const { testAware: wish } = ctx.policy;
  if (wish === 'off') return { status: 'skipped', summary: 'verification.test_aware is off' };
  const found = await readFindings(ctx);
  const grave = found.filter(({ isMild }) => !isMild).map(({ finding }) => finding);
  if (grave.length > 0) {
    return {
      status: wish === 'reject' ? 'failed' : 'warned',
      summary: `product code knows of its tests in ${grave.length} places`,
      findings: [...grave.slice(0, 20), 'product code must not know whether it is being tested'],
    };
  }
  if (found.length === 0) return { status: 'passed', summary: 'no new code looks at what judges it' };
  const findings = found.map(({ finding }) => finding).slice(0, 20);
  return { status: 'warned', summary: `${found.length} lines are worth a look`, findings };
});

async function readFindings(ctx: CheckContext) {
  const found: { readonly finding: string; readonly isMild: boolean }[] = [];
  for (const { path, before, after } of await readChangedSources(ctx)) {
    for (const line of getTestAwareLines(path, after, getChangedLines(before, after))) {
      const finding = `${path}:${line.line} ${line.why}: ${line.text}`;
      found.push({ finding, isMild: line.isMild });
    }
  }
  return found;
}
