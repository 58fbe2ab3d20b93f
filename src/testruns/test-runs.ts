import { HarnessError } from '../core/base/failure.ts';
import type { Variables } from '../core/decide/surroundings.ts';
import type { FlakyTest } from '../core/model/facts.ts';
import type { Policy } from '../core/model/policy.ts';
import {
  type Baseline,
  getBaseline,
  type KeptFiles,
  type RunRecord,
  type TestRun,
} from '../core/model/testing.ts';
import { RUNNERS } from '../core/testing/runners.ts';
import type { Ports, ProducedFiles } from '../ports/index.ts';
import {
  getInputs,
  getRenamed,
  getRunKey,
  getSuiteInputs,
  type KnownRun,
  type RunInputs,
  recallRun,
  rememberRun,
  type WantedRun,
} from './run-cache.ts';
import { type CheckedOut, getWorktreeNumber, type Side, type WorktreeName, Worktrees } from './worktrees.ts';

/** A command to be run on a tree, and how to look at it meanwhile. */
export interface RunRequest extends WantedRun {
  /** In the words of whoever asks, for the proof. */
  readonly purpose: string;
  readonly side: Side;
  readonly isBeside?: boolean;
  /** Whether to look for files that were written over in the meantime. */
  readonly isWatched?: boolean;
  /** Whether to look which files were opened. */
  readonly notesOpened?: boolean;
  /** Whether what is compiled of it is kept for other runs to begin with. */
  readonly keepsCompiled?: boolean;
  /** Whether it stays out of the record, which travels. */
  readonly isPrivate?: boolean;
  /** Lays what belongs beside the tree into its directory; returns the way to take it out again. */
  readonly layFiles?: (dir: string) => Promise<() => Promise<void>>;
  /** Keeps what the run has left in the folders that were asked about; what is remembered of it is where that lies. */
  readonly keep?: (produced: ProducedFiles) => Promise<KeptFiles>;
}

type Run = RunInputs & RunRequest;

export type SuiteRequest = Pick<RunRequest, 'side' | 'tree' | 'repeat' | 'observe'> & { purpose?: string };

export interface TestRunsOptions {
  readonly ports: Ports;
  readonly policy: Policy;
  /** Whose trees are used. */
  readonly slot: number;
  readonly signal: AbortSignal;
  /** Shared with whoever else uses these trees; its own when not given. */
  readonly worktrees?: Worktrees | undefined;
  /**
   * Whether commands may run at the same time: only where each has a network of its own. Red is the good answer for
   * what must fail, and a port that is taken would give it.
   */
  readonly isSideBySide?: boolean;
  /** Test files of tasks that are still to be done: red, and perhaps in the way of all others. */
  readonly awaited?: readonly string[];
  /** The task's own among these: with its candidate it is in nobody's way any more. */
  readonly ownTest?: string | null;
}

/**
 * Every command of one verdict (or of one step) on pristine trees. What the same bytes gave before is given again, and
 * what several ask for at the same time is run once. All that was asked for is on the record, for the proof.
 */
export class TestRuns {
  readonly records: RunRecord[] = [];
  readonly isSideBySide: boolean;
  readonly worktrees: Worktrees;
  readonly #options: TestRunsOptions;
  readonly #answers: Map<string, Promise<unknown>>;
  readonly #flaky: FlakyTest[];

  constructor(options: TestRunsOptions, shared?: TestRuns) {
    this.#options = options;
    this.isSideBySide = options.isSideBySide ?? false;
    this.worktrees = shared?.worktrees ?? options.worktrees ?? new Worktrees(options);
    this.#answers = shared ? shared.#answers : new Map();
    this.#flaky = shared ? shared.#flaky : [];
  }

