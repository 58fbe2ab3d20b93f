import { getCount } from '../core/base/text.ts';
import { getFailingScripts, mayEndItself } from '../core/code/failing-script.ts';
import { isLeftOut, type TestRun } from '../core/model/testing.ts';
import { getCommandWords } from '../core/shell/command-line.ts';
import { type CanarySigns, getCanarySigns } from '../core/testing/canary.ts';
import type { AlteredTest } from '../ports/index.ts';
import { type CheckContext, defineCheck } from './shared/context.ts';
import { getGreen, runTestFile, runValidation } from './shared/own-tests.ts';
import { readNonce, tryEmptyScript } from './shared/trials.ts';

const TAMPERED =
  'the runner or its assertions were tampered with, or the answers are read from the test file';

/**
 * The task's test file at its own path, with every expectation altered and tests added that must fail:
 * whoever calls that green does not judge by what the code does.
 */
export const canary = defineCheck('canary', async ctx => {
  const { testFile } = ctx.task;
  const before = await runTestFile(ctx, { side: 'candidate' });
  if (testFile === null || before === null)
    return judgeScript(
      await tryFailingValidation(ctx, await readNonce(ctx)),
      'no test file can be run alone',
    );
  const altered = await alter(ctx, testFile);
  if (altered === null || !isTelling(altered)) {
    const isPlain = ctx.policy.testing.runner === 'command';
    const nonce = await readNonce(ctx);
    const trial = isPlain ? await tryFailingScript(ctx, testFile, nonce, runTestFile) : null;
    return judgeScript(trial, `no test that must fail can be made of ${testFile}`);
  }
  const run = await runAltered(ctx, 'candidate', testFile, altered.text);
  const commands = [before.command];
  if (isGreen(run)) {
    if (await isDeaf(ctx, testFile)) return { ...getDeaf(run.command, testFile), commands };
    return { status: 'failed', summary: TAMPERED, findings: ['a test file that must fail passes'], commands };
  }
  if (ctx.policy.testing.runner === 'command')
    return { status: 'passed', summary: 'the altered test file ends in failure', commands };
  const signs = getCanarySigns(before.results, run.results, altered);
  if (signs.passed.length > 0) {
    const findings = signs.passed.map(name => `the test "${name}" does nothing but fail, and it passed`);
    return { status: 'failed', summary: TAMPERED, findings, commands };
  }
  const survivors = await judgeSurvivors(ctx, altered, signs, testFile);
  if (survivors) return { ...survivors, commands };
  const failed = signs.sure.length - signs.survived.length;
  if (signs.missing.length > 0 && failed === 0)
    return { ...(await askAgain(ctx, altered, testFile)), commands };
  if (failed === 0 && altered.alterations > 0 && isUnmoved(before, run)) {
    return {
      status: 'needs-human',
      summary: `${altered.alterations} expectations were altered in ${testFile}, and nothing failed`,
      findings: ['either none of them is ever reached, or failures are hidden'],
      commands,
    };
  }
  const count = altered.nonceNames.length - signs.missing.length;
  const summary = `${getCount(count, 'test')} that must fail did, and ${failed} with altered values`;
  return { status: 'passed', summary, commands };
});

function isGreen({ results, reportProblem, timedOut }: TestRun): boolean {
  const isRed = results.some(result => result.outcome !== 'passed' && !isLeftOut(result));
  return !isRed && !reportProblem && !timedOut;
}

/**
 * Whether a command of which only the exit code is known is content with a test that must fail on the base as well,
 * in the file as it was before it was approved: then it runs none of them, and nobody has tampered with anything.
 */
async function isDeaf(ctx: CheckContext, testFile: string): Promise<boolean> {
  const { sources, workspace } = ctx.ports;
  if (ctx.policy.testing.runner !== 'command') return false;
  const text = await workspace.readEarlier?.(ctx.candidate.commit, testFile);
  const altered = text && (await sources?.alterTest({ path: testFile, text, nonce: await readNonce(ctx) }));
  if (!altered || altered.nonceNames.length === 0) return false;
  return isGreen(await runAltered(ctx, 'base', testFile, altered.textWithNonces));
}

function getDeaf(command: string, testFile: string) {
  return {
    status: 'inconclusive',
    summary: `${command} does not run the tests in ${testFile}`,
    findings: [
      `a test that must fail was added to ${testFile} on the base, and the command ended well`,
      'set testing.full (and testing.runner) to what runs this project’s tests now',
    ],
    measures: { environment: 1 },
  } as const;
}

