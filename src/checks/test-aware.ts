import { getChangedLines } from '../core/changed-lines.ts';
import { canScan } from '../core/imports.ts';
import { getLonelyLines, isViteProject } from '../core/only-under-test.ts';
import { getTestAwareLines } from '../core/test-aware.ts';
import { getUnmasked } from '../core/unmask.ts';
import { isTestPath, readChangedSources } from './changed-sources.ts';
import { type CheckContext, defineCheck } from './context.ts';
import { getGreen, runTestFile } from './own-tests.ts';

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
  const elsewhere = await judgeElsewhere(ctx);
  if (elsewhere) return elsewhere;
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
  return [...found, ...(await readLonely(ctx))];
}

/** New product code that finds what it needs only while tests run. */
async function readLonely(ctx: CheckContext) {
  const { workspace } = ctx.ports;
  const sources = (await readChangedSources(ctx)).filter(({ path }) => canScan(path));
  if (sources.length === 0) return [];
  const files = await workspace.listFiles(ctx.candidate.tree);
  const manifest = (await workspace.readFile(ctx.baseTree, 'package.json')) ?? '';
  const around = {
    files: new Set(files),
    isTest: (path: string) => isTestPath(ctx, path),
    isViteProject: isViteProject(files, manifest),
  };
  return sources.flatMap(({ path, before, after }) =>
    getLonelyLines(path, after, getChangedLines(before, after), around).map(({ line, why }) => ({
      finding: `${path}:${line} ${why}: ${after.split('\n')[line - 1]?.trim().slice(0, 160)}`,
      isMild: false,
    })),
  );
}

/** Variables that most places with tests set and most other places do not. */
const USUAL: Readonly<Record<string, string>> = {
  CI: 'unset CI',
  NODE_ENV: 'export NODE_ENV=development',
};

/** New code that reads such a variable has to pass its tests where it says something else, too. */
async function judgeElsewhere(ctx: CheckContext) {
  const names = new Set<string>();
  for (const { before, after } of await readChangedSources(ctx)) {
    const lines = after.split('\n');
    const added = getChangedLines(before, after).map(line => getUnmasked(lines[line - 1] ?? ''));
    for (const line of added) for (const name of getUsualRead(line)) names.add(name);
  }
  if (names.size === 0) return null;
  const where = { side: 'candidate', tree: ctx.candidate.tree } as const;
  const here = await runTestFile(ctx, where);
  if (here === null || here.results.some(({ outcome }) => outcome !== 'passed')) return null;
  const prelude = [...names].map(name => USUAL[name]).join('; ');
  const there = await runTestFile(ctx, { ...where, prelude, purpose: `own tests, ${prelude}` });
  const green = getGreen(there ?? here);
  const lost = here.results.filter(({ id }) => !green.has(id));
  if (lost.length === 0) return null;
  return {
    status: 'needs-human',
    summary: `the tests pass only where ${[...names].join(' and ')} says that they are tests`,
    findings: lost.map(({ id }) => `${id} passes, and does not after \`${prelude}\``),
    commands: [here.command],
  } as const;
}

function getUsualRead(line: string): readonly string[] {
  if (!/\b(process|meta)\.env\b|\bos\.(environ|getenv)\b/.test(line)) return [];
  return Object.keys(USUAL).filter(name => new RegExp(`\\b${name}\\b`).test(line));
}
