import { chmodSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomic } from '../../adapters/artifacts/write-atomic.ts';
import { readIfThere } from '../../adapters/git/repo/git-files.ts';
import { getDialect, isPlanFolder } from '../../backlog/codec.ts';
import { addTask, type NewFeature } from '../../backlog/edit/add-task.ts';
import { getNewPlan } from '../../backlog/edit/convert.ts';
import { FEATURES_JSON } from '../../backlog/read/features-json.ts';
import { HarnessError } from '../../core/base/failure.ts';
import type { Store } from '../../ports/index.ts';
import type { Checkout } from '../project/open-checkout.ts';
import { readPlansOnDisk } from '../project/plans-on-disk.ts';
import type { Watch } from '../project/watch.ts';
import { planTest } from './plan-test.ts';
import { commitFiles, findToCommit, getTestNote, readTestFile } from './test-file.ts';

export interface AddInput extends Watch {
  /** What can be done once it works, in one sentence. */
  readonly title: string;
  readonly testFile?: string;
  /** A command that must exit 0. */
  readonly validation?: string;
  readonly dependsOn?: readonly string[];
  readonly priority?: string;
  /** Things that have to be true in the end. */
  readonly step?: readonly string[];
  readonly mayChange?: readonly string[];
  readonly category?: string;
  /** What harness-loop calls its category. */
  readonly phase?: string;
  readonly size?: 'small' | 'medium' | 'large';
  readonly commit?: boolean;
  /** The test file is still to be written. */
  readonly newTest?: boolean;
  /** False: a task without a test is left open, and no planner is asked to name one. */
  readonly plan?: boolean;
  /** Where somebody is there: asked what proves it, by a file or by a command; nothing said leaves it open. */
  readonly askProof?: () => Promise<Pick<AddInput, 'testFile' | 'validation'>>;
  /** Asked whether to commit, where that was not said. */
  readonly confirm?: (paths: readonly string[]) => Promise<boolean>;
}

export interface AddResult {
  readonly added: { readonly id: string; readonly title: string };
  /** The backlog. */
  readonly file: string;
  readonly commit: string | null;
  readonly note: string | null;
  readonly warnings: readonly string[];
  readonly root: string;
  /** What has to be committed before it can run. */
  readonly paths: readonly string[];
  readonly message: string;
}

/** One more task in the backlog of this checkout; nothing is written unless all of it is right. */
export async function addTaskToBacklog(checkout: Checkout, given: AddInput): Promise<AddResult> {
  const { title } = given;
  if (title.trim() === '')
    throw new HarnessError('usage', 'the title is empty', {
      field: '<title>',
      fix: 'say in one sentence what can be done once it works',
    });
  getAdded(checkout, { ...given, testFile: given.testFile ?? 'to be named' });
  const { input, why } = await withProof(checkout, given);
  const { testFile } = input;
  const state = await readTestFile(checkout, testFile, input.newTest ?? false);
  const { text: _, ...added } = await withBacklogFile(await checkout.store(), () => {
    const next = getAdded(checkout, input);
    writeKeepingMode(join(checkout.gitDirs.root, next.file), next.text);
    return next;
  });
  const { gitDirs, env } = checkout;
  const paths = await findToCommit(checkout, added.file, testFile, state);
  const isWanted = input.commit ?? (await input.confirm?.(paths)) ?? false;
  const message = `Plan: ${title.length > 60 ? `${title.slice(0, 59)}…` : title}`;
  const commit = isWanted ? await commitFiles({ env }, gitDirs.root, paths, message) : null;
  return {
    ...{ added: { id: added.id, title: added.title }, file: added.file, commit },
    note: commit === null ? getTestNote(testFile ?? '', state) : null,
    ...{
      warnings: [...(why === null ? [] : [getOpenNote(added.id, why)]), ...added.warnings],
      root: gitDirs.root,
      paths,
      message,
    },
  };
}

/** What proves it: as told, as somebody at the terminal says, else as a planner does. */
async function withProof(
  checkout: Checkout,
  input: AddInput,
): Promise<{ readonly input: AddInput; readonly why: string | null }> {
  if (input.testFile !== undefined || input.validation !== undefined) return { input, why: null };
  if (input.askProof) {
    const proof = await input.askProof();
    const isOpen = proof.testFile === undefined && proof.validation === undefined;
    return { input: { ...input, ...proof }, why: isOpen ? 'nothing was said' : null };
  }
  if (input.plan === false) return { input, why: 'no planner was asked' };
  const planned = await planTest(checkout, input.title, input);
  if ('why' in planned) return { input, why: `no test is planned (${planned.why})` };
  const { testFile, steps } = planned;
  const step = input.step?.length ? input.step : steps;
  return { input: { ...input, testFile, step, newTest: true }, why: null };
}

