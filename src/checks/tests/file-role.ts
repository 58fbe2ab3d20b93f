import { getBaseName, getExtension, getFolder, joinPath } from '../../core/base/tree-path.ts';
import { canScan } from '../../core/code/imports.ts';
import type { JudgeFiles, Users } from '../../core/code/judge-files.ts';
import { getPackageChanges } from '../../core/code/manifest.ts';
import { isCompiled } from '../../core/code/source-files.ts';
import type { TestRun } from '../../core/model/testing.ts';
import type { FileChange } from '../../ports/index.ts';
import type { Side } from '../../testruns/worktrees.ts';
import { type CheckContext, getTree, wroteOwnTest } from '../shared/context.ts';
import { runTestFile, runValidation } from '../shared/own-tests.ts';
import { readRuns, readSideFiles, type SideFiles } from '../shared/read-judge-files.ts';
import {
  type Emptied,
  isGreenOn,
  isGreenWithout,
  isRunners,
  tryEmptied,
  tryEmptyScript,
} from '../shared/trials.ts';

/** What a changed file is to the verdict; `shared` where the coder has a hand in what judges its work. */
export interface Role {
  readonly role: 'product' | 'judge' | 'shared';
  readonly why: string;
}

const PRODUCT: Role = { role: 'product', why: 'the product uses it' };
const UNUSED: Role = { role: 'product', why: 'no command of the proof opens it' };
const NOT_NEEDED: Role = { role: 'product', why: 'the proof holds without the change of it' };

/** What a file that the candidate changed or took away was to the commands that judge it, learnt on the base. */
export async function readRole(ctx: CheckContext, change: FileChange): Promise<Role> {
  const { path, kind } = change;
  const { judge } = await readJudge(ctx, 'base', path);
  const users = judge.getUsers(path);
  if (isLink(change)) return readLinkRole(ctx, path);
  if (canScan(path) && (await isOfSettings(ctx, judge, path)) && !(await isLoadedEarly(ctx, judge, change)))
    return OF_RUNNER;
  if (users === 'product' || isCompiled(path)) return PRODUCT;
  if (judge.isOfTests(path)) {
    // A program that is started beside the script, and that the script misses, is what it looks at.
    const isStarted =
      canScan(path) && users === 'nobody' && (await tryEmptyScript(ctx, 'candidate', path)) === 'red';
    return isStarted ? PRODUCT : { role: 'judge', why: 'the validation goes by it' };
  }
  const tests = judge.getTestsOf(path);
  if (users === 'tests' && canScan(path)) {
    const seen = await tryWithoutEffect(ctx, path, kind, tests);
    if (seen === 'green') return { role: 'judge', why: 'tests stay green when it does nothing, or says yes' };
    return seen === 'red' ? PRODUCT : readTableRole(ctx, judge, path);
  }
  const side = await findOpenedSide(ctx, path);
  if (side === 'unseen') return readUnseen(ctx, path, users);
  if (side === null) return kind === 'deleted' && !canScan(path) ? readGoneRole(ctx, path) : UNUSED;
  if (await isRunners(ctx, side, path))
    return canScan(path) || kind === 'deleted' ? OF_RUNNER : readSettingRole(ctx, path);
  return canScan(path) ? PRODUCT : readDataRole(ctx, side, path);
}

/** What tests say of a file whose functions do nothing; those that the work turned green may ask more of it. */
async function tryWithoutEffect(
  ctx: CheckContext,
  path: string,
  kind: FileChange['kind'],
  tests: readonly string[],
): Promise<Emptied> {
  const before = await tryEmptied(ctx, 'base', path, { users: tests });
  if (before === 'red' || kind !== 'modified') return before;
  // As the base has it: the work might have been written to miss what is emptied.
  const now = await tryEmptied(ctx, 'candidate', path, { users: tests, from: 'base' });
  return now === 'unknown' ? before : now;
}

