import { matchesAny } from '../core/base/glob.ts';
import { getRunnerNames, type Names } from '../core/testing/runner-names.ts';
import { readChangedSources } from './shared/changed-sources.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';
import { getGreen, runTestFile } from './shared/own-tests.ts';
import { readRuns } from './shared/read-judge-files.ts';

/** New product code neither names the runners' own variables and packages nor works only where they are set. */
export const testAware = defineCheck('test-aware', async ctx => {
  const { testAware: wish } = ctx.policy;
  if (wish === 'off') return { status: 'skipped', summary: 'verification.test_aware is off' };
  const named = await readNamed(ctx);
  const findings = named.flatMap(({ path, lines }) => lines.map(line => `${path} ${line}`));
  if (findings.length > 0) {
    return {
      status: wish === 'reject' ? 'failed' : 'warned',
      summary: `product code knows of its tests in ${findings.length} places`,
      findings: [...findings.slice(0, 20), 'product code must not know whether it is being tested'],
    };
  }
  const words = new Set(named.flatMap(({ fresh }) => fresh));
  return (
    (await judgeElsewhere(ctx, words)) ?? { status: 'passed', summary: 'no new code names what judges it' }
  );
});

interface Named {
  readonly path: string;
  readonly lines: readonly string[];
  /** Words that the file did not say before. */
  readonly fresh: readonly string[];
}

async function readNamed(ctx: CheckContext): Promise<readonly Named[]> {
  const { sources } = ctx.ports;
  if (!sources) return [];
  const manifest = await readManifest(ctx);
  const named: Named[] = [];
  for (const { path, before, after } of await readChangedSources(ctx)) {
    if (matchesAny(path, ctx.task.mayChange)) continue;
    const now = await sources.readNames({ path, text: after });
    if (!now) continue;
    const then: Names | null = before === null ? null : await sources.readNames({ path, text: before });
    const lines = getRunnerNames(then, now, name => manifest.includes(`"${name}"`));
    if (lines.length > 0 && (await isUnused(ctx, path))) continue;
    const known = new Set(then?.words);
    named.push({ path, lines, fresh: now.words.filter(word => !known.has(word)) });
  }
  return named;
}

/** What no command of the proof was seen to open cannot have known of it. */
async function isUnused(ctx: CheckContext, path: string): Promise<boolean> {
  const runs = await readRuns(ctx, 'candidate');
  return runs.length > 0 && runs.every(({ opened }) => opened && !opened.includes(path));
}

/** What the project's users need of its packages; what only its own tests need is left out. */
async function readManifest({ ports, baseTree }: CheckContext): Promise<string> {
  try {
    const text = (await ports.workspace.readFile(baseTree, 'package.json')) ?? '{}';
    const { dependencies, peerDependencies } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return JSON.stringify({ dependencies, peerDependencies });
  } catch {
    return '';
  }
}

/** Variables that most places with tests set and most other places do not. */
const USUAL: Readonly<Record<string, string>> = {
  CI: 'unset CI',
  NODE_ENV: 'export NODE_ENV=development',
};

/** New code that reads such a variable has to pass its tests where it says something else, too. */
async function judgeElsewhere(ctx: CheckContext, words: ReadonlySet<string>) {
  const names = Object.keys(USUAL).filter(name => words.has(name));
  if (names.length === 0) return null;
  const where = { side: 'candidate' } as const;
  const here = await runTestFile(ctx, where);
  if (here === null || here.results.some(({ outcome }) => outcome !== 'passed')) return null;
  const prelude = names.map(name => USUAL[name]).join('; ');
  const there = await runTestFile(ctx, { ...where, prelude, purpose: `own tests, ${prelude}` });
  const green = getGreen(there ?? here);
  const lost = here.results.filter(({ id }) => !green.has(id));
  if (lost.length === 0) return null;
  return {
    status: 'needs-human',
    summary: `the tests pass only where ${names.join(' and ')} says that they are tests`,
    findings: lost.map(({ id }) => `${id} passes, and does not after \`${prelude}\``),
    commands: [here.command],
  } as const;
}