function getOpenNote(id: string, why: string): string {
  return `nothing proves task ${id} yet: ${why}; it waits for you and the others go on. Give it a test_file or a validation`;
}

interface Added {
  /** What is written. */
  readonly file: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly warnings: readonly string[];
}

/** The file with the task in it, checked as a whole: a missing dependency stops it here. */
function getAdded(checkout: Checkout, input: AddInput): Added {
  const { backlogPath, backlog } = checkout;
  const title = input.title.trim();
  const next = isPlanFolder(backlogPath) ? getAddedPlan(checkout, input) : getAddedEntry(checkout, input);
  const { warnings } = backlog.parse(next.backlog);
  return {
    ...{ file: next.file, id: next.id, title, text: next.text },
    warnings: warnings.filter(warning => warning.includes(` ${next.id} `)),
  };
}

/** The new bytes of one file, and the backlog as it would be read with them. */
type Change = Pick<Added, 'file' | 'id' | 'text'> & { readonly backlog: string };

function getAddedEntry(checkout: Checkout, input: AddInput): Change {
  const { backlogPath: file, gitDirs, config } = checkout;
  const before = readIfThere(join(gitDirs.root, file));
  if (before === null) {
    const fix = 'run "harness init" to create it';
    throw new HarnessError('backlog', `there is no ${file}`, { file, fix });
  }
  const dialect = getDialect(file) ?? undefined;
  // A file that must name a test for each takes this one all the same, for a person to judge.
  const isOpen = input.testFile === undefined && input.validation === undefined;
  const needsTest = dialect === FEATURES_JSON && config.features.require_test_file;
  const judged = isOpen && needsTest ? ({ verificationType: 'manual' } as const) : {};
  const { text, id } = addTask(before, { ...getFeature(input), ...judged }, file, dialect);
  return { file, id, text, backlog: text };
}

/** A plan is a file of its own. */
function getAddedPlan({ backlogPath, completedDir, gitDirs }: Checkout, input: AddInput): Change {
  const folders = { folder: backlogPath, completed: completedDir };
  const { names } = readPlansOnDisk(gitDirs.root, folders);
  const { id, name, text } = getNewPlan(names, getFeature(input));
  const { text: backlog } = readPlansOnDisk(gitDirs.root, folders, { [name]: text });
  return { file: `${backlogPath}/${name}`, id, text, backlog };
}

function getFeature(input: AddInput): NewFeature {
  const { testFile, validation, dependsOn, priority, size } = input;
  const category = input.phase ?? input.category;
  const { title, step = [], mayChange = [] } = input;
  return {
    description: title.trim(),
    ...(category === undefined ? {} : { category }),
    ...(testFile === undefined ? {} : { testFile }),
    ...(validation === undefined ? {} : { validation: { command: validation } }),
    ...(step.length === 0 ? {} : { verificationSteps: step }),
    ...(size === undefined ? {} : { size }),
    ...(priority === undefined ? {} : { priority: getPriority(priority) }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
    ...(mayChange.length === 0 ? {} : { mayChange }),
  };
}

function getPriority(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text.toUpperCase();
}

const LEASE = { resource: 'backlog-file', ttlMs: 10_000 };

/** One writer at a time, so that two commands at once add two tasks; a killed one holds up nobody for long. */
async function withBacklogFile<T>(store: Store, work: () => T): Promise<T> {
  const owner = `add-${process.pid}`;
  for (;;) {
    const taken = await store.acquire({ ...LEASE, owner });
    if (taken.ok) {
      try {
        return work();
      } finally {
        await store.release(taken.lease);
      }
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Through a link to the file it names, with the rights that it had. */
function writeKeepingMode(path: string, text: string): void {
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomic(path, text, { durable: true });
    return;
  }
  const target = realpathSync(path);
  const { mode } = statSync(target);
  writeAtomic(target, text, { durable: true });
  if (statSync(target).mode !== mode) chmodSync(target, mode);
}