/** A program without functions may be a table of what is expected: it is the product's if anything of the product names it. */
async function readTableRole(ctx: CheckContext, judge: JudgeFiles, path: string): Promise<Role> {
  for (const namer of judge.getNamers(path).slice(0, MAX_SCRIPTS))
    if (!(await isHelper(ctx, judge, namer))) return PRODUCT;
  if (await isGreenWithout(ctx, [path], true)) return NOT_NEEDED;
  return { role: 'shared', why: 'only tests name it, and the proof needs its change' };
}

/** Whether only tests use a program, and are content with it when it does nothing. */
async function isHelper(ctx: CheckContext, judge: JudgeFiles, path: string): Promise<boolean> {
  if (judge.isOfTests(path)) return true;
  if (!canScan(path) || judge.getUsers(path) !== 'tests') return false;
  return (await tryWithoutEffect(ctx, path, 'modified', judge.getTestsOf(path))) === 'green';
}

/** Whether a program is there because the runner's settings name it, and nothing else but tests does. */
async function isOfSettings(ctx: CheckContext, judge: JudgeFiles, path: string): Promise<boolean> {
  const namers = judge.getNamers(path);
  const opened = new Set((await readRuns(ctx, 'base')).flatMap(run => run.opened ?? []));
  if (!namers.some(by => opened.has(by) && judge.getUsers(by) !== 'product')) return false;
  for (const each of [path, ...namers]) if (!(await isRunners(ctx, 'base', each))) return false;
  return true;
}

/**
 * Whether a program that the runner loads before any test is what the tests are about: the package that they lie in, or
 * what their settings build. A runner asks what JavaScript gave it in ways that nobody can list, so that there a test
 * has to name it.
 */
async function isLoadedEarly(
  ctx: CheckContext,
  judge: JudgeFiles,
  { path, kind }: FileChange,
): Promise<boolean> {
  const tests = judge.getTestsOf(path);
  if (tests.length === 0 && !path.endsWith('.py')) return false;
  const seen = await tryWithoutEffect(ctx, path, kind, tests.length > 0 ? tests : [...judge.tests]);
  return seen === 'red' || (seen === 'unknown' && tests.length > 0);
}

const LINK = '120000';

function isLink({ mode, wasMode = mode, kind }: FileChange): boolean {
  return kind === 'modified' && wasMode === LINK;
}

/** A link is never opened itself: what lies where it led is. */
async function readLinkRole(ctx: CheckContext, path: string): Promise<Role> {
  const target = (await ctx.ports.workspace.readFile(ctx.baseTree, path)) ?? '';
  const led = joinPath(getFolder(path), target);
  const runs = [...(await readRuns(ctx, 'base')), ...(await readRuns(ctx, 'candidate'))];
  const isOpened = runs.some(run => run.opened?.some(each => each === led || each.startsWith(`${led}/`)));
  return isOpened ? { role: 'shared', why: 'commands of the proof went where it led' } : UNUSED;
}

/** Data that is gone was the judge's where tests alone read what lies beside it. */
async function readGoneRole(ctx: CheckContext, path: string): Promise<Role> {
  const { judge } = await readSideFiles(ctx, 'candidate');
  const opened = (await readRuns(ctx, 'candidate')).flatMap(run => run.opened ?? []);
  const beside = opened.find(each => getFolder(each) === getFolder(path) && !canScan(each));
  const readers = beside === undefined ? [] : await readReaders(ctx, 'candidate', beside);
  if (readers.length === 0 || readers.some(by => by.some(file => !judge.isOfTests(file)))) return UNUSED;
  return { role: 'judge', why: 'only tests read what lies beside it' };
}

const OF_RUNNER: Role = { role: 'judge', why: 'the runner itself opens it' };

/** A manifest says more than what the runner is set to: the proof may need what it says of the package, and nothing else. */
async function readSettingRole(ctx: CheckContext, path: string): Promise<Role> {
  if (await isGreenWithout(ctx, [path], true)) return NOT_NEEDED;
  const { workspace } = ctx.ports;
  const [before, after] = [
    (await workspace.readFile(ctx.baseTree, path)) ?? '',
    (await workspace.readFile(ctx.candidate.tree, path)) ?? '',
  ];
  const text = getPackageChanges(path, before, after);
  if (text === null) return OF_RUNNER;
  const tree = await workspace.compose({ tree: ctx.candidate.tree, put: [{ path, text }] });
  if (!(await isGreenOn(ctx, tree, `with tools as they were set in ${path}`, true))) return OF_RUNNER;
  return { role: 'shared', why: 'the proof needs what it says of the package' };
}