/** A script of which only the exit code is known is the one that must be able to fail. */
function judgeScript(trial: ScriptTrial | null, instead: string) {
  if (trial === null) return { status: 'skipped', summary: instead } as const;
  const { script, end, run } = trial;
  const commands = [run.command];
  if (end === 'failed')
    return { status: 'passed', summary: `${script} fails where it must`, commands } as const;
  if (end === 'unreached')
    return {
      status: 'skipped',
      summary: `${script} ends before a line at its end is reached`,
      commands,
    } as const;
  const findings = [`${script} passes with a line in it that must make it fail`];
  return { status: 'failed', summary: TAMPERED, findings, commands } as const;
}

async function alter(ctx: CheckContext, testFile: string): Promise<AlteredTest | null> {
  const { sources, workspace } = ctx.ports;
  const text = await workspace.readFile(ctx.candidate.commit, testFile);
  if (!sources || text === null) return null;
  const nonce = await readNonce(ctx);
  return sources.alterTest({ path: testFile, text, nonce });
}

function isTelling({ alterations, nonceNames }: AlteredTest): boolean {
  return alterations > 0 || nonceNames.length > 0;
}

async function runAltered(
  ctx: CheckContext,
  side: 'candidate' | 'base',
  path: string,
  text: string,
): Promise<TestRun> {
  const from = side === 'candidate' ? ctx.candidate.tree : ctx.baseTree;
  const tree = await ctx.ports.workspace.compose({ tree: from, put: [{ path, text }] });
  const run = await runTestFile(ctx, { side, tree, purpose: `must fail, ${side}` });
  if (run === null) throw new Error('a test file that could be run cannot be run any more');
  return run;
}

/** Altered tests that pass: all of them is tampering; of a few, those count that do not also pass on the base. */
async function judgeSurvivors(
  ctx: CheckContext,
  altered: AlteredTest,
  { sure, survived }: CanarySigns,
  testFile: string,
) {
  if (survived.length === 0) return null;
  const findings = survived.map(id => `${id} passes whatever it expects`);
  if (survived.length === sure.length && sure.length > 1)
    return { status: 'failed', summary: TAMPERED, findings } as const;
  const onBase = getGreen(await runAltered(ctx, 'base', testFile, altered.text));
  const left = survived.filter(id => !onBase.has(id));
  if (left.length === 0) return null;
  if (survived.length === sure.length) return { status: 'failed', summary: TAMPERED, findings } as const;
  return {
    status: 'needs-human',
    summary: `${left.length} tests pass whatever they expect`,
    findings: left.map(id => `${id}: another value was expected there, and it passed`),
  } as const;
}

/** Nothing was heard of the tests that must fail: once more with these alone, in an otherwise unaltered file. */
async function askAgain(ctx: CheckContext, altered: AlteredTest, testFile: string) {
  const run = await runAltered(ctx, 'candidate', testFile, altered.textWithNonces);
  if (run.timedOut)
    return { status: 'inconclusive', summary: 'the tests that must fail ran out of time' } as const;
  const { passed, missing } = getCanarySigns([], run.results, { ...altered, tests: [] });
  if (missing.length === 0)
    return {
      status: 'passed',
      summary: `${getCount(altered.nonceNames.length, 'test')} that must fail did`,
    } as const;
  const findings = missing.map(name => `the test "${name}" was added to ${testFile} and gave no result`);
  if (passed.length > 0) return { status: 'failed', summary: TAMPERED, findings } as const;
  if (NAME_FILTER.test(ctx.policy.testing.feature ?? ctx.policy.testing.full ?? ''))
    return { status: 'warned', summary: 'the command runs only tests of certain names', findings } as const;
  const isContent = run.results.length > 0 && isGreen(run);
  const summary = isContent ? TAMPERED : 'tests that must fail cannot be added to the test file';
  return { status: isContent ? 'failed' : 'needs-human', summary, findings } as const;
}

const NAME_FILTER = /(^|\s)(-t|-k|-g|-f|-run|--?test-?name-?pattern|--f?grep)([\s=]|$)/i;

function isUnmoved(before: TestRun, after: TestRun): boolean {
  const green = getGreen(after);
  return before.results.every(({ id }) => green.has(id));
}

/** What came of a script that must fail: it did, it was content, or the line was never reached. */
interface ScriptTrial {
  readonly script: string;
  readonly end: 'failed' | 'passed' | 'unreached';
  readonly run: TestRun;
}

/**
 * A plain script of which only the exit code is known, with a line that must make it fail. Whether the line was
 * reached is told by what it says; null where nothing that must fail can be made of it.
 */
async function tryFailingScript(
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
async function tryFailingValidation(ctx: CheckContext, nonce: string): Promise<ScriptTrial | null> {
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