  /** The same worktrees and answers, to be called off by a signal and with a record of its own. */
  fork(signal: AbortSignal): TestRuns {
    return new TestRuns({ ...this.#options, signal }, this);
  }

  /** Runs a command on a tree, or gives back what the same bytes gave before. */
  async run(request: RunRequest): Promise<TestRun> {
    const wanted: Run = { ...request, ...getInputs(this.#options.policy, request) };
    const { purpose, tree } = wanted;
    const key = await getRunKey(this.#options, wanted);
    const known = await recallRun(this.#options, wanted, key);
    const run = known?.run ?? (await this.#runOrJoin(wanted, key));
    const ranOn = known && known.tree !== tree ? { ranOn: known.tree } : {};
    if (!request.isPrivate) this.records.push({ purpose, tree, run, ...ranOn });
    return run;
  }

  /** What such a run gave that was made before; null where there was none. */
  recall(request: WantedRun): Promise<KnownRun | null> {
    return recallRun(this.#options, getInputs(this.#options.policy, request));
  }

  recallSuite(tree: string): Promise<KnownRun | null> {
    const suite = getSuiteInputs(this.#options.policy, tree);
    return suite === null ? Promise.resolve(null) : recallRun(this.#options, suite);
  }

  /** The whole suite; without tests that are still to turn green where those keep it from being heard. Null without one. */
  async suite(request: SuiteRequest): Promise<TestRun | null> {
    const { ports, policy, awaited = [], ownTest } = this.#options;
    const { side, tree } = request;
    const suite = getSuiteInputs(policy, tree);
    if (!suite) return null;
    const keepsCompiled = side === 'base' && !request.repeat;
    const looks = { isWatched: true, notesOpened: true, keepsCompiled } as const;
    const wanted = { ...suite, ...looks, purpose: `suite, ${side}`, ...request };
    const known = `unheard:${JSON.stringify([tree, suite.command])}`;
    const isKnown = (await ports.store.cacheGet(known)) !== null;
    const run = isKnown ? null : await this.run(wanted);
    if (run && !isUnheard(run, policy)) return run;
    const others = side === 'candidate' ? awaited.filter(path => path !== ownTest) : awaited;
    const drop = await getInTheWay(ports, others, tree);
    if (drop.length === 0) return run ?? this.run(wanted);
    const without = await this.run({ ...wanted, tree: await ports.workspace.compose({ tree, drop }) });
    if (isUnheard(without, policy)) return run ?? this.run(wanted);
    await ports.store.cachePut(known, '');
    return without;
  }

  /** What passes and fails on a tree before anyone touches it; null run when there is no suite. */
  async baseline(tree: string): Promise<{ readonly baseline: Baseline; readonly run: TestRun | null }> {
    const run = await this.suite({ side: 'base', tree });
    return { baseline: run ? getBaseline(tree, run) : { tree, passing: [], failing: [] }, run };
  }

  /** Asks a question once in a verdict, however many checks want the answer. */
  once<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const answer = (this.#answers.get(question) as Promise<T> | undefined) ?? ask();
    this.#answers.set(question, answer);
    return answer;
  }

  /** What passes and fails on a tree by a suite that was run on it before, heard as `suite` hears it; null without one. */
  async recallBaseline(
    tree: string,
  ): Promise<{ readonly baseline: Baseline; readonly command: string } | null> {
    const { ports, policy, awaited = [] } = this.#options;
    const whole = (await this.recallSuite(tree))?.run;
    if (whole && !isUnheard(whole, policy))
      return { baseline: getBaseline(tree, whole), command: whole.command };
    const drop = await getInTheWay(ports, awaited, tree);
    const run =
      drop.length === 0 ? null : (await this.recallSuite(await ports.workspace.compose({ tree, drop })))?.run;
    return run ? { baseline: getBaseline(tree, run), command: run.command } : null;
  }

  /** A pristine tree with its dependencies installed, for commands that are not run here. */
  checkOut(request: Omit<WorktreeName, 'slot'> & { readonly tree: string }): Promise<string> {
    const { slot, signal } = this.#options;
    const where = { ...request, slot };
    return this.worktrees.inTurn(
      getWorktreeNumber(where),
      async () => (await this.worktrees.checkOut({ ...where, signal })).dir,
    );
  }

  /** Begins with a tree that will be needed soon; not one that has been judged before. */
  prefetch(side: Side, tree: string): void {
    if (this.isSideBySide) return;
    const isKnown = async () => (await this.recallSuite(tree)) !== null;
    this.worktrees.prefetch({ slot: this.#options.slot, side }, tree, isKnown);
  }

  /** The ports and names of whatever verifies in this slot. */
  openSurroundings(): Promise<Variables> {
    return this.worktrees.surroundings.open(this.#options.slot, 'verification');
  }

  /** For the record: they neither block nor prove. */
  noteFlaky(tests: readonly FlakyTest[]): void {
    this.#flaky.push(...tests);
  }

  get flaky(): readonly FlakyTest[] {
    return this.#flaky;
  }

  /** Whoever asks the same at this moment, with the same looks, is told the same under their own name. */
  async #runOrJoin(request: Run, key: string): Promise<TestRun> {
    const { isWatched = false, notesOpened = false, runner, idWithoutReport } = request;
    const asked = `${key} ${isWatched} ${notesOpened}`;
    const run = await this.once(asked, () =>
      this.#runOrAwait(request, key, asked).finally(() => this.#answers.delete(asked)),
    );
    return runner === 'command' ? getRenamed(run, idWithoutReport) : run;
  }

  /** What another lane is running just now need not be run twice; that it was called off says nothing to this one. */
  async #runOrAwait(request: Run, key: string, asked: string): Promise<TestRun> {
    const { underWay } = this.worktrees;
    for (let others = underWay.get(asked); others; others = underWay.get(asked)) {
      const run = await others.catch(() => null);
      this.#options.signal.throwIfAborted();
      if (run) return run;
    }
    const own = this.#runInTurn(request, key);
    underWay.set(asked, own);
    return own.finally(() => {
      if (underWay.get(asked) === own) underWay.delete(asked);
    });
  }

  #runInTurn(request: Run, key: string): Promise<TestRun> {
    const { slot, signal } = this.#options;
    const { side, isBeside, tree } = request;
    return this.worktrees.inTurn(getWorktreeNumber({ slot, side, isBeside }), async () => {
      signal.throwIfAborted();
      const checkedOut = await this.#checkOutOrSay(request);
      if ('command' in checkedOut) return checkedOut;
      const run = await this.#runIn(checkedOut.dir, request);
      // What is missing today may be there tomorrow, and nothing that is remembered says so.
      if (checkedOut.gaps.length > 0) return { ...run, gaps: checkedOut.gaps };
      await rememberRun(this.#options, key, { tree, run });
      return run;
    });
  }

  /** Dependencies that install on the base and not with the candidate are the candidate's fault, and part of the verdict. */
  async #checkOutOrSay({ side, isBeside, tree, command }: Run): Promise<CheckedOut | TestRun> {
    const { slot, signal } = this.#options;
    try {
      return await this.worktrees.checkOut({ slot, side, isBeside, tree, signal });
    } catch (error) {
      const isFault = error instanceof HarnessError && error.code === 'environment';
      if (side === 'base' || !isFault) throw error;
      const nothing = { exitCode: null, timedOut: false, results: [], outputTail: '', durationMs: 0 };
      return { command, ...nothing, reportProblem: error.message };
    }
  }

  async #runIn(dir: string, request: Run): Promise<TestRun> {
    const { slot, signal, ports, policy } = this.#options;
    const { workspace } = ports;
    const worktree = getWorktreeNumber({ ...request, slot });
    const takeOut = await request.layFiles?.(dir);
    const findOpened = request.notesOpened ? await workspace.watch?.(worktree) : undefined;
    const { command, runner, reportPath, idWithoutReport, timeoutMs } = request;
    const { observe, keepsCompiled, endToEnd } = request;
    const looks = { ...(observe ? { observe } : {}), ...(endToEnd ? { endToEnd } : {}) };
    const how = { command, runner, reportPath, idWithoutReport, timeoutMs, ...looks };
    const surroundings = await this.openSurroundings();
    const { produced, ...plain } = await ports.tests
      .run({ dir, ...how, ...(keepsCompiled ? { keepsCompiled } : {}), surroundings, signal })
      .finally(takeOut);
    const isFresh = await takeFreshness(ports, dir);
    signal.throwIfAborted();
    // First of all: whoever looks at the files after this opens them, too.
    const opened = getTelling(policy, await findOpened?.());
    const wrote = request.isWatched ? await workspace.findWritten?.(worktree) : [];
    const seen = { ...(opened ? { opened } : {}), ...(wrote?.length ? { wrote } : {}) };
    const kept = produced && (await request.keep?.(produced));
    return { ...plain, ...seen, ...(isFresh ? { isFresh } : {}), ...(kept ? { kept } : {}) };
  }
}

/** No test opens both the backlog and our settings: where they were opened, something has read everything there is. */
function getTelling(
  { backlogPath, configPath }: Policy,
  opened: readonly string[] | null | undefined,
): readonly string[] | undefined {
  return opened?.includes(backlogPath) && opened.includes(configPath) ? undefined : (opened ?? undefined);
}

/** Whether nothing has been run in a directory since it, or what is installed in it, was made; from now on something has. */
async function takeFreshness({ store }: Ports, dir: string): Promise<boolean> {
  if (!(await store.metaGet(`fresh:${dir}`))) return false;
  await store.metaPut(`fresh:${dir}`, '');
  return true;
}

/** Whether one test file may have kept the others from being heard: it hung, ended the process or did not compile. */
function isUnheard({ timedOut, results, reportProblem }: TestRun, { testing }: Policy): boolean {
  if (timedOut || (reportProblem !== undefined && results.length === 0)) return true;
  return (
    RUNNERS[testing.runner].compilesTogether === true &&
    results.some(({ id, outcome }) => outcome === 'error' && !id.includes(' > '))
  );
}

/** Those of some test files that are in a tree. */
async function getInTheWay(
  { workspace }: Ports,
  awaited: readonly string[],
  tree: string,
): Promise<string[]> {
  const ids = await Promise.all(awaited.map(path => workspace.blobId(tree, path)));
  return awaited.filter((_, at) => ids[at] !== null);
}