/** Where a validation opens a file, its deciding scripts are judges as well. */
async function readJudge(ctx: CheckContext, side: Side, path: string): Promise<SideFiles> {
  const isOpened = async (each: Side) =>
    (await runValidation(ctx, { side: each }))?.opened?.includes(path) ?? false;
  const isAsked = (await isOpened('base')) || (await isOpened('candidate'));
  return readSideFiles(ctx, side, isAsked ? await findDeciding(ctx) : []);
}

/** Programs nobody imports that the validation opens, and that it is content with when they are empty. */
function findDeciding(ctx: CheckContext): Promise<readonly string[]> {
  return ctx.tests.once('deciding scripts', async () => {
    const run = await runValidation(ctx, { side: 'base' });
    const { judge } = await readSideFiles(ctx, 'base');
    const isProgram = (path: string) =>
      path.endsWith('.sh') ||
      getExtension(path) === '' ||
      (canScan(path) && judge.getUsers(path) === 'nobody');
    const deciding: string[] = [];
    for (const path of (run?.opened ?? []).filter(isProgram).slice(0, MAX_SCRIPTS))
      if ((await tryEmptyScript(ctx, 'base', path)) === 'green') deciding.push(path);
    return deciding;
  });
}

/** Beyond this a validation starts too much to be asked about each. */
const MAX_SCRIPTS = 6;

/** Where a command of the proof opened a file: on the base, or, if it did not get so far there, on the candidate. */
async function findOpenedSide(ctx: CheckContext, path: string): Promise<Side | 'unseen' | null> {
  let isSeen = false;
  for (const side of ['base', 'candidate'] as const) {
    const runs = await readRuns(ctx, side);
    if (runs.some(run => run.opened?.includes(path))) return side;
    isSeen ||= runs.length === 0 || runs.some(run => run.opened);
  }
  return isSeen ? null : 'unseen';
}

/** Data is the judge's where only tests read it. */
async function readDataRole(ctx: CheckContext, side: Side, path: string): Promise<Role> {
  const readers = await readReaders(ctx, side, path);
  const { judge } = await readJudge(ctx, side, path);
  const byProduct: (readonly string[])[] = [];
  for (const by of readers) {
    const ofJudge = await Promise.all(by.map(file => isHelper(ctx, judge, file)));
    if (ofJudge.includes(false)) byProduct.push(by);
  }
  if (side === 'base' && byProduct.length > 0) return PRODUCT;
  if (byProduct.length === readers.length && readers.length > 0) return PRODUCT;
  if (await isGreenWithout(ctx, [path], true)) return NOT_NEEDED;
  if (await isSubject(ctx)) {
    if (readers.length > 0 || (await isAlone(ctx, path)))
      return { role: 'product', why: 'the proof looks at data alone' };
    return { role: 'shared', why: 'the proof looks at data alone, and nobody can tell which of it decides' };
  }
  if (readers.length > 0 && byProduct.length === 0) return { role: 'judge', why: 'only tests read it' };
  return { role: 'shared', why: 'the proof needs its change, and nobody can tell whose it is' };
}

/** Whether what proves the task opens no code but that of tests: then data is what was asked for. */
async function isSubject(ctx: CheckContext): Promise<boolean> {
  const { judge } = await readSideFiles(ctx, 'candidate');
  const runs = (await readRuns(ctx, 'candidate')).filter(({ what }) => what !== 'suite');
  const isCode = (path: string) => canScan(path) || isCompiled(path) || path.endsWith('.sh');
  return !runs.some(run => run.opened?.some(path => isCode(path) && !judge.isOfTests(path)));
}

/** Whether a test asks about this file, or the validation opens nothing but it and what is plainly the judge's. */
async function isAlone(ctx: CheckContext, path: string): Promise<boolean> {
  const { judge } = await readJudge(ctx, 'candidate', path);
  const runs = await readRuns(ctx, 'candidate');
  if (runs.some(({ what, opened }) => what === 'own' && opened?.includes(path))) return true;
  const isPlain = (each: string) => each === path || judge.isOfTests(each);
  return runs.every(({ what, opened }) => what !== 'validation' || opened?.every(isPlain));
}

/** The stacks of those who read a file while the commands of the proof ran that opened it. */
function readReaders(ctx: CheckContext, side: Side, path: string): Promise<readonly (readonly string[])[]> {
  return ctx.tests.once(`readers of ${path}, ${side}`, async () => {
    const tree = getTree(ctx, side);
    const how = { side, tree, observe: [path], purpose: `readers of ${path}, ${side}` } as const;
    const asks: readonly [() => Promise<TestRun | null>, () => Promise<TestRun | null>][] = [
      [() => runTestFile(ctx, { side }), () => runTestFile(ctx, how)],
      [() => runValidation(ctx, { side }), () => runValidation(ctx, how)],
      [() => ctx.tests.suite({ side, tree }), () => ctx.tests.suite(how)],
    ];
    for (const [plain, observed] of asks) {
      if (!(await plain())?.opened?.includes(path)) continue;
      const readings = (await observed())?.readings ?? [];
      if (readings.length > 0) return readings.map(({ by }) => by);
    }
    return [];
  });
}

/** What a file that only the candidate has is to the commands that judge it. */
export async function readAddedRole(ctx: CheckContext, path: string): Promise<Role> {
  const runs = await readRuns(ctx, 'candidate');
  const isSeen = runs.some(run => run.opened);
  if (isSeen && !runs.some(run => run.opened?.includes(path))) return UNUSED;
  const { judge } = await readSideFiles(ctx, 'candidate');
  if (judge.tests.has(path)) return { role: 'product', why: 'it is a test of its own' };
  const users = judge.getUsers(path);
  if (judge.isOfTests(path)) return readNeeded(ctx, path, 'it lies among the tests');
  if (users === 'product' || judge.getNamers(path).length > 0 || isCompiled(path)) return PRODUCT;
  if (judge.isNamedByTest(path) && canScan(path)) {
    // What an approved test asks for by its name is the product; one that came with it is read by others anyway.
    const asked = { users: judge.getTestsOf(path), maySayYes: false };
    const seen = await tryEmptied(ctx, 'candidate', path, asked);
    return seen === 'green'
      ? { role: 'shared', why: 'tests stay green when it does nothing, or says yes' }
      : PRODUCT;
  }
  if (!isSeen) return readUnseen(ctx, path, users);
  if (isBesideOwnTest(ctx, path)) return readNeeded(ctx, path, 'it came with the test');
  if (await isRunners(ctx, 'candidate', path)) return OF_RUNNER;
  if (users === 'tests' && canScan(path)) return readNeeded(ctx, path, 'only helpers of the tests use it');
  const readers = await readReaders(ctx, 'candidate', path);
  const isOfProduct = (by: readonly string[]) => by.some(file => !judge.isOfTests(file));
  if (readers.length > 0 ? readers.every(isOfProduct) : await isSubject(ctx)) return PRODUCT;
  return readNeeded(ctx, path, readers.length > 0 ? 'tests read it' : 'nobody can tell who opens it');
}

/** What a runner keeps for a test that the agent wrote, under its name: a snapshot. */
function isBesideOwnTest(ctx: CheckContext, path: string): boolean {
  const { testFile } = ctx.task;
  if (testFile === null || canScan(path) || !wroteOwnTest(ctx)) return false;
  return getBaseName(path).startsWith(`${getBaseName(testFile)}.`);
}

/** Where nobody sees what is opened, the texts have to do. */
function readUnseen(ctx: CheckContext, path: string, users: Users): Promise<Role> | Role {
  return users === 'tests' ? readNeeded(ctx, path, 'only tests name it') : UNUSED;
}

async function readNeeded(ctx: CheckContext, path: string, why: string): Promise<Role> {
  if (await isGreenWithout(ctx, [path])) return { role: 'product', why: 'the proof holds without it' };
  return { role: 'shared', why };
}
